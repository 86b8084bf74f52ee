"""The tools of a release: the page of the package index, and the check of a tag."""

import importlib
import re
import shutil
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def tool(monkeypatch):
    if not (ROOT / "tools").is_dir():
        pytest.skip("tests outside the repository")
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    yield importlib.import_module
    for name in ("index_page", "check_tag"):
        sys.modules.pop(name, None)


def targets(text):
    return re.findall(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"", text)


REPOSITORY = "https://example.org/rarewood"


@pytest.mark.parametrize("urls", [{}, {"Repository": REPOSITORY}], ids=["text", "absolute"])
def test_the_page_of_the_index_has_no_relative_target(tool, urls):
    project = {"version": "0.1.0", "urls": urls}
    readme = tool("index_page").dynamic_metadata({}, project)["readme"]
    assert readme["content-type"] == "text/markdown"
    for one, other in targets(readme["text"]):
        assert (one or other).startswith("https://")


def test_absolute_targets_are_the_files_of_the_readme(tool):
    project = {"version": "0.1.0", "urls": {"Repository": REPOSITORY}}
    text = tool("index_page").dynamic_metadata({}, project)["readme"]["text"]
    files = re.findall(rf"{REPOSITORY}/(?:blob|raw)/v0\.1\.0/([^)\"#]+)", text)
    assert "docs/_static/report.png" in files
    assert len(files) >= 40
    for file in files:
        assert (ROOT / file).exists(), file


@pytest.mark.parametrize(
    ("markdown", "text", "absolute"),
    [
        ("[a page](docs/a.md#b).", "a page.", "[a page](R/blob/v1/docs/a.md#b)."),
        ("![a picture](a.svg)", "*a picture*", "![a picture](R/raw/v1/a.svg)"),
        ("[![b](https://x.y)](LICENSE)", "![b](https://x.y)", "[![b](https://x.y)](R/blob/v1/LICENSE)"),
        ("[a](https://x.y) [b](#c)", "[a](https://x.y) [b](#c)", "[a](https://x.y) [b](#c)"),
        ("```\na[0](b)\n```", "```\na[0](b)\n```", "```\na[0](b)\n```"),
    ],
)  # fmt: skip
def test_links_become_text_or_absolute(tool, markdown, text, absolute):
    page = tool("index_page").page
    assert page(markdown, None, "v1") == text
    assert page(markdown, "R", "v1") == absolute


def test_a_tag_is_refused_until_version_changelog_and_texts_agree(tool, tmp_path, monkeypatch):
    check_tag = tool("check_tag")
    version, pages = "src/rarewood/_version.py", ("README.md", "docs/install.md")
    for name in (version, "CHANGELOG.md", "pyproject.toml", *pages):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    monkeypatch.setattr(check_tag, "ROOT", tmp_path)

    def rewrite(name, old, new):
        text = (tmp_path / name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(re.sub(old, new, text), encoding="utf-8")

    rewrite(version, r'"[\d.]+\w*"', '"7.8.9.dev0"')
    rewrite("pyproject.toml", r"\[project\.urls\]\n(.+\n)*", "")
    rewrite("README.md", "$", "Version 7.8.9 is not on the package index yet.")
    found = " ".join(check_tag.problems("v7.8.9"))
    for name in ("_version.py", "CHANGELOG.md", "pyproject.toml", "README.md"):
        assert name in found

    rewrite(version, r"\.dev0", "")
    rewrite("CHANGELOG.md", r"## \[.+?\]", "## [7.8.9]")
    rewrite(
        "pyproject.toml",
        r"\[project\.scripts\]",
        f'[project.urls]\nRepository = "{REPOSITORY}"\n\n\\g<0>',
    )
    for page in pages:
        rewrite(page, "not on the package index yet", "on the package index")
    assert check_tag.problems("v7.8.9") == []
    assert check_tag.problems("v7.8.8")


def test_the_conda_recipe_has_the_requirements_of_the_project():
    if not (ROOT / "conda").is_dir():
        pytest.skip("tests outside the repository")
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    recipe = (ROOT / "conda/recipe.yaml").read_text(encoding="utf-8")
    host, run = re.findall(r"^  (?:host|run):\n((?:    - .+\n)+)", recipe, re.MULTILINE)

    def listed(lines):
        return set(re.findall(r"- (.+)", lines)) - {"python", "pip"}

    def spelled(requirements):
        return {re.sub(r"(?=[<>=])", " ", line, count=1) for line in requirements}

    assert listed(host) == spelled(config["build-system"]["requires"])
    assert listed(run) == spelled(config["project"]["dependencies"])
    oldest = config["project"]["requires-python"].removeprefix(">=")
    assert f'match(python, "<{oldest}")' in recipe
    version = re.search(r'version: "(.+)"', recipe)[1]
    assert f'"{version}' in (ROOT / "src/rarewood/_version.py").read_text(encoding="utf-8")

"""The page as text: complete in itself, and with every name escaped."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest

from rarewood.report import render, write
from support.reported import NASTY, binary, nasty, wine

SECTIONS = [
    "ranking", "operating", "cases", "reachability", "curves", "distributions", "calibrated",
    "rules", "importance", "tree", "the-data", "columns", "reproduce",
]  # fmt: skip
VOID = {"meta", "input", "br", "link", "img"}


class Reader(HTMLParser):
    """Collects elements, and what does not close."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.attributes, self.texts = [], [], [], {}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.attributes += [(tag, name, value) for name, value in attrs]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts[self.open[-1] if self.open else ""] = (
            self.texts.get(self.open[-1] if self.open else "", "") + data
        )


@pytest.mark.parametrize("case", [binary, nasty, wine])
def test_the_page_is_well_formed_and_has_all_sections(case):
    reader = Reader(render(case().summary))
    assert reader.open == []
    ids = [value for _, name, value in reader.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    assert [value for value in ids if value in SECTIONS] == SECTIONS
    wanted = [v for tag, name, v in reader.attributes if (tag, name) == ("label", "for")]
    assert set(wanted) <= set(ids)


@pytest.mark.parametrize("case", [binary, nasty])
def test_nothing_is_loaded_and_no_style_or_handler_is_inline(case):
    reader = Reader(render(case().summary))
    for tag, name, value in reader.attributes:
        assert name not in ("src", "srcset", "style", "action", "data", "poster"), (tag, value)
        assert not name.startswith("on"), (tag, name)
        if name == "href":
            assert value.startswith("#")
    assert not {"link", "img", "iframe", "object", "embed", "base", "form"} & set(reader.tags)


def test_the_policy_allows_this_script_and_this_style_only():
    page = render(binary().summary)
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)[1]
    script = re.search(r"<script>(.*?)</script>", page, re.DOTALL)[1]
    policy = next(
        v for tag, name, v in Reader(page).attributes if tag == "meta" and name == "content"
    )
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    for text, kind in ((style, "style-src"), (script, "script-src")):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind} 'sha256-{digest}'" in policy


def test_names_that_look_like_markup_stay_text():
    page = render(nasty().summary)
    assert NASTY not in page
    assert "</script><b" not in page
    assert "onmouseover=alert(1)>" not in page
    assert "49" not in re.sub(r"[\d.]{3,}", "", Reader(page).texts["h1"])  # {{ 7 * 7 }}
    reader = Reader(page)
    assert reader.texts["h1"].strip() == NASTY
    data = re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1]
    assert json.loads(data)["models"][0]["name"] == f"tree {NASTY}"
    assert not re.search("[<>&\u2028\u2029]", data)


def test_the_page_is_small_and_the_same_every_time():
    page = render(binary().summary)
    assert len(page.encode()) < 400_000
    assert render(json.loads(json.dumps(binary().summary))) == page


def test_sections_are_labelled_out_of_fold():
    page = render(binary().summary)
    for section in ("ranking", "operating", "reachability", "curves", "distributions"):
        head = re.search(rf'<section id="{section}">\s*<h2>(.*?)</h2>', page, re.DOTALL)[1]
        assert "out-of-fold" in head


def test_failed_models_are_shown_with_their_error():
    page = render(binary().summary)
    assert "<b>broken</b> failed on 6 of 6 folds: ValueError: cannot fit" in page


def test_a_summary_of_another_format_is_refused():
    with pytest.raises(ValueError, match="format 99; expected format 3"):
        render({**binary().summary, "format": 99})


def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    path = write(binary().summary, tmp_path / "report.html")
    assert path.read_text(encoding="utf-8") == render(binary().summary)
    before = path.stat().st_mode
    monkeypatch.setattr("pathlib.Path.replace", lambda *_: (_ for _ in ()).throw(OSError("full")))
    with pytest.raises(OSError, match="full"):
        write(nasty().summary, path)
    assert path.read_text(encoding="utf-8") == render(binary().summary)
    assert [p.name for p in tmp_path.iterdir()] == ["report.html"]
    assert before & 0o444 == 0o444


def test_without_jinja2_the_message_says_what_to_install():
    code = """
import sys
sys.modules["jinja2"] = None
from rarewood import report
try:
    report.render({"format": 3})
except ImportError as error:
    print("pip install 'rarewood[report]'" in str(error))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"

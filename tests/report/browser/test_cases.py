"""The cases of the report in a real browser: they follow the model and the threshold."""

from __future__ import annotations

import pytest

from rarewood.report import write
from support.reported import NASTY, binary, nasty


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cases")
    cases = {"binary": binary, "nasty": nasty}
    return {name: write(case().summary, folder / f"{name}.html") for name, case in cases.items()}


def cases_of(name):
    return next(one for one in binary().summary["cases"]["models"] if one["name"] == name)


def shown(seen, kind):
    return seen.page.locator(f"#cases-{kind}-list summary b").all_inner_texts()


@pytest.mark.parametrize("name", ["forest", "svm", "logistic"])
def test_they_follow_the_model(visit, pages, name):
    seen = visit(pages["binary"])
    seen.choose(name)
    for kind in ("alerts", "misses", "false_alarms"):
        assert shown(seen, kind) == [f"row {int(one['row']) + 1}" for one in cases_of(name)[kind]]


def test_a_case_says_why_and_shows_similar_rows(visit, pages):
    seen = visit(pages["binary"])
    seen.choose("forest")
    first, rows = cases_of("forest")["misses"][0], binary().summary["cases"]["rows"]
    seen.page.locator("#cases-misses-list summary").first.click()
    case = seen.page.locator("#cases-misses-list .case").first
    text = case.inner_text()
    assert "; ".join(reason["text"] for reason in first["reasons"][:3]) in text
    columns = case.locator("table").first.locator("tbody th").all_inner_texts()
    reasons = [reason["column"] for reason in first["reasons"]]
    assert columns[1 : len(reasons) + 1] == reasons
    near = case.locator("table").nth(1).locator("tbody tr").all_inner_texts()
    names = [f"row {rows[one['row']]['row']}" for one in (first, *first["similar"])]
    assert [line.split("\t")[0] for line in near] == names
    assert [line.split("\t")[3] for line in near[1:]] == [
        f"{one['distance']:.3f}" for one in first["similar"]
    ]


def test_they_are_judged_at_the_threshold(visit, pages):
    seen = visit(pages["binary"])
    seen.choose("forest")
    model = cases_of("forest")
    n = len(binary().model("forest")["curve"]["threshold"])
    for place in (0, n // 3, n - 1):
        seen.move(place)
        threshold = seen.value("#threshold")
        for kind in ("alerts", "misses", "false_alarms"):
            words = seen.page.locator(f"#cases-{kind}-list .verdict-of-case").all_inner_texts()
            rows = binary().summary["cases"]["rows"]
            assert words == [
                {(True, True): "true alert", (True, False): "false alarm",
                 (False, True): "missed", (False, False): "no alert"}[
                    one["score"] >= threshold, rows[one["row"]]["is_rare"]
                ]
                for one in model[kind]
            ]  # fmt: skip
        is_missed = any(one["score"] < threshold for one in model["misses"])
        assert ("No rare row is missed" in seen.text("#cases-misses-note")) != is_missed


def test_a_model_without_scores_has_no_cases(visit, pages):
    seen = visit(pages["binary"])
    seen.choose("labels")
    assert seen.page.locator("#no-cases").is_visible()
    assert not seen.page.locator("#cases-shown").is_visible()
    seen.choose("tree")
    assert seen.page.locator("#cases-shown").is_visible()


def test_names_that_look_like_markup(visit, pages):
    seen = visit(pages["nasty"])
    for summary in seen.page.locator(".case summary").all():
        summary.click()
    assert NASTY in seen.page.locator("#cases").inner_text()
    assert seen.page.locator("#cases [onmouseover]").count() == 0


@pytest.mark.parametrize("width", [390, 1440])
def test_open_cases_fit_the_screen(visit, pages, width):
    seen = visit(pages["binary"], width)
    for summary in seen.page.locator(".case summary").all():
        summary.click()
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= width

"""The report fits the screen, can be read and can be reached, at any width and in both schemes."""

from __future__ import annotations

import time

import pytest


def wait_until(holds, page, seconds=10):
    """Wait without wait_for_function, whose text the page's security policy may refuse to run."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        page.wait_for_timeout(20)


@pytest.mark.parametrize(
    ("case", "width", "scheme"),
    [("binary", 390, "light"), ("binary", 1440, "dark"), ("goal", 1440, "light"),
     ("nasty", 390, "dark"), ("drift", 390, "light")],
)  # fmt: skip
def test_axe_finds_no_serious_problem(visit, pages, case, width, scheme):
    from axe_playwright_python import sync_playwright as axe

    seen = visit(pages[case], width, color_scheme=scheme)
    for name in ["labels", "forest"] if case == "binary" else [None]:
        if name:
            seen.choose(name)
        for details in seen.page.locator("details").all():
            details.evaluate("node => { node.open = true; }")
        found = axe.Axe().run(seen.page).response
        assert len(found["passes"]) > 20
        serious = [
            (one["id"], [node["target"] for node in one["nodes"]])
            for one in found["violations"]
            if one["impact"] in ("serious", "critical")
        ]
        assert serious == []


def test_everything_can_be_reached_and_used_by_keyboard(visit, pages):
    seen = visit(pages["binary"])
    reached = set()
    for _ in range(200):
        seen.page.keyboard.press("Tab")
        found = seen.page.evaluate(
            """() => { const a = document.activeElement;
                 const outline = getComputedStyle(a).outlineStyle;
                 return [a.id || a.dataset.rule || a.tagName, outline]; }"""
        )
        if found[0] == "BODY":
            break
        assert found[1] != "none", found  # the focus is visible
        reached.add(found[0])
    assert {"your-fp", "your-rows", "model", "metric", "slider", "threshold", "best-f",
            "cost-fn", "lowest-cost", "bins", "SUMMARY", "A", "BUTTON"} <= reached  # fmt: skip


@pytest.mark.parametrize("width", [390, 1440])
def test_the_tree_fits_its_frame_or_is_a_list(visit, pages, width):
    seen = visit(pages["wine"], width)
    frame = seen.page.locator("#tree [data-explained]:not([hidden]) .frame")
    items = seen.page.locator("#tree [data-explained]:not([hidden]) .branches li")
    if width == 390:
        assert not frame.is_visible()
        assert items.count() > 3
        assert items.first.is_visible()
    else:
        assert frame.evaluate("one => one.scrollWidth <= one.clientWidth")
        assert frame.evaluate("one => one.scrollHeight <= one.clientHeight")


def test_wide_tables_show_that_they_scroll(visit, pages):
    seen = visit(pages["binary"], 390)
    table = seen.page.locator("#ranking .scroll:has(.measures)")
    assert "more" in table.get_attribute("class")
    table.evaluate("one => { one.scrollLeft = one.scrollWidth; }")
    wait_until(lambda: "more" not in table.get_attribute("class"), seen.page)
    wide = visit(pages["binary"], 1440).page.locator("#calibrated .scroll")
    assert "more" not in wide.get_attribute("class")


@pytest.mark.parametrize("case", ["drift", "nasty", "wine", "goal"])
@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_the_screen(visit, pages, case, width, scheme):
    seen = visit(pages[case], width, color_scheme=scheme)
    for details in seen.page.locator("details").all():
        details.evaluate("node => { node.open = true; }")
    size = seen.page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert size == [width, width]
    drawn = seen.page.inner_html("main")
    assert [word for word in ("NaN", "undefined", "Infinity", "null") if word in drawn] == []
    for chart in (
        "intervals",
        *(["diagram"] if case != "nasty" else []),
        "roc",
        "pr",
        "reach",
        "cost-curve",
        "distribution",
        "calibration",
        f"importances-{seen.page.locator('.importances:visible').get_attribute('id')[-1]}",
    ):
        drawn = seen.page.locator(f"#{chart} svg").bounding_box()
        assert 200 < drawn["width"] <= width
        inside = seen.page.locator(f"#{chart} svg").evaluate(
            """svg => [...svg.querySelectorAll('text')].filter(text => {
                 const [a, b] = [text.getBoundingClientRect(), svg.getBoundingClientRect()];
                 return a.left < b.left - 1 || a.right > b.right + 1 || a.bottom > b.bottom + 1;
               }).map(text => text.textContent)"""
        )
        assert inside == []


def test_the_figures_follow_the_width(visit, pages):
    seen = visit(pages["binary"], 1440)
    before = seen.page.locator("#reach svg").bounding_box()["width"]
    seen.page.set_viewport_size({"width": 390, "height": 800})
    reach = seen.page.locator("#reach svg")
    wait_until(lambda: reach.evaluate("one => one.clientWidth") < 380, seen.page)
    assert seen.page.locator("#reach svg").bounding_box()["width"] < before / 2


@pytest.mark.parametrize("case", ["binary", "nasty", "wine"])
def test_texts_of_the_tree_stay_in_their_boxes(visit, pages, case):
    seen = visit(pages[case])
    outside = seen.page.evaluate(
        """() => {
          const place = one => one.getBoundingClientRect();
          const all = names => [...document.querySelectorAll(names)];
          const shown = "#tree [data-explained]:not([hidden])";
          const boxes = all(`${shown} svg.tree .node`).map(place);
          return all(`${shown} svg.tree .title, ${shown} svg.tree .details`).filter(text => {
            const t = place(text);
            return !boxes.some(b => t.left >= b.left && t.right <= b.right
              && t.top >= b.top && t.bottom <= b.bottom + 1);
          }).map(text => text.textContent);
        }"""
    )
    assert outside == []

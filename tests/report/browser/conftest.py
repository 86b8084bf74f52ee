"""A real, headless Chromium, and pages opened in it from the disk.

Without one the tests are skipped with a reason; with ``RAREWOOD_REQUIRE_BROWSER=1``
they fail instead.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from support.report_pages import write_pages

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# A container has no sandbox for root and may have little shared memory; and nothing is wanted that
# Chromium fetches of its own accord.
FLAGS = [
    "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


def missing(reason: str) -> None:
    if os.environ.get("RAREWOOD_REQUIRE_BROWSER") == "1":
        pytest.fail(f"RAREWOOD_REQUIRE_BROWSER=1, but {reason}.")
    pytest.skip(f"no browser: {reason}")


@pytest.fixture(scope="module")  # Playwright's event loop must not go on under other tests
def browser() -> Iterator[Any]:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError as error:
        missing(f"playwright cannot be imported ({error})")
    found = os.environ.get("RAREWOOD_CHROMIUM") or next(
        filter(None, map(shutil.which, NAMES)), None
    )
    if found is None:
        missing("there is no Chromium; on Debian: apt-get install chromium")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield running
        running.close()


@dataclass
class Visit:
    """An open page, and what happened in it."""

    page: Any
    uri: str
    problems: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def text(self, selector: str) -> str:
        return self.page.locator(selector).inner_text()

    def value(self, selector: str) -> float:
        """The exact number behind what is shown."""
        return float(self.page.locator(selector).get_attribute("data-value"))

    def choose(self, model: str) -> None:
        self.page.select_option("#model", label=model)

    def move(self, place: int) -> None:
        """Move the slider as a hand would."""
        self.page.locator("#slider").evaluate(
            "(slider, to) => { slider.value = to; slider.dispatchEvent(new Event('input')); }",
            place,
        )

    def type(self, selector: str, text: str) -> None:
        self.page.fill(selector, text)
        self.page.locator(selector).dispatch_event("change")


@pytest.fixture
def visit(browser: Any) -> Iterator[Any]:
    """Return a function that opens a file; at the end nothing may have gone wrong."""
    contexts, visits = [], []

    def open_page(path: Path, width: int = 1440, height: int = 900, **options: Any) -> Visit:
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        made = Visit(context.new_page(), path.as_uri())
        visits.append(made)
        made.page.on("pageerror", lambda error: made.problems.append(f"error: {error}"))
        made.page.on(
            "console",
            lambda message: made.problems.append(f"console {message.type}: {message.text}"),
        )
        made.page.on("request", lambda request: made.requests.append(request.url))
        made.page.on("dialog", lambda dialog: made.problems.append(f"dialog: {dialog.message}"))
        made.page.goto(made.uri)
        return made

    yield open_page
    for context in contexts:
        context.close()
    for made in visits:
        assert made.problems == []
        assert made.requests == [made.uri]


@pytest.fixture(scope="session")
def pages(tmp_path_factory: Any) -> dict[str, Path]:
    """Return the files of the reports, by name."""
    return write_pages(tmp_path_factory.mktemp("report"))

"""Picture of the report for the README: the first part of a report in headless Chromium.

Usage: ``python benchmarks/report_picture.py demo-run/report.html``, the report of `make demo`.
Without Chromium the picture stays as it is. `make figures` runs this script.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "_static" / "report.png"
WIDTH, MARGIN, LARGEST = 1100, 4, 200_000
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
LAST = "#ranking svg"  # the picture ends below the first chart of the ranking


def take(report: Path, browser: str) -> None:
    """Write the picture, with a palette of 256 colours."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        page = running.new_page(
            viewport={"width": WIDTH, "height": 900}, device_scale_factor=1.5, color_scheme="light"
        )
        page.goto(report.resolve().as_uri())
        box = page.locator(LAST).first.bounding_box()
        height = box["y"] + box["height"] + MARGIN
        clip = {"x": 0, "y": 0, "width": WIDTH, "height": height}
        page.screenshot(path=PICTURE, full_page=True, clip=clip)
        running.close()
    with Image.open(PICTURE) as image:
        small = image.convert("RGB").quantize(
            256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE
        )
    small.save(PICTURE, optimize=True)
    size = PICTURE.stat().st_size
    if size > LARGEST:
        raise SystemExit(f"{PICTURE.name} has {size:,} bytes; at most {LARGEST:,} are wanted.")
    print(f"{PICTURE.relative_to(ROOT)}: {size:,} bytes")


def main() -> None:
    found = os.environ.get("RAREWOOD_CHROMIUM") or next(
        filter(None, map(shutil.which, BROWSERS)), None
    )
    if found is None:
        print(f"There is no Chromium: {PICTURE.name} stays as it is.")
        return
    take(Path(sys.argv[1]), found)


if __name__ == "__main__":
    main()

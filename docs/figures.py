"""Draw the figures of the gallery: each Python block of ``gallery.md`` runs as it is printed.

The figure that a block leaves open is saved under the name of the image that follows the block, so
the pictures cannot differ from the code. Sphinx runs this (see ``conf.py``); by hand it is
``python docs/figures.py``.
"""

import contextlib
import io
import re
from pathlib import Path

import matplotlib

BLOCK = re.compile(r"^```python\n(.*?)^```$|^!\[[^]]*\]\((generated/[^)]+)\)", re.M | re.S)


def draw(page: Path) -> list[Path]:
    """Run the blocks of a page and save its images; return their paths."""
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    names: dict[str, object] = {"__name__": "__main__"}
    saved = []
    for found in BLOCK.finditer(page.read_text(encoding="utf-8")):
        code, image = found.groups()
        if code is not None:
            plt.close("all")
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(code, str(page), "exec"), names)
            continue
        if not plt.get_fignums():
            raise RuntimeError(f"{page.name}: no block before {image} has drawn a figure.")
        path = page.parent / image
        path.parent.mkdir(parents=True, exist_ok=True)
        plt.gcf().savefig(path, dpi=110)
        saved.append(path)
    plt.close("all")
    return saved


if __name__ == "__main__":
    for path in draw(Path(__file__).parent / "gallery.md"):
        print(path)

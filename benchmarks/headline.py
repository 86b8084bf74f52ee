"""Headline tables and picture of README and docs, from the pages that the benchmarks write.

`python benchmarks/headline.py` reads `docs/benchmarks/accuracy.md` and `large_tables.md`, replaces
the text between `<!-- headline: begin -->` and `<!-- headline: end -->` in README.md and
docs/index.md, and draws `docs/_static/frontier.svg`. `--check` changes nothing, and fails if a
text is out of date. `make figures` runs it.
"""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from common import DOCS, ROOT
from rankings import METRICS, Rows

OURS = "RareForest"
NAMES = {  # models that are on both pages, as people know them
    OURS: "RareForestClassifier",
    "CatBoost": "CatBoost (1,000 rounds)",
    "YdfObliqueForest": "YDF, sparse oblique forest",
    "LightGBM": "LightGBM",
    "HistGradientBoosting": "scikit-learn HistGradientBoosting",
    "XGBoost": "XGBoost",
    "ExtraTrees": "scikit-learn ExtraTrees",
    "RandomForest": "scikit-learn RandomForest",
    "BalancedRandomForest": "imbalanced-learn BalancedRandomForest",
    "LogisticRegression": "logistic regression",
}
SHOWN = ("average precision", "log loss")
PAGES = ("README.md", "docs/index.md")
BLOCK = re.compile(r"(<!-- headline: begin.*?-->\n).*?(<!-- headline: end -->)", re.DOTALL)
N_LOSSES = 3


@dataclass(frozen=True)
class Page:
    """Page of a benchmark: what it says about the runs, and its tables by heading."""

    where: str
    tables: dict[str, pd.DataFrame]

    def starting(self, start: str) -> tuple[str, pd.DataFrame]:
        """Return the heading that starts with a text, and its table."""
        for heading, table in self.tables.items():
            if heading.startswith(start):
                return heading, table
        raise SystemExit(f"The page has no heading '{start} ...'. Its headings: {[*self.tables]}")


def read_page(path: Path) -> Page:
    """Read the first note and the tables of a page that `common.write_report` wrote."""
    head, *sections = re.split(r"^## ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    tables = {}
    for section in sections:
        heading, _, text = section.partition("\n")
        cells = [
            [cell.strip() for cell in line.strip("| ").split(" | ")]
            for line in text.splitlines()
            if line.startswith("| ") and not line.startswith("| ---")
        ]
        tables[heading] = pd.DataFrame(cells[1:], columns=cells[0])
    return Page(head.split("\n\n")[1], tables)


def headline(small: Page, large: Page) -> str:
    """Return the text between the markers."""
    n_small = _number(small.starting("All tables:")[0])
    sizes = large.tables["Rows"].iloc[0]
    parts = [
        _means(small, large),
        f"Means over {n_small} small real tables (2 x 2-fold cross-validation, 100 trees) and over "
        f"{len(sizes)} large ones (one split into halves). All models have the defaults of their "
        'libraries. "Rank" is the mean rank by average precision among all models of the '
        'benchmark; 1 is the best. "Better on" counts the tables on which the model has a higher '
        f"average precision than {NAMES[OURS]}. Best values are bold.",
        _best_ranks(small, large),
        "Average precision on each of the large tables, with losses in bold:",
        _each_large(large, sizes),
        _losses(small),
        f"Small tables: {small.where}\n\nLarge tables: {large.where}",
    ]
    return "\n\n".join(parts)


def _means(small: Page, large: Page) -> str:
    rows: Rows = [{"model": shown} for shown in NAMES.values()]
    for size, page, start in (("small", small, "All tables:"), ("large", large, "Means and")):
        table = page.starting(start)[1].set_index("model").loc[list(NAMES)]
        for metric in SHOWN:
            values = [f"{float(value):.3f}" for value in table[metric]]
            best = min(values) if metric == "log loss" else max(values)
            for row, value in zip(rows, values, strict=True):
                row[f"{metric}, {size}"] = f"**{value}**" if value == best else value
            if metric == SHOWN[0]:
                ranks = [f"{float(value):.1f}" for value in table[f"{metric}, rank"]]
                for row, rank in zip(rows, ranks, strict=True):
                    row[f"rank, {size}"] = f"**{rank}**" if rank == min(ranks, key=float) else rank
        for row, model in zip(rows, NAMES, strict=True):
            row[f"better on, {size}"] = "" if model == OURS else _better(page, model)
    return markdown(rows)


def _better(page: Page, model: str) -> str:
    """Return on how many tables a peer has the higher average precision."""
    table = _pairs(page)
    peers = table["peer"].str.removesuffix(" (best peer)")
    line = table[(table["metric"] == SHOWN[0]) & (peers == model)].iloc[0]
    counts = [int(n) for n in line["wins/draws/losses"].split("/")]
    return f"{counts[2]}/{sum(counts)}"


def _pairs(page: Page) -> pd.DataFrame:
    for start in ("All tables", ""):
        for heading, table in page.tables.items():
            if heading.startswith(start) and f"{OURS} against each peer" in heading:
                return table
    raise SystemExit(f"The page does not compare {OURS} with its peers.")


def _best_ranks(small: Page, large: Page) -> str:
    """Return the model of the best mean rank, for every metric."""
    found = []
    for size, page, start in (("small", small, "All tables:"), ("large", large, "Means and")):
        ranks = page.starting(start)[1].set_index("model")
        best: dict[str, list[str]] = {}
        for metric in METRICS.values():
            first = ranks[f"{metric}, rank"].astype(float).idxmin()
            best.setdefault(first, []).append(metric)
        said = [f"{NAMES.get(model, model)} in {_listed(best[model])}" for model in best]
        found.append(f"Best mean rank on the {size} tables: {'; '.join(said)}.")
    return " ".join(found)


def _each_large(large: Page, sizes: pd.Series) -> str:
    values = large.tables["Average precision"].set_index("model").astype(float)
    rows: Rows = []
    for table, size in sizes.items():
        column = values[table]
        others = column.drop(OURS)
        lead = column[OURS] - others.max()
        rows.append(
            {
                "table": str(table),
                "rows": size,
                NAMES[OURS]: f"{column[OURS]:.3f}",
                "LightGBM": f"{column['LightGBM']:.3f}",
                "CatBoost": f"{column['CatBoost']:.3f}",
                f"best of {len(others)} others": f"{others.max():.3f} ({others.idxmax()})",
                "difference": f"{lead:+.4f}" if lead >= 0 else f"**{lead:+.4f}**",
            }
        )
    return markdown(rows)


def _losses(small: Page) -> str:
    pairs = _pairs(small)
    best = pairs[(pairs["metric"] == SHOWN[0]) & pairs["peer"].str.endswith(" (best peer)")]
    peer = best["peer"].iloc[0].removesuffix(" (best peer)")
    start = f"All tables: largest losses to {peer}, the best peer by {SHOWN[0]}"
    listed = [
        f"`{row['table']}` ({row[OURS]} against {row[peer]})"
        for _, row in small.starting(start)[1].head(N_LOSSES).iterrows()
    ]
    return (
        f"The largest losses on small tables, in average precision to {peer}, the best peer: "
        f"{_listed(listed)}."
    )


def _number(heading: str) -> int:
    return int(re.search(r"(\d+) tables", heading).group(1))


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def markdown(rows: Rows) -> str:
    """Return rows as a Markdown table."""
    columns = list(rows[0])
    lines = ["| " + " | ".join(columns) + " |", "|" + "|".join(" --- " for _ in columns) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row[c] for c in columns) + " |" for row in rows])


def replaced(text: str, block: str) -> str:
    """Return a page with the text between its markers replaced."""
    if not BLOCK.search(text):
        raise SystemExit(
            "The page has no markers '<!-- headline: begin ... -->' and '... end -->'."
        )
    return BLOCK.sub(lambda match: f"{match[1]}{block}\n{match[2]}", text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fail if a text is out of date")
    options = parser.parse_args()
    small, large = read_page(DOCS / "accuracy.md"), read_page(DOCS / "large_tables.md")
    block = headline(small, large)
    stale = []
    for name in PAGES:
        text = (ROOT / name).read_text(encoding="utf-8")
        if replaced(text, block) != text:
            stale.append(name)
            if not options.check:
                (ROOT / name).write_text(replaced(text, block), encoding="utf-8")
    if options.check:
        sys.exit(f"Out of date: {', '.join(stale)}. Run: make figures" if stale else None)
    from frontier import draw

    draw(small, large, NAMES, OURS, ROOT / "docs" / "_static" / "frontier.svg")
    print(block)


if __name__ == "__main__":
    main()

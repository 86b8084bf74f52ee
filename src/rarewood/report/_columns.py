"""The columns of a table by class: histograms, rates of the rare class, and association."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from rarewood.evaluate import holm
from rarewood.operating._point import wilson
from rarewood.report._plain import text
from rarewood.table._frames import all_series

Codes = NDArray[np.int64]
Flags = NDArray[np.bool_]

_N_BARS, _N_GROUPS = 20, 6
_MISSING, _OTHERS = "missing", "others"
_TRIM = 0.5  # percent of the values beyond each end of a histogram, which count in its end bars


@dataclass(frozen=True, eq=False)
class Column:
    """A column as numbers (NaN if missing) or as texts (None if missing)."""

    name: str
    values: NDArray[Any]
    is_numeric: bool

    @property
    def is_missing(self) -> Flags:
        """Whether each value is missing."""
        if self.is_numeric:
            return np.asarray(np.isnan(self.values))
        return np.array([value is None for value in self.values], dtype=bool)

    def rows(self, chosen: NDArray[np.intp]) -> Column:
        """Return some rows."""
        return Column(self.name, self.values[chosen], self.is_numeric)


def read_columns(X: Any) -> list[Column]:
    """Return the columns of a DataFrame or a matrix."""
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        matrix = np.asarray(X)
        return [_column(f"feature_{j}", matrix[:, j].tolist()) for j in range(matrix.shape[1])]
    found = []
    for series in all_series(frame):
        name = text(series.name)
        if series.dtype.is_numeric():
            values = series.cast(nw.Float64).to_numpy()
            found.append(Column(name, np.asarray(values, dtype=np.float64), True))
        else:
            found.append(_texts(name, series.to_list()))
    return found


def _column(name: str, values: list[Any]) -> Column:
    try:
        return Column(name, np.asarray(values, dtype=np.float64), True)
    except (TypeError, ValueError):  # an array of objects
        return _texts(name, values)


def _texts(name: str, values: list[Any]) -> Column:
    texts = [None if v is None or v != v else text(v) for v in values]
    return Column(name, np.array(texts, dtype=object), False)


@dataclass(frozen=True, eq=False)
class Bins:
    """Disjoint groups of the values of a column, with their labels.

    Numeric columns have ``edges``, the lowest values of all groups but the first; other columns the
    ``known`` values. Missing values are the last group, before them are all other values of a
    column that is not numeric.
    """

    labels: list[str]
    edges: NDArray[np.float64] | None = None
    known: dict[str, int] | None = None

    @classmethod
    def of(cls, column: Column, n_groups: int = _N_GROUPS) -> Bins:
        """Group the values: a few distinct ones, or about equal numbers of rows."""
        if not column.is_numeric:
            names, counts = np.unique(column.values[~column.is_missing].astype(str),
                                      return_counts=True)  # fmt: skip
            order = np.argsort(-counts, kind="stable")[:n_groups].tolist()
            known = {str(names[place]): k for k, place in enumerate(order)}
            return cls([*known, _OTHERS, _MISSING], known=known)
        values = column.values[~column.is_missing]
        distinct = np.unique(values)
        if len(distinct) <= n_groups:
            return cls([*map(_number, distinct), _MISSING], edges=distinct[1:])
        cuts = np.quantile(values, np.arange(1, n_groups) / n_groups, method="higher")
        edges = np.unique(cuts)
        edges = edges[edges > distinct[0]]
        ends = [_number(edge) for edge in edges]
        labels = [f"< {ends[0]}"] if ends else ["all"]
        labels += [f"{low} to < {high}" for low, high in pairwise(ends)]
        labels += [f"≥ {ends[-1]}"] if ends else []
        return cls([*labels, _MISSING], edges=edges)

    def codes(self, column: Column) -> Codes:
        """Return the group of each value; the column may be that of another table."""
        last = len(self.labels) - 1
        if self.known is not None:
            return np.array(
                [last if v is None else self.known.get(str(v), last - 1) for v in column.values],
                dtype=np.int64,
            )
        assert self.edges is not None
        codes = np.searchsorted(self.edges, column.values, side="right").astype(np.int64)
        return np.where(column.is_missing, last, codes)

    def counts(self, column: Column) -> Codes:
        """Return the number of values in each group."""
        return np.bincount(self.codes(column), minlength=len(self.labels))


def _number(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() and abs(value) < 1e15 else f"{value:,.4g}"


def describe_columns(X: Any, is_rare: Flags) -> list[dict[str, Any]]:
    """Return for each column how it differs between the rare class and the other rows.

    "histogram" has "edges" or "labels" and the fractions of "rare" and "rest" in each bar; "rates"
    the rate of the rare class by value, with 95% Wilson intervals; "association" is the Hellinger
    distance of both classes over the groups of the rates, between 0 and 1, "p_value" that of the
    chi-squared test on the same counts, adjusted by Holm for the number of columns.
    """
    columns = read_columns(X)
    found = [_describe(column, is_rare) for column in columns]
    tested = [one["p_value"] for one in found if one["p_value"] is not None]
    adjusted = iter(holm(tested).tolist() if tested else [])
    for one in found:
        one["p_value"] = None if one["p_value"] is None else float(next(adjusted))
    return found


def _describe(column: Column, is_rare: Flags) -> dict[str, Any]:
    bins = Bins.of(column)
    codes = bins.codes(column)
    n_rare = np.bincount(codes[is_rare], minlength=len(bins.labels))
    n = np.bincount(codes, minlength=len(bins.labels))
    rates = []
    for k in np.flatnonzero(n).tolist():
        low, high = wilson(n_rare[k] / n[k], float(n[k]), 0.95)
        rates.append(
            {"label": bins.labels[k], "n": int(n[k]), "n_rare": int(n_rare[k]),
             "rate": float(n_rare[k] / n[k]), "low": low, "high": high}
        )  # fmt: skip
    return {
        "histogram": _histogram(column, is_rare),
        "rates": rates,
        "association": hellinger(n_rare, n - n_rare),
        "p_value": chi_squared(n_rare, n - n_rare),
    }


def _histogram(column: Column, is_rare: Flags) -> dict[str, Any] | None:
    """Return the fractions of both classes in each bar; None without values."""
    present = ~column.is_missing
    if not present.any():
        return None
    if not column.is_numeric:
        bins = Bins.of(column, 2 * _N_GROUPS)
        used, codes = np.unique(bins.codes(column), return_inverse=True)
        labels = [bins.labels[k] for k in used.tolist()]
        return {"labels": labels} | _fractions(codes, is_rare, len(labels))
    edges = bar_edges(column.values[present])
    codes = np.searchsorted(edges[1:-1], column.values, side="right")
    return {"edges": edges.tolist()} | _fractions(codes[present], is_rare[present], len(edges) - 1)


def bar_edges(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the edges of bars of equal width; extreme values count in the end bars."""
    finite = values[np.isfinite(values)]
    low, high = np.percentile(finite, [_TRIM, 100 - _TRIM]) if len(finite) else (0.0, 0.0)
    if high <= low:
        low, high = low - 0.5, high + 0.5
    return np.linspace(low, high, _N_BARS + 1)


def _fractions(codes: Any, is_rare: Flags, n_bars: int) -> dict[str, list[float]]:
    parts = {"rare": codes[is_rare], "rest": codes[~is_rare]}
    return {
        name: np.round(np.bincount(part, minlength=n_bars) / max(len(part), 1), 4).tolist()
        for name, part in parts.items()
    }


def hellinger(first: Codes, second: Codes) -> float | None:
    """Return the Hellinger distance of two distributions of counts: 0 if equal, 1 if disjoint."""
    if not first.sum() or not second.sum():
        return None
    overlap = np.sqrt(first / first.sum() * (second / second.sum())).sum()
    return float(np.sqrt(max(0.0, 1.0 - overlap)))


def chi_squared(first: Codes, second: Codes) -> float | None:
    """Return the p-value of the test that two distributions of counts are equal."""
    from scipy.stats import chi2_contingency

    counts = np.array([first, second])
    counts = counts[:, counts.sum(axis=0) > 0]
    if counts.shape[1] < 2 or not counts.sum(axis=1).all():
        return None
    return float(chi2_contingency(counts).pvalue)

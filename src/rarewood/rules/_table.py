"""Rules as a table: columns, order and selection."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from rarewood.export._wording import Wording
from rarewood.rules._conditions import Condition
from rarewood.rules._words import describe
from rarewood.table._schema import Schema

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class RuleTable:
    """The part of a :class:`RuleSet` that is a table.

    ``counts`` are the samples of each class that a rule covers and ``totals`` all samples of each
    class (n_rules x n_classes), ``about`` is the index of the class that a rule is for, ``prior``
    the prediction for samples without a rule, and ``measures`` are the computed columns. Rules of
    several trees (``is_forest``) overlap.
    """

    conditions: list[tuple[Condition, ...]]
    counts: NDArray[np.int64]
    totals: NDArray[np.int64]
    about: NDArray[np.intp]
    probabilities: Floats
    depth: NDArray[np.int64]
    n_trees: NDArray[np.int64]
    measures: dict[str, NDArray[Any]]
    schema: Schema
    classes: NDArray[Any]
    prior: Floats
    wording: Wording
    backend: str = "pandas"
    is_forest: bool = False
    counted_on: str = "training"

    def __len__(self) -> int:
        return len(self.conditions)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)} rules, counted on {self.counted_on} samples)"

    def _repr_html_(self) -> str | None:
        """Return the table for notebooks; None if its library has no HTML, for the text."""
        try:
            return str(self.to_frame()._repr_html_())
        except (ImportError, AttributeError):
            return None

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            if key not in self.columns:
                raise KeyError(f"no column {key!r}; the columns are {', '.join(self.columns)}.")
            return self._columns[key]
        if not isinstance(key, slice):
            key = np.atleast_1d(np.asarray(key))
            key = key if key.size else key.astype(np.intp)
        places = np.arange(len(self))[key]
        return self._take(places)

    def _take(self, places: NDArray[np.intp]) -> Self:
        arrays = ("counts", "totals", "about", "probabilities", "depth", "n_trees")
        return replace(
            self,
            conditions=[self.conditions[place] for place in places],
            measures={name: values[places] for name, values in self.measures.items()},
            **{name: getattr(self, name)[places] for name in arrays},
        )

    @property
    def columns(self) -> list[str]:
        """Names of the columns of the table."""
        return list(self._columns)

    @cached_property
    def _columns(self) -> dict[str, NDArray[Any]]:
        supports = {
            f"support_{label}": self.counts[:, number] for number, label in enumerate(self.classes)
        }
        before, p_values = dict(self.measures), {}
        for name in ("p_value", "p_holm", "p_bh"):
            p_values[name] = before.pop(name)
        return {
            "rule": np.array(self.texts(), dtype=object),
            "class": self.classes[self.about],
            "support": self.counts.sum(axis=1),
            **supports,
            **before,
            "probability": self.probabilities[np.arange(len(self)), self.about],
            **p_values,
            "depth": self.depth,
            "n_trees": self.n_trees,
        }

    def texts(self, show_missing: bool | None = None) -> list[str]:
        """Return the conditions of each rule as text.

        Parameters
        ----------
        show_missing : bool, default=None
            Mark conditions that missing values satisfy. By default if training had missing values.

        Returns
        -------
        texts : list of str
            One text per rule.
        """
        shows = self.schema.has_missing if show_missing is None else show_missing
        return [describe(path, self.schema, self.wording, shows) for path in self.conditions]

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the table as a DataFrame.

        Parameters
        ----------
        backend : str, default=None
            Library supported by narwhals, such as "pandas", "polars" or "pyarrow". By default the
            one passed to :func:`extract`.

        Returns
        -------
        frame : DataFrame
            One row per rule.
        """
        import narwhals.stable.v2 as nw

        chosen: Any = self.backend if backend is None else backend
        try:
            return nw.from_dict(self._columns, backend=chosen).to_native()
        except ImportError as error:
            raise ImportError(
                f"backend={chosen!r} is not installed. Install it, or choose another backend, such "
                "as 'pandas', 'polars' or 'pyarrow'."
            ) from error

    def sort(self, by: str = "p_value", *, descending: bool | None = None) -> Self:
        """Sort the rules by a column.

        Parameters
        ----------
        by : str, default="p_value"
            A column. Ties are in descending order of strength.
        descending : bool, default=None
            Whether the largest value comes first. By default for all columns but p-values, depth,
            rule and class.

        Returns
        -------
        rules : RuleSet
            The sorted rules.
        """
        values = self[by]
        if descending is None:
            descending = not by.startswith("p_") and by not in ("depth", "rule", "class")
        ranks = np.unique(
            values.astype(str) if values.dtype == object else values, return_inverse=True
        )[1].ravel()
        order = np.lexsort([-self.measures["strength"], -ranks if descending else ranks])
        return self._take(order)

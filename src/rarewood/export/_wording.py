"""Text of the conditions of a tree, for texts, rules and diagrams."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np

_MOST_CATEGORIES = 10  # shown of a set
COORDINATES = "Conditions are on the coordinates of bins, which replace the values of features."


def tree_view(tree: Any, function: str) -> Any:
    """Return ``tree_`` of a fitted estimator, or the argument itself if it is one.

    ``function`` is the name of the public function, for the error message.
    """
    if hasattr(tree, "estimators_"):
        raise TypeError(
            f"{type(tree).__name__} has {len(tree.estimators_)} trees. Pass one of them, such as "
            f"{function}(forest.estimators_[0])."
        )
    view = getattr(tree, "tree_", tree)
    if not hasattr(view, "first_child"):
        raise TypeError(f"Expected a fitted RareTreeClassifier or its tree_, got {tree!r}.")
    return view


def given_names(given: Sequence[str] | None, default: Sequence[Any], what: str) -> list[str]:
    """Return the given or the default names; an error if their number is wrong."""
    names = [str(name) for name in (default if given is None else given)]
    if len(names) != len(default):
        raise ValueError(f"{what} must have {len(default)} names, got {len(names)}.")
    return names


@dataclass(frozen=True)
class Wording:
    """Formats conditions with the names of features and a number of decimals."""

    feature_names: list[str]
    decimals: int = 2

    @classmethod
    def of(cls, view: Any, feature_names: Sequence[str] | None = None, decimals: int = 2) -> Self:
        """Return the wording for a tree, by default with the names of its training data."""
        return cls.of_table(view.schema, feature_names, decimals)

    @classmethod
    def of_table(
        cls, schema: Any, feature_names: Sequence[str] | None = None, decimals: int = 2
    ) -> Self:
        """Return the wording for the features of a training table."""
        default = schema.names
        if default is None:
            default = [f"feature_{index}" for index in range(schema.n_features)]
        return cls(given_names(feature_names, default, "feature_names"), decimals)

    def question(
        self, view: Any, node: int, show_missing: bool | Literal["auto"] = False
    ) -> tuple[str, list[str]]:
        """Return the subject of a split, and the answer that leads to each child.

        The subject is a feature or a weighted sum; an answer is such as ``"<= 45.00"``.
        ``show_missing`` is that of :func:`export_text`.
        """
        terms, answers = view.plane_terms(node), self._answers(view, node)
        subject = self.weighted_sum(terms) if terms else self.feature_names[view.feature[node]]
        missing = int(view.missing_child[node])
        has_child = missing >= 0 and _shows_missing(view, node, show_missing)
        if has_child and answers[missing] != "is missing":
            answers[missing] += " or missing"
        return subject, answers

    def _answers(self, view: Any, node: int) -> list[str]:
        threshold = float(view.threshold[node])
        if np.isposinf(threshold):
            return ["is present", "is missing"]
        if np.isnan(threshold):
            return [one_of(values) for values in view.category_sets(node)]
        is_plane = bool(view.plane_terms(node))
        cut = self.significant(threshold) if is_plane else self.number(threshold)
        return [f"<= {cut}", f"> {cut}"]

    def weighted_sum(self, terms: list[tuple[int, float]]) -> str:
        """Return the weighted sum of a hyperplane."""
        text = ""
        for feature, weight in terms:
            sign = "-" if weight < 0 else "+"
            term = f"{self.significant(abs(weight))}*{self.feature_names[feature]}"
            text += f" {sign} {term}" if text else f"{sign.strip('+')}{term}"
        return text

    def significant(self, value: float) -> str:
        """Return a number with a fixed number of significant digits."""
        is_large = 10.0**self.decimals <= abs(value) < 1e15
        return self.number(value) if is_large else f"{value:#.{self.decimals + 1}g}"

    def number(self, value: float) -> str:
        """Return a number with fixed decimals, or in scientific notation if that would lose it."""
        fixed = f"{value:.{self.decimals}f}"
        is_lost = value != 0 and abs(value) < 10.0**-self.decimals
        return f"{value:.{self.decimals}e}" if is_lost or abs(value) >= 1e15 else fixed


def _shows_missing(view: Any, node: int, show_missing: bool | Literal["auto"]) -> bool:
    if show_missing != "auto":
        return show_missing
    first, n_children = int(view.first_child[node]), int(view.n_children[node])
    sizes = view.weighted_counts[first : first + n_children].sum(axis=1)
    return bool(view.schema.has_missing or sizes[view.missing_child[node]] < sizes.max())


def one_of(values: Sequence[Any], *, negated: bool = False) -> str:
    """Return the text of a set of categories, or of its complement; "is missing" without any."""
    if not len(values):
        return "is missing"
    if len(values) == 1:
        return f"{'!=' if negated else '='} {_label(values[0])}"
    shown = ", ".join(map(_label, values[:_MOST_CATEGORIES]))
    rest = len(values) - _MOST_CATEGORIES
    return f"{'not in' if negated else 'in'} {{{shown}{f', and {rest} more' if rest > 0 else ''}}}"


def _label(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else " ".join(str(value).splitlines())

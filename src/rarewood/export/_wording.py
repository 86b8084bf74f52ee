"""How the conditions of a tree are put into words, in texts, rules and drawings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np

__all__ = ["Wording", "given_names", "one_of", "tree_view"]

_MOST_CATEGORIES = 10  # shown of one set


def tree_view(tree: Any, function: str) -> Any:
    """Return the view of a fitted tree, which may be given as the estimator or as its ``tree_``.

    Parameters
    ----------
    tree : RareTreeClassifier or FittedTree
        A fitted estimator, or its ``tree_``.
    function : str
        Name of the function that was called, for the messages.

    Returns
    -------
    view : FittedTree
        The arrays of the tree.
    """
    if hasattr(tree, "estimators_"):
        raise TypeError(
            f"{type(tree).__name__} has {len(tree.estimators_)} trees. Choose one, for example "
            f"{function}(forest.estimators_[0])."
        )
    view = getattr(tree, "tree_", tree)
    if not hasattr(view, "first_child"):
        raise TypeError(f"Expected a fitted RareTreeClassifier or its tree_, got {tree!r}.")
    return view


def given_names(given: Sequence[str] | None, default: Sequence[Any], what: str) -> list[str]:
    """Return names as they were given, or by default; an error if there are too many or too few."""
    names = [str(name) for name in (default if given is None else given)]
    if len(names) != len(default):
        raise ValueError(f"{what} must hold {len(default)} names, got {len(names)}.")
    return names


@dataclass(frozen=True)
class Wording:
    """Puts conditions into words.

    Parameters
    ----------
    feature_names : list of str
        Names of the columns.
    decimals : int, default=2
        Digits after the point. The numbers of a hyperplane have one more significant digit than
        that, wherever the point is.
    """

    feature_names: list[str]
    decimals: int = 2

    @classmethod
    def of(cls, view: Any, feature_names: Sequence[str] | None = None, decimals: int = 2) -> Self:
        """Return the wording for a tree, by default with the names of its training table."""
        default = view.schema.names
        if default is None:
            default = [f"feature_{index}" for index in range(view.n_features)]
        return cls(given_names(feature_names, default, "feature_names"), decimals)

    def branches(self, view: Any, node: int) -> list[str]:
        """Return what a row must satisfy to follow each child of a node, missing values aside."""
        subject, answers = self.question(view, node)
        return [f"{subject} {answer}" for answer in answers]

    def question(
        self, view: Any, node: int, show_missing: bool | Literal["auto"] = False
    ) -> tuple[str, list[str]]:
        """Return what a node looks at, and the answer that leads to each of its children.

        Parameters
        ----------
        view : FittedTree
            The tree.
        node : int
            A node that is not a leaf.
        show_missing : bool or "auto", default=False
            Say which answer missing values count as. "auto" says it if there were missing values in
            training, and wherever they do not follow the larger branch.

        Returns
        -------
        subject : str
            A column, or the weighted sum of a hyperplane.
        answers : list of str
            Such as ``"<= 45.00"``; subject and answer together are a condition.
        """
        subject, answers = self._subject(view, node), self._answers(view, node)
        missing = int(view.missing_child[node])
        if _tells_missing(view, node, show_missing) and answers[missing] != "is missing":
            answers[missing] += " or missing"
        return subject, answers

    def _subject(self, view: Any, node: int) -> str:
        terms = view.plane_terms(node)
        return self.weighted_sum(terms) if terms else self.feature_names[int(view.feature[node])]

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
        """Return a number with a fixed number of digits after the point, unless that loses it."""
        fixed = f"{value:.{self.decimals}f}"
        is_lost = value != 0 and abs(value) < 10.0**-self.decimals
        return f"{value:.{self.decimals}e}" if is_lost or abs(value) >= 1e15 else fixed


def _tells_missing(view: Any, node: int, show_missing: bool | Literal["auto"]) -> bool:
    if show_missing != "auto":
        return show_missing
    first, n_children = int(view.first_child[node]), int(view.n_children[node])
    sizes = view.weighted_counts[first : first + n_children].sum(axis=1)
    return bool(view.schema.has_missing or sizes[view.missing_child[node]] < sizes.max())


def one_of(values: Sequence[Any], *, negated: bool = False) -> str:
    """Return that a column has one of some categories, or none of them; without any, is missing."""
    if not len(values):
        return "is missing"
    if len(values) == 1:
        return f"{'!=' if negated else '='} {_label(values[0])}"
    shown = ", ".join(map(_label, values[:_MOST_CATEGORIES]))
    rest = len(values) - _MOST_CATEGORIES
    return f"{'not in' if negated else 'in'} {{{shown}{f', and {rest} more' if rest > 0 else ''}}}"


def _label(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else " ".join(str(value).splitlines())

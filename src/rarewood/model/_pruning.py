"""Ways of pruning, with their parameters."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from numbers import Real
from typing import Any, ClassVar


@dataclass(frozen=True)
class Fisher:
    """Pruning by Fisher's exact test, as in CCPDT.

    Every inner node below the root is a rule, "the sample reaches this node", for the class of
    which the largest fraction reaches it. A branch is kept if its rule, or that of an inner node
    below it, is significant; otherwise it becomes a leaf. The result does not depend on how rare
    the class is.

    Parameters
    ----------
    p_value : float, default=0.01
        Significance level, from 0 to 1: a rule is significant if its p-value is below it. Smaller
        values prune more.
    test_leaves : bool, default=False
        Whether a significant leaf keeps a branch, too. The papers test inner nodes only.

    Examples
    --------
    >>> from rarewood import RareTreeClassifier
    >>> from rarewood.pruning import Fisher
    >>> RareTreeClassifier(pruning=Fisher(p_value=0.001))
    RareTreeClassifier(pruning=Fisher(p_value=0.001, test_leaves=False))
    """

    name: ClassVar[str] = "fisher"
    p_value: float = 0.01
    test_leaves: bool = False

    def __post_init__(self) -> None:
        _check(self, "p_value", 0, 1, "CCPDT uses 0.01.")
        if not isinstance(self.test_leaves, bool):
            raise TypeError(f"test_leaves must be True or False; got {self.test_leaves!r}.")


@dataclass(frozen=True)
class Error:
    """Pruning by the expected number of errors, as in C4.5.

    A branch becomes a leaf where the leaf is not expected to make more errors than the branch. The
    estimate is the more pessimistic the fewer samples there are. With a rare class this often
    leaves only the root.

    Parameters
    ----------
    confidence : float, default=0.25
        Confidence factor, above 0 and at most 0.5. Smaller values prune more.

    Examples
    --------
    >>> from rarewood.pruning import Error
    >>> Error(confidence=0.1)
    Error(confidence=0.1)
    """

    name: ClassVar[str] = "error"
    confidence: float = 0.25

    def __post_init__(self) -> None:
        _check(self, "confidence", 0, 0.5, "C4.5 uses 0.25.", is_open=True)


@dataclass(frozen=True)
class CostComplexity:
    """Cost-complexity pruning, as in CART; the ``ccp_alpha`` of scikit-learn.

    A branch becomes a leaf where its splits reduce the impurity by no more than ``alpha`` for each
    leaf that they add.

    Parameters
    ----------
    alpha : float, default=0.0
        Reduction of the impurity that each leaf must bring, at least 0. Larger values prune more.

    Examples
    --------
    >>> from rarewood.pruning import CostComplexity
    >>> CostComplexity(alpha=0.01)
    CostComplexity(alpha=0.01)
    """

    name: ClassVar[str] = "cost_complexity"
    alpha: float = 0.0

    def __post_init__(self) -> None:
        _check(self, "alpha", 0, float("inf"), "0.0 removes only splits without any effect.")


Method = Fisher | Error | CostComplexity
METHODS: dict[str, type[Method]] = {kind.name: kind for kind in (Fisher, Error, CostComplexity)}


def _check(
    method: Method, name: str, low: float, high: float, hint: str, *, is_open: bool = False
) -> None:
    """Check a number of a method and store it as a float."""
    value = getattr(method, name)
    if not isinstance(value, Real) or isinstance(value, bool):
        raise TypeError(f"{name} must be a number; got {value!r}.")
    number = float(value)
    if not low <= number <= high or (is_open and number == low) or number == float("inf"):
        bounds = f"above {low} and at most {high}" if is_open else f"from {low} to {high}"
        raise ValueError(f"{name}={value!r} must be {bounds}. {hint}")
    object.__setattr__(method, name, number)


def as_method(pruning: Any) -> Method:
    """Return the method with a given name; a method is returned unchanged."""
    if isinstance(pruning, Method):
        return pruning
    if isinstance(pruning, str) and pruning in METHODS:
        return METHODS[pruning]()
    raise ValueError(
        f"pruning must be one of {', '.join(map(repr, METHODS))}, or an object such as "
        f"rarewood.pruning.Fisher(p_value=0.001); got {pruning!r}."
    )


def core_pruning(pruning: Any, criterion: Any) -> dict[str, Any]:
    """Return the arguments of ``_core.Pruning``; none without pruning."""
    if pruning is None:
        return {}
    method = as_method(pruning)
    threshold, *others = astuple(method)
    return {
        "kind": method.name,
        "threshold": threshold,
        "tests_leaves": any(others),
        "impurity": impurity(criterion),
    }


def impurity(criterion: Any) -> str:
    """Return the impurity of cost-complexity pruning for the criterion of a tree."""
    return "entropy" if criterion in ("entropy", "log_loss", "gain_ratio") else "gini"

"""The result of a choice: a threshold, how sure it is, and what it achieves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rarewood.operating._achieved import Achieved
from rarewood.operating._confusion import Confusion
from rarewood.operating._rules import Rule

__all__ = ["OperatingPoint"]


@dataclass(frozen=True, eq=False)
class OperatingPoint:
    """A threshold, how sure it is, and what it achieves.

    Attributes
    ----------
    threshold : float
        Rows with at least this score are alerted.
    interval : tuple of float
        In which the thresholds chosen in resamples lie. NaN without resamples.
    rule : rule
        How it was chosen.
    reached : bool
        Whether it does what the rule asks for, on the rows it was chosen from.
    reached_share : float
        In which share of the resamples the rule could be satisfied.
    counts : Confusion
        Counts of the rows it was chosen from.
    recall, precision, f, alerts_per_1000 : Achieved
        What it achieves: observed, to be expected on new rows, and intervals.
    cost_per_1000 : Achieved or None
        The same of the costs, where there are any.
    pos_label : label
        The rare class.
    beta : float
        Of the F-measure.
    n_bootstrap : int
        Number of resamples.
    confidence : float
        Of all intervals.
    n_left_out : int
        Rows without a score, which were left out; only :class:`ThresholdedClassifier` and
        out-of-bag scores have such.
    """

    threshold: float
    interval: tuple[float, float]
    rule: Rule
    reached: bool
    reached_share: float
    counts: Confusion
    recall: Achieved
    precision: Achieved
    f: Achieved
    alerts_per_1000: Achieved
    cost_per_1000: Achieved | None
    pos_label: Any
    beta: float
    n_bootstrap: int
    confidence: float
    n_left_out: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Return the point in types that JSON knows.

        Returns
        -------
        point : dict
            NaN is written as None.
        """
        named = {
            name: _plain(vars(value))
            for name, value in vars(self).items()
            if isinstance(value, Achieved)
        }
        return {
            "threshold": self.threshold,
            "interval": _plain(self.interval),
            "rule": str(self.rule),
            **{name: getattr(self, name) for name in ("reached", "pos_label", "beta")},
            "reached_share": _plain(self.reached_share),
            "counts": {name: getattr(self.counts, name) for name in ("tp", "fp", "fn", "tn")},
            **named,
            **{name: getattr(self, name) for name in ("n_bootstrap", "confidence", "n_left_out")},
        }

    def __str__(self) -> str:
        sure = f"  [{self.interval[0]:.4g}, {self.interval[1]:.4g}]" if self.n_bootstrap else ""
        lines = [
            f"alert {self.pos_label!r} from {self.threshold:.6g} on{sure}: {self.rule}"
            + ("" if self.reached else ", NOT reached")
        ]
        for name, words in _NAMES.items():
            value = getattr(self, name)
            if value is not None:
                shown = str(value) if self.n_bootstrap else f"{value.observed:.4g} observed"
                lines.append(f"  {words.format(beta=self.beta):<16} {shown}")
        return "\n".join(lines)


_NAMES = {
    "recall": "recall",
    "precision": "precision",
    "f": "F{beta:g}",
    "alerts_per_1000": "alerts per 1000",
    "cost_per_1000": "cost per 1000",
}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return None if value != value else value

"""A chosen threshold, its interval, and its performance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rarewood.operating._achieved import Achieved
from rarewood.operating._confusion import COUNTS, Confusion
from rarewood.operating._rules import Rule

__all__ = ["OperatingPoint"]


@dataclass(frozen=True, eq=False)
class OperatingPoint:
    """A chosen threshold, its interval, and its performance.

    Each measure has the attributes ``observed`` (on the samples that the threshold was chosen on,
    which is optimistic), ``expected`` (on new samples, corrected for the optimism of the choice),
    ``interval`` (of the long-run value on new samples; it accounts for the choice) and
    ``fixed_interval`` (percentiles at a threshold that was set beforehand, too high for a measure
    that was maximised).

    Attributes
    ----------
    threshold : float
        Lowest score that raises an alert.
    interval : tuple of float
        Interval of the thresholds chosen in resamples; NaN without resamples.
    rule : rule
        Rule that it was chosen by.
    reached : bool
        Whether the rule is satisfied on the samples that the threshold was chosen on.
    reached_fraction : float
        Fraction of the resamples in which the rule could be satisfied.
    counts : Confusion
        Counts of the samples that the threshold was chosen on.
    recall, precision, f, alerts_per_1000 : Achieved
        Measures at the threshold.
    cost_per_1000 : Achieved or None
        Cost per 1,000 samples, if there are costs.
    pos_label : label
        The positive class.
    beta : float
        Weight of recall in the F-measure.
    n_bootstrap : int
        Number of resamples.
    confidence : float
        Confidence level of all intervals.
    n_left_out : int
        Samples left out because they had no score (:class:`ThresholdedClassifier` and out-of-bag
        scores only).
    """

    threshold: float
    interval: tuple[float, float]
    rule: Rule
    reached: bool
    reached_fraction: float
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
        """Convert the point to JSON types.

        Returns
        -------
        point : dict
            The attributes, with None for NaN.
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
            "reached_fraction": _plain(self.reached_fraction),
            "counts": {name: getattr(self.counts, name) for name in COUNTS},
            **named,
            **{name: getattr(self, name) for name in ("n_bootstrap", "confidence", "n_left_out")},
        }

    def __str__(self) -> str:
        ends = f" [{self.interval[0]:.4g}, {self.interval[1]:.4g}]" if self.n_bootstrap else ""
        lines = [
            f"alert {self.pos_label!r} if score >= {self.threshold:.6g}{ends}: {self.rule}"
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

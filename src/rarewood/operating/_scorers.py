"""Rules as scorers of scikit-learn, for its own search of thresholds and others."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.metrics import make_scorer

from rarewood.operating._confusion import Confusion
from rarewood.operating._wording import as_rule

__all__ = ["rule_scorer"]


def rule_scorer(by: Any, *, pos_label: Any = 1) -> Any:
    """Make a scorer of a rule, for what takes ``scoring``.

    Parameters
    ----------
    by : str or rule
        As for :func:`choose_threshold`. The score is F; minus the cost of 1,000 rows; or, under a
        limit, the recall (of an alert budget or a floor of precision) or the share of rows that is
        not alerted (of a floor of recall), and where the limit is not kept a negative number that
        says by how much.
    pos_label : label, default=1
        The rare class.

    Returns
    -------
    scorer : callable
        ``scorer(estimator, X, y)``, higher is better.

    Notes
    -----
    :class:`sklearn.model_selection.TunedThresholdClassifierCV` averages the scores of folds. Under
    a limit a fold that breaks it takes part with its negative number, so the limit is kept by the
    folds on the whole, not in each. :class:`ThresholdedClassifier` keeps it on all rows together.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import TunedThresholdClassifierCV
    >>> from rarewood.operating import rule_scorer
    >>> X, y = make_classification(1000, weights=[0.95], random_state=0)
    >>> cheap = TunedThresholdClassifierCV(
    ...     LogisticRegression(), scoring=rule_scorer("cost:fp=1,fn=10")
    ... )
    >>> bool(cheap.fit(X, y).best_threshold_ < 0.5)
    True
    """
    return make_scorer(_score, rule=as_rule(by), pos_label=pos_label)


def _score(
    y_true: Any, y_pred: Any, *, rule: Any, pos_label: Any = 1, sample_weight: Any = None
) -> float:
    is_positive, is_alert = np.asarray(y_true) == pos_label, np.asarray(y_pred) == pos_label
    weights = np.ones(len(is_positive)) if sample_weight is None else np.asarray(sample_weight)
    counts = Confusion(
        tp=float(weights[is_positive & is_alert].sum()),
        fp=float(weights[~is_positive & is_alert].sum()),
        fn=float(weights[is_positive & ~is_alert].sum()),
        tn=float(weights[~is_positive & ~is_alert].sum()),
    )
    return float(rule.score(counts))

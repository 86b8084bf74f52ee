"""Validation of labels and scores."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood._validation import sample_weights
from rarewood.table._labels import class_number, encode_labels


def read_scores(
    y: Any, scores: Any, pos_label: Any, sample_weight: Any
) -> tuple[NDArray[np.bool_], NDArray[np.float64], NDArray[np.float64] | None, Any]:
    """Return which samples are positive, their scores and weights, and the positive label.

    Samples of weight zero are left out.
    """
    classes, codes = encode_labels(y)
    weights = None if sample_weight is None else sample_weights(sample_weight, len(codes))
    if len(classes) < 2:
        raise ValueError(
            f"y has {len(classes)} class(es); an operating point needs samples of at least two."
        )
    number = positive_class(classes, codes, weights, pos_label)
    chosen = _one_column(scores, number, classes)
    _check_scores(chosen, len(codes))
    is_positive = codes == number
    if weights is not None:
        kept = weights > 0
        is_positive, chosen, weights = is_positive[kept], chosen[kept], weights[kept]
        if is_positive.all() or not is_positive.any():
            raise ValueError(
                "All positive or all negative samples have weight zero; an operating point needs "
                "samples of both with sample_weight above 0."
            )
    label = classes[number]
    plain = label.item() if isinstance(label, np.generic) else label
    return is_positive, chosen, weights, plain


def positive_class(
    classes: NDArray[Any],
    codes: NDArray[np.int32],
    weights: NDArray[np.float64] | None,
    pos_label: Any,
) -> int:
    """Return the index of the positive class, by default of the class with the fewest samples.

    Of equally rare classes it is the last, which is the positive class of scikit-learn.
    """
    if pos_label is not None:
        return class_number(classes, pos_label)
    totals = np.bincount(codes, weights, minlength=len(classes))
    totals = np.where(totals > 0, totals, np.inf)  # a class of weight zero is absent
    return len(totals) - 1 - int(totals[::-1].argmin())


def _one_column(scores: Any, number: int, classes: NDArray[Any]) -> NDArray[np.float64]:
    try:
        values = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(
            "scores must be numbers, higher for a more likely positive class, such as "
            "model.predict_proba(X)."
        ) from error
    if values.ndim == 2 and values.shape[1] == 1:
        return values[:, 0]
    if values.ndim == 2 and values.shape[1] == len(classes):
        return values[:, number]
    if values.ndim != 1:
        raise ValueError(
            f"scores has the shape {values.shape}; expected one score per sample, or one column "
            f"for each of the {len(classes)} classes of y, in the order of the sorted labels."
        )
    return values


def _check_scores(scores: NDArray[np.float64], n_labels: int) -> None:
    if len(scores) != n_labels:
        raise ValueError(f"scores and y differ in length: {len(scores)} and {n_labels}.")
    bad = ~np.isfinite(scores)
    if bad.any():
        row = int(bad.argmax())
        raise ValueError(
            f"{int(bad.sum())} of the scores are NaN or infinite, first {scores[row]} in "
            f"row {row}. Remove samples without a score from y and scores, such as those drawn by "
            "every tree of a forest (see out_of_bag_scores)."
        )
    if scores.max() == np.finfo(np.float64).max:
        raise ValueError("The highest score is the largest float; scale the scores down.")

"""Labels and scores as they come, made into what is counted."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rarewood._validation import sample_weights
from rarewood.table._labels import encode_labels

__all__ = ["LabelledScores", "rare_class", "read_scores"]


class LabelledScores(NamedTuple):
    """Whether each row is rare, its score and weight, and the label of the rare class.

    Rows of weight zero are left out; the weights are None where each row counts once.
    """

    is_rare: NDArray[np.bool_]
    scores: NDArray[np.float64]
    weights: NDArray[np.float64] | None
    rare: Any


def read_scores(y: Any, scores: Any, rare: Any, sample_weight: Any) -> LabelledScores:
    """Check labels and scores, and find the rare class and its scores.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        Labels.
    scores : array-like of shape (n_rows,) or (n_rows, n_classes)
        Scores of the rare class, or of all classes in the order of the sorted labels.
    rare : label or None
        The rare class.
    sample_weight : array-like of shape (n_rows,) or None
        How many rows each row counts for.

    Returns
    -------
    read : LabelledScores
        What is to be counted.
    """
    classes, codes = encode_labels(y)
    weights = None if sample_weight is None else sample_weights(sample_weight, len(codes))
    if len(classes) < 2:
        raise ValueError(
            f"y has {len(classes)} class(es): an operating point needs rows of the rare class and "
            "of another."
        )
    number = rare_class(classes, codes, weights, rare)
    chosen = _one_column(scores, number, classes)
    _check_rows(chosen, len(codes))
    is_rare = codes == number
    if weights is not None:
        kept = weights > 0
        is_rare, chosen, weights = is_rare[kept], chosen[kept], weights[kept]
        if is_rare.all() or not is_rare.any():
            raise ValueError(
                "All rows of one side weigh nothing: an operating point needs rows of the rare "
                "class and of another with sample_weight above 0."
            )
    label = classes[number]
    plain = label.item() if isinstance(label, np.generic) else label
    return LabelledScores(is_rare, chosen, weights, plain)


def rare_class(
    classes: NDArray[Any], codes: NDArray[np.int32], weights: NDArray[np.float64] | None, rare: Any
) -> int:
    """Return the number of the rare class: the given one, or the one with the fewest rows.

    Of classes with equally few rows it is the last, which scikit-learn takes as the positive one.
    """
    if rare is not None:
        places = [place for place, label in enumerate(classes.tolist()) if label == rare]
        if not places:
            raise ValueError(
                f"The rare class {rare!r} is none of the labels in y, {classes.tolist()[:10]}."
            )
        return places[0]
    totals = np.bincount(codes, weights, minlength=len(classes))
    totals = np.where(totals > 0, totals, np.inf)  # a class without weight is absent
    return len(totals) - 1 - int(totals[::-1].argmin())


def _one_column(scores: Any, number: int, classes: NDArray[Any]) -> NDArray[np.float64]:
    try:
        values = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(
            "scores must be numbers, the higher the more likely rare; such as "
            "model.predict_proba(X)."
        ) from error
    if values.ndim == 2 and values.shape[1] == 1:
        return values[:, 0]
    if values.ndim == 2 and values.shape[1] == len(classes):
        return values[:, number]
    if values.ndim != 1:
        raise ValueError(
            f"scores has the shape {values.shape}; expected one score for each row, or one column "
            f"for each of the {len(classes)} classes of y, in the order of the sorted labels."
        )
    return values


def _check_rows(scores: NDArray[np.float64], n_labels: int) -> None:
    if len(scores) != n_labels:
        raise ValueError(
            f"There are {len(scores)} scores but {n_labels} labels; each row needs both."
        )
    bad = ~np.isfinite(scores)
    if bad.any():
        row = int(bad.argmax())
        raise ValueError(
            f"{int(bad.sum())} of the scores are NaN or infinite, first {scores[row]} in "
            f"row {row}. Leave rows without a score out of y and scores, such as rows that every "
            "tree of a forest has drawn (see out_of_bag_scores)."
        )
    if scores.max() == np.finfo(np.float64).max:
        raise ValueError("The highest score is the largest number there is; scale the scores.")

"""Predictions for test samples, packed for the store."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.evaluate._damage import decoding_predictions
from rarewood.evaluate._metrics import Outcome

_NOTE = "note_"  # begins the names of arrays that were added to those of the predictions


@dataclass(frozen=True, eq=False)
class Predictions:
    """Result of :meth:`Results.predictions`, which describes the attributes."""

    rows: NDArray[np.int64]
    repeat: NDArray[np.int64]
    fold: NDArray[np.int64]
    y: NDArray[np.int64]
    predicted: NDArray[np.int64]
    scores: NDArray[np.float64] | None
    classes: NDArray[Any]
    pos_index: int
    is_probability: bool = True


def pack(
    outcome: Outcome, rows: NDArray[np.intp], notes: dict[str, NDArray[Any]] | None = None
) -> bytes:
    """Return the predictions of a fold, and arrays about some of its samples, as bytes."""
    file = io.BytesIO()
    arrays: dict[str, Any] = {
        "rows": rows.astype(np.int32),
        "y": outcome.y.astype(np.int32),
        "predicted": outcome.predicted.astype(np.int32),
        "about": np.array([outcome.pos_index, outcome.n_classes, outcome.is_probability]),
    }
    if outcome.scores is not None:
        arrays["scores"] = outcome.scores
    arrays |= {f"{_NOTE}{name}": array for name, array in (notes or {}).items()}
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def unpack(data: bytes, scores: dict[str, float] | None = None) -> tuple[Outcome, Any]:
    """Return the outcome of a fold, with its stored times and counts, and its sample indices."""
    known = scores or {}
    with decoding_predictions(), np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        pos_index, n_classes, is_probability = arrays["about"].tolist()
        outcome = Outcome(
            y=arrays["y"].astype(np.int64),
            predicted=arrays["predicted"].astype(np.int64),
            scores=arrays.get("scores"),
            is_probability=bool(is_probability),
            pos_index=int(pos_index),
            n_classes=int(n_classes),
            **{n: known.get(n, float("nan")) for n in ("n_leaves", "fit_time", "predict_time")},
        )
        return outcome, arrays["rows"].astype(np.int64)


def unpack_notes(data: bytes) -> dict[str, NDArray[Any]]:
    """Return the arrays of ``annotate`` for a fold, and "rows", the indices of its samples."""
    with decoding_predictions(), np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        found = [name for name in arrays if name.startswith(_NOTE)]
        notes = {name.removeprefix(_NOTE): arrays[name] for name in found}
        return notes | {"rows": arrays["rows"].astype(np.int64)}

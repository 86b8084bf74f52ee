"""The surrogate in a model file: a tree that stands for a forest with hyperplanes."""

from __future__ import annotations

import base64
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from rarewood.workflow._model_file import LoadedModel

_MOST_TEXT = 4 << 20  # of a surrogate in a file that is not trusted


def make_surrogate(
    X: Any, y: NDArray[Any], decided: NDArray[Any], pos_label: Any, seed: int
) -> dict[str, Any] | None:
    """Return a surrogate as JSON-safe data; None if the forest decides alike for all rows but one.

    ``decided`` are the labels that the forest predicts for the rows, without having seen them.
    """
    from rarewood.evaluate import Protocol
    from rarewood.rules._surrogate import blank_surrogate, count_labels, held_out_fidelity

    classes = np.unique(y)
    if set(decided.tolist()) != set(classes.tolist()):
        return None
    halves = Protocol(2, 1, seed).splits(decided)
    fidelity = held_out_fidelity(X.iloc.__getitem__, decided, halves, pos_label, seed)
    if fidelity is None:
        return None
    tree = blank_surrogate(len(y), seed).fit(X, decided)
    return {
        "tree": _packed(tree),
        "counts": count_labels(tree, X, y, classes).tolist(),
        "fidelity": fidelity,
    }


def _packed(tree: Any) -> str:
    """Return a model file as text."""
    from rarewood.modelfile import save

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "surrogate.rarewood"
        save(tree, path)
        return base64.b64encode(path.read_bytes()).decode("ascii")


def has_surrogate(loaded: LoadedModel) -> bool:
    """Whether the rules of a model are those of a surrogate."""
    return loaded.is_foreign or getattr(loaded.classifier, "splitter", "") == "oblique"


def open_surrogate(loaded: LoadedModel) -> tuple[Any, NDArray[np.int64], dict[str, Any]] | None:
    """Return the tree, the counts of the labels in its nodes, and its fidelity; None without one.

    The file is not trusted: the tree is read as a model file, and the counts are checked.
    """
    from rarewood.modelfile import load

    found = loaded.fit_notes.get("surrogate")
    if found is None:
        return None
    try:
        text, counts = found["tree"], np.array(found["counts"], dtype=np.int64)
        if len(text) > _MOST_TEXT:
            raise ValueError("too large")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "surrogate.rarewood"
            path.write_bytes(base64.b64decode(text, validate=True))
            tree = load(path)
        n_nodes = tree.tree_.n_nodes
        is_sound = (
            counts.shape == (n_nodes, len(loaded.classes))
            and bool((counts >= 0).all())
            and tree.classes_.tolist() == loaded.classes
            and isinstance(found["fidelity"], dict)
        )
        if not is_sound:
            raise ValueError("inconsistent")
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as error:
        raise ValueError(
            f"{loaded.path} is a damaged model file: its surrogate tree cannot be read. Copy the "
            "file again, or fit the model again."
        ) from error
    return tree, counts, found["fidelity"]

"""Axis-parallel trees that stand for a forest with hyperplanes, so that its rules can be read.

A surrogate learns which rows the forest alerts, from scores of forests that were not trained on
these rows: on training rows a fully grown forest repeats the labels. Its fidelity is the agreement
on rows that neither it nor the forest has seen. Its rules are counted with the true labels.
"""

from __future__ import annotations

import base64
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from rarewood.rules import RuleSet
    from rarewood.workflow._model_file import LoadedModel

_MAX_DEPTH, _LEAST_LEAF, _LEAF_FRACTION = 5, 5, 0.001
_MOST_TEXT = 4 << 20  # of a surrogate in a file that is not trusted


def make_surrogate(
    X: Any, y: NDArray[Any], decided: NDArray[Any], pos_label: Any, seed: int
) -> dict[str, Any] | None:
    """Return a surrogate as JSON-safe data; None if the forest decides the same for all rows.

    ``decided`` are the labels that the forest predicts for the rows, without having seen them.
    """
    classes = np.unique(y)
    if set(decided.tolist()) != set(classes.tolist()):
        return None
    tree = _blank(len(y), seed).fit(X, decided)
    paths = tree.decision_path(X)
    is_class = y[:, np.newaxis] == classes
    counts = np.asarray(paths.T.astype(np.int64) @ is_class.astype(np.int64))
    return {
        "tree": _packed(tree),
        "counts": counts.tolist(),
        "fidelity": _held_out_fidelity(X, decided, pos_label, seed),
    }


def _blank(n_rows: int, seed: int) -> Any:
    from rarewood import RareTreeClassifier

    least = max(_LEAST_LEAF, int(_LEAF_FRACTION * n_rows))
    return RareTreeClassifier(max_depth=_MAX_DEPTH, min_samples_leaf=least, random_state=seed)


def _held_out_fidelity(
    X: Any, decided: NDArray[Any], pos_label: Any, seed: int
) -> dict[str, Any] | None:
    """Return the agreement on each half of the rows of a surrogate that was fitted on the other."""
    from rarewood.evaluate import Protocol

    if min(np.unique(decided, return_counts=True)[1]) < 2:
        return None
    predicted = decided.copy()
    for split in Protocol(2, 1, seed).splits(decided):
        tree = _blank(len(split.train), seed).fit(X.iloc[split.train], decided[split.train])
        predicted[split.test] = tree.predict(X.iloc[split.test])
    return fidelity_of(decided, predicted, pos_label)


def fidelity_of(
    decided: NDArray[Any], predicted: NDArray[Any], pos_label: Any
) -> dict[str, Any] | None:
    """Return how well predictions of a surrogate agree with those of its model."""
    alerts, found = decided == pos_label, predicted == pos_label
    both = int((alerts & found).sum())
    return {
        "n_rows": len(decided),
        "agreement": float((decided == predicted).mean()),
        "n_alerts": int(alerts.sum()),
        "alerts_reproduced": both / int(alerts.sum()) if alerts.any() else None,
        "alerts_shared": both / int(found.sum()) if found.any() else None,
    }


def _packed(tree: Any) -> str:
    """Return a model file as text."""
    from rarewood.modelfile import save

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "surrogate.rarewood"
        save(tree, path)
        return base64.b64encode(path.read_bytes()).decode("ascii")


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


def surrogate_rules(
    tree: Any, counts: NDArray[np.int64], pos_label: Any, max_depth: int | None
) -> RuleSet:
    """Return the rules of a surrogate by p-value, counted with the labels of the training rows."""
    from rarewood.rules._conditions import leaf_paths
    from rarewood.rules._extraction import rules_of
    from rarewood.rules._ruleset import measure

    rules = rules_of(tree, pos_label, max_depth=max_depth)
    leaves = [leaf for leaf, _ in leaf_paths(tree.tree_, None, max_depth)]
    own, totals = counts[leaves], np.tile(counts[0], (len(leaves), 1))
    own_fractions = own / np.maximum(own.sum(axis=1, keepdims=True), 1)
    return replace(
        rules,
        counts=own,
        totals=totals,
        probabilities=own_fractions,
        prior=counts[0] / counts[0].sum(),
        measures=measure(own, totals, rules.about),
    ).sort("p_value")

"""Saving, loading and describing model files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from rarewood.modelfile._archive import ModelFileError, read_archive, write_archive
from rarewood.modelfile._bins import with_bins
from rarewood.modelfile._composites import (
    Reader,
    Writer,
    columns_of,
    first_model,
    is_composite,
    tell_version,
)
from rarewood.modelfile._header import explaining, make_header, read_header
from rarewood.modelfile._models import model_to_json
from rarewood.modelfile._values import from_json
from rarewood.modelfile._wrappers import unwrap, wrapped_from_json, wrapped_to_json

_COLUMN = ("name", "kind", "categories")  # what is described of a column


def save(
    model: Any,
    path: str | os.PathLike[str],
    *,
    target: str | None = None,
    notes: Mapping[str, Any] | None = None,
    keep_rows: bool = False,
) -> None:
    """Save a fitted model to a file that is safe to open.

    The file is a zip of numbers and JSON; opening it never runs code. A loaded model predicts
    identically to the last bit, and can be inspected, pruned, cloned and fitted again. Classifiers
    of other packages are kept in formats of these packages, which run no code either; their readers
    are not hardened, so :func:`load` must be told that the file is trusted.

    Parameters
    ----------
    model : estimator
        A fitted :class:`RareTreeClassifier`, :class:`RareForestClassifier` or
        :class:`C45Classifier`, alone or in a ``ThresholdedClassifier`` or
        ``PriorCorrectedClassifier``; also after known transformers of scikit-learn in a
        ``Pipeline``, or in a ``CalibratedClassifierCV``, ``FixedThresholdClassifier`` or
        ``TunedThresholdClassifierCV``. Of a ``SamplingWrapperClassifier``, and of a pipeline of
        samplers and a model, the fitted model is saved, since prediction needs
        no sampling; the file describes the samplers. A classifier of another package must be in a
        :class:`rarewood.foreign.ForeignClassifier`, as :func:`rarewood.workflow.fit` makes it.
    path : path
        The file, by convention with the extension ".rarewood". It is written atomically: an
        existing file is replaced when the new one is complete.
    target : str, default=None
        Name of the target, for information.
    notes : dict, default=None
        Any JSON-serialisable content.
    keep_rows : bool, default=False
        Whether to save information on single training samples: ``oob_decision_function_``, and the
        classes that ``estimators_samples_`` and ``warm_start`` of a balanced forest need. By
        default the file contains none.

    See Also
    --------
    load : Loads the file.
    rarewood.modelfile.describe : Describes the file.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import rarewood
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> model = rarewood.RareForestClassifier(random_state=0).fit(X, y)
    >>> path = Path(tempfile.mkdtemp()) / "cancer.rarewood"
    >>> rarewood.save(model, path, target="benign")
    >>> bool((rarewood.load(path).predict_proba(X) == model.predict_proba(X)).all())
    True
    """
    if is_composite(model):
        writer = Writer(keep_rows)
        content = {"class": type(model).__name__, "parts": writer.write(model)}
        if writer.packages:
            content["packages"] = writer.packages
        classifier, left_out = first_model(writer), writer.left_out
        header = make_header(classifier, content, target=target, left_out=left_out, notes=notes)
        write_archive(path, header, writer.arrays)
        return
    classifier, wrappers, left_out = unwrap(model)
    content, arrays = model_to_json(classifier, keep_rows=keep_rows)
    for wrapper in reversed(wrappers):
        content, more = wrapped_to_json(wrapper, content)
        arrays |= more
    header = make_header(classifier, content, target=target, left_out=left_out, notes=notes)
    write_archive(path, header, arrays)


def load(path: str | os.PathLike[str], *, trust_foreign: bool = False) -> Any:
    """Load a model saved by :func:`save`.

    Loading never executes code from the file. A damaged file, or one of another format,
    raises a :class:`rarewood.modelfile.ModelFileError`.

    Parameters
    ----------
    path : path
        The file.
    trust_foreign : bool, default=False
        Whether to open a file with a model of another package, such as LightGBM, whose reader is
        not hardened: a file that was made to harm may crash it or worse. By default such a file is
        refused. Models of rarewood need no trust.

    Returns
    -------
    model : estimator
        The fitted model.

    See Also
    --------
    save : Saves a model.
    """
    header, arrays = read_archive(path)
    schema, classes = read_header(path, header)
    with explaining(path):
        if "parts" in header["model"]:
            if not isinstance(header["model"]["class"], str):
                raise ModelFileError("It has no class.")
            reader = Reader(arrays, trust_foreign)
            model = reader.read(header["model"]["parts"])
            if not hasattr(model, "predict_proba"):
                raise ModelFileError("Its parts do not end with a model.")
            tell_version(path, {"sklearn": header["versions"]["scikit-learn"], **reader.packages})
            return model
        if "max_bins" in header["schema"]:
            schema = with_bins(schema, header["schema"]["max_bins"], arrays)
        return wrapped_from_json(header["model"], arrays, schema, classes)


def describe(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Describe a model file without loading the model.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    facts : dict
        "created", "versions", "class" of the estimator, "target", "classes" (a list), "columns" (a
        list of dicts with "name", "kind" and, if categorical, "categories"; before a transformer of
        scikit-learn, the kind is "unknown"), "training" ("n_rows",
        "class_counts"), "threshold" and "pos_label" (None without a threshold), "left_out"
        (samplers), "packages" (those of the models of other packages, with their versions) and
        "notes".

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import rarewood
    >>> model = rarewood.RareTreeClassifier().fit([[0.0], [1.0], [1.0]], ["no", "yes", "yes"])
    >>> path = Path(tempfile.mkdtemp()) / "small.rarewood"
    >>> rarewood.save(model, path, notes={"why": "an example"})
    >>> facts = rarewood.modelfile.describe(path)
    >>> facts["classes"], facts["training"]["class_counts"], facts["notes"]
    (['no', 'yes'], [1, 2], {'why': 'an example'})
    """
    header, _ = read_archive(path, with_arrays=False)
    _, classes = read_header(path, header)
    with explaining(path):
        outer = header["model"].get("parts", header["model"])
        is_thresholded = outer["class"] == "ThresholdedClassifier"
        point = outer["operating_point"] if is_thresholded else {}
        kept = ("created", "versions", "target", "training", "left_out", "notes")
        return {
            **{name: header.get(name) for name in kept},
            "class": header["model"]["class"],
            "packages": dict(header["model"].get("packages", {})),
            "threshold": point.get("threshold"),
            "pos_label": from_json(point.get("pos_label")),
            "classes": classes.tolist(),
            "columns": [
                {"name": None} | {key: from_json(column[key]) for key in _COLUMN if key in column}
                for column in columns_of(header)
            ],
        }

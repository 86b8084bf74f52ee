"""The classes of which fitted models consist, for skops."""

from __future__ import annotations

from rarewood.model._sampling_schemes import SCHEMES
from rarewood.modelfile._values import RECORDS

_CLASSES = {
    "rarewood.c45": ("C45Classifier",),
    "rarewood.criteria": ("Alpha", "Criterion"),
    "rarewood.forest": ("RareForestClassifier",),
    "rarewood.model._fitted_forest": ("FittedForest",),
    "rarewood.model._fitted_tree": ("FittedTree",),
    "rarewood.model._fractional_tree": ("FractionalTree",),
    "rarewood.model._pilot": ("Pilot",),
    "rarewood.model._row_sampling": ("RowSampling",),
    "rarewood.operating._curve": ("OperatingCurve",),
    "rarewood.operating._point": ("OperatingPoint",),
    "rarewood.operating._prior": ("PriorCorrectedClassifier",),
    "rarewood.operating._scores": ("ScoredSamples",),
    "rarewood.operating._thresholded": ("ThresholdedClassifier",),
    "rarewood.sampling._wrapper": ("SamplingWrapperClassifier",),
    "rarewood.table._schema": ("Categories", "Schema"),
    "rarewood.tree": ("RareTreeClassifier",),
}


def trusted_types() -> list[str]:
    """Return the names of the classes of which fitted models consist, for skops and MLflow.

    skops opens a file only if every class in it is trusted. To create and fill objects of these
    classes runs no code of the file, and trees are checked by the core.

    Returns
    -------
    names : list of str
        Value for ``trusted`` of ``skops.io.load``, and for ``skops_trusted_types`` of
        ``mlflow.sklearn.log_model`` and ``save_model``.

    See Also
    --------
    load : Loads a file of rarewood, which needs no list and checks more.

    Notes
    -----
    The classes of a model are: the trees, forests and wrappers, their criteria, prunings, rules and
    schemes of row sampling, and private classes of their fitted attributes. Functions, such as a
    scorer as ``oob_score``, are not among them.

    Examples
    --------
    >>> import rarewood
    >>> "rarewood.forest.RareForestClassifier" in rarewood.trusted_types()
    True
    """
    names = {f"{module}.{name}" for module, known in _CLASSES.items() for name in known}
    names |= {f"{module}.{name}" for module, known in RECORDS.items() for name in known}
    names |= {f"{scheme.__module__}.{scheme.__name__}" for scheme in SCHEMES.values()}
    return sorted(names)

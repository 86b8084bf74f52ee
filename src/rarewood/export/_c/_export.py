"""Models as one file of C99 without dependencies."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from rarewood.export._c._source import Source
from rarewood.export._scorer import scorer_of

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,40}")


def to_c(model: Any, out_file: Any = None, *, prefix: str = "rarewood") -> str | None:
    """Export a fitted model as one file of C99, which needs nothing but a compiler.

    The functions return the same classes and the same probabilities as ``predict`` and
    ``predict_proba``, also for missing values and for categories that training did not have.

    Parameters
    ----------
    model : estimator
        A fitted model, as for :func:`to_onnx`.
    out_file : path or file object, default=None
        Where to write the code, which is ASCII. By default it is returned.
    prefix : str, default="rarewood"
        Beginning of all names, so that a program can contain several models.

    Returns
    -------
    code : str or None
        The code; None if ``out_file`` is given.

    See Also
    --------
    to_onnx : Exports to ONNX.

    Notes
    -----
    With the default prefix the file defines

    - ``void rarewood_predict_proba(const double *x, double *proba)`` for one sample of
      ``RAREWOOD_N_FEATURES`` values, which writes ``RAREWOOD_N_CLASSES`` probabilities;
    - ``int rarewood_predict(const double *x)``, the number of the predicted class;
    - ``double rarewood_category(int feature, const char *text)``, the number of a category, or NaN
      for a text that is none, and ``double rarewood_category_of(int feature, double value)`` for
      categories that are numbers or booleans;
    - ``rarewood_features``, ``rarewood_classes`` and, for each categorical feature,
      ``rarewood_categories_<index>``: their names in the order of their numbers.

    In ``x`` a missing value is NaN, and a category is its number. Infinite values, which
    ``predict`` refuses, are not detected. The functions allocate no memory and may be called from
    several threads. Compile without ``-ffast-math``, which does not support NaN; hyperplanes need
    arithmetic in double precision without fused operations, which the file selects for GCC and
    Clang.

    Examples
    --------
    >>> import rarewood
    >>> X = [[20.0], [30.0], [40.0], [50.0]]
    >>> tree = rarewood.RareTreeClassifier().fit(X, ["no", "no", "no", "yes"])
    >>> code = rarewood.export.to_c(tree, prefix="risk")
    >>> [line for line in code.splitlines() if line.startswith("int risk_predict")]
    ['int risk_predict(const double *x)']
    """
    if not isinstance(prefix, str) or not _NAME.fullmatch(prefix):
        raise ValueError(
            f"prefix must be a name of C of at most 41 letters, digits and underscores, got "
            f"{prefix!r}."
        )
    code = Source(scorer_of(model, "to_c"), prefix).text()
    if out_file is None:
        return code
    if isinstance(out_file, (str, os.PathLike)):
        Path(out_file).write_text(code, encoding="ascii", newline="\n")
    else:
        out_file.write(code)
    return None

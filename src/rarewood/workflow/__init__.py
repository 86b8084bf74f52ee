"""The tasks of the command line as Python functions, and the registry of models.

:func:`compare` finds the best of several models for a table, :func:`fit` writes a model file,
:func:`predict`, :func:`rules`, :func:`explain` and :func:`export` use it, and :func:`report` writes
the page of a comparison again; :func:`drift` compares a new table with that of a comparison;
:func:`runs` lists the comparisons. All return data and print nothing; a :class:`Listener` receives
progress. :func:`models` lists the classifiers that can be used by name, :func:`make_model` makes
one.
"""

from rarewood._imports import deferred

TYPE_CHECKING = False  # as that of typing
if TYPE_CHECKING:
    from rarewood.workflow._compare import compare
    from rarewood.workflow._drift import drift
    from rarewood.workflow._explain import explain, explain_rows
    from rarewood.workflow._explain_cases import explain_cases
    from rarewood.workflow._export import export
    from rarewood.workflow._fit import fit
    from rarewood.workflow._listener import Listener
    from rarewood.workflow._models import make_model, models
    from rarewood.workflow._predict import predict
    from rarewood.workflow._report import report
    from rarewood.workflow._rules import fidelity, rules
    from rarewood.workflow._runs import runs

__all__ = [
    "Listener",
    "compare",
    "drift",
    "explain",
    "explain_cases",
    "explain_rows",
    "export",
    "fidelity",
    "fit",
    "make_model",
    "models",
    "predict",
    "report",
    "rules",
    "runs",
]

# Scripts and the command line read a name of this package before its libraries are needed.
__getattr__, __dir__ = deferred(
    __name__,
    {
        "_compare": ["compare"],
        "_drift": ["drift"],
        "_explain": ["explain", "explain_rows"],
        "_explain_cases": ["explain_cases"],
        "_export": ["export"],
        "_fit": ["fit"],
        "_listener": ["Listener"],
        "_models": ["make_model", "models"],
        "_predict": ["predict"],
        "_report": ["report"],
        "_rules": ["fidelity", "rules"],
        "_runs": ["runs"],
    },
)

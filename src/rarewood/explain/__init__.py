"""Explanations of predictions.

:func:`shap_values` divides the probability of a sample over the features by their Shapley values,
:func:`shap_interaction_values` over pairs of features, and :func:`contributions` along its path,
which is cheaper and depends on the order of splits. :func:`path_steps` lists the nodes on the path
of a sample through a tree, and :func:`rules_for` returns the rules that hold for it.
:func:`partial_dependence` is the mean probability as a function of one or two features.
"""

from rarewood.explain._contributions import Contributions, contributions
from rarewood.explain._partial_dependence import PartialDependence, partial_dependence
from rarewood.explain._shap import ShapValues, shap_interaction_values, shap_values
from rarewood.explain._steps import Step, path_steps, rules_for

__all__ = [
    "Contributions",
    "PartialDependence",
    "ShapValues",
    "Step",
    "contributions",
    "partial_dependence",
    "path_steps",
    "rules_for",
    "shap_interaction_values",
    "shap_values",
]

"""Explanations of single predictions.

:func:`contributions` divides the probability of a sample over the features, :func:`path_steps`
lists the nodes on the path of a sample through a tree, and :func:`rules_for` returns the rules that
hold for it.
"""

from rarewood.explain._contributions import Contributions, contributions
from rarewood.explain._steps import Step, path_steps, rules_for

__all__ = ["Contributions", "Step", "contributions", "path_steps", "rules_for"]

"""Why a tree or a forest says what it says of a row.

:func:`contributions` divides the probability of a row over the columns, :func:`path_steps` tells
the way of a row through a tree, and :func:`rules_for` gives the rules that hold for it.
"""

from rarewood.explain._contributions import Contributions, contributions
from rarewood.explain._steps import Step, path_steps, rules_for

__all__ = ["Contributions", "Step", "contributions", "path_steps", "rules_for"]

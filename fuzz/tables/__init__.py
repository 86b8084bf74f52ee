"""Random tables and parameters, checked by laws and against the naive twins."""

from fuzz.tables import twin
from fuzz.tables.laws import LAWS as FIT_LAWS
from fuzz.tables.shrink import smaller
from fuzz.target import Target

LAWS = Target(
    "laws",
    "estimators on random tables, each case checked by one law",
    FIT_LAWS.draw,
    FIT_LAWS.check,
    smaller,
    share=0.48,
)
TWIN = Target(
    "twin",
    "trees and forests of the core against the naive ones of tests/oracle",
    twin.draw,
    twin.check,
    smaller,
    share=0.06,
)

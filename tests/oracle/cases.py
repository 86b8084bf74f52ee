"""The criteria with their parameters, as the tests name them."""

from __future__ import annotations

from dataclasses import dataclass

REFERENCES = ("prior", "uniform", "complement")


@dataclass(frozen=True)
class Case:
    """A criterion by name, with the parameters it needs."""

    name: str
    alpha: float | None = None
    reference: str = "prior"

    def __str__(self) -> str:
        if self.alpha is None:
            return self.name
        return f"{self.name}-{self.alpha:g}-{self.reference}"

    @property
    def prefers_hellinger(self) -> bool:
        """CCPDT breaks ties by the larger Hellinger distance."""
        return self.name.startswith("ccp_")

    @property
    def has_infinities(self) -> bool:
        """A pure child is worth infinity, and infinities tie."""
        if self.alpha is None:
            return False
        return self.alpha == 0 or (self.alpha >= 1 and self.reference == "complement")


PLAIN = tuple(
    Case(name)
    for name in (
        "entropy",
        "gini",
        "gain_ratio",
        "dkm",
        "hellinger",
        "ccp_entropy",
        "ccp_gini",
        "ccp_counts_entropy",
        "ccp_counts_gini",
        "ihd",
        "ihdw",
        "dcsm",
    )
)
ALPHA = tuple(
    Case("alpha", alpha, reference)
    for reference in REFERENCES
    for alpha in (0.0, 0.3, 0.5, 1.0, 1.5, 2.0)
)
EVERY = PLAIN + ALPHA

# One of each kind, for the laws that take longer.
FEW = (
    *PLAIN,
    Case("alpha", 0.5, "prior"),
    Case("alpha", 2.0, "prior"),
    Case("alpha", 0.0, "prior"),
    Case("alpha", 2.0, "uniform"),
    Case("alpha", 0.5, "complement"),
    Case("alpha", 1.0, "complement"),
)
# One of each way in which the search treats a criterion: the usual one, quasi-convex, with a rule
# for ties, without bounds, with bounds but runs that must be searched, with infinite values.
DISTINCT = (
    Case("hellinger"),
    Case("gain_ratio"),
    Case("ccp_gini"),
    Case("ccp_counts_gini"),
    Case("ihdw"),
    Case("alpha", 0.0, "prior"),
)
FINITE = tuple(case for case in EVERY if not case.has_infinities)

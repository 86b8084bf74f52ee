"""imbalanced-learn's own tests of over-samplers, with ours in the place of theirs."""

from __future__ import annotations

import pytest

from rarewood.sampling import PatternOverSampler


class RandomOverSampler(PatternOverSampler):
    """Ours with the names of theirs; it never repeats rows, so ``shrinkage`` has no meaning."""

    def __init__(self, *, sampling_strategy="auto", random_state=None, shrinkage=None):
        if shrinkage is not None:
            pytest.skip("there is no shrinkage")
        super().__init__(
            sampling_strategy=sampling_strategy, n_estimators=10, random_state=random_state
        )
        self.shrinkage, self.shrinkage_ = shrinkage, None


class SMOTENC(PatternOverSampler):
    """Ours with the names of theirs."""

    def __init__(
        self,
        categorical_features,
        *,
        sampling_strategy="auto",
        random_state=None,
        k_neighbors=5,
        categorical_encoder=None,
    ):
        if categorical_encoder is not None:
            pytest.skip("there is no encoder")
        super().__init__(
            categorical_features=categorical_features,
            sampling_strategy=sampling_strategy,
            n_estimators=10,
            random_state=random_state,
        )
        self.k_neighbors, self.categorical_encoder = k_neighbors, categorical_encoder


REBOUND = {"RandomOverSampler": RandomOverSampler, "SMOTENC": SMOTENC}

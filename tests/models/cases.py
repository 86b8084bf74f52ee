"""All models whose hashes are pinned: first those with hashes of their own, then their twins."""

from __future__ import annotations

from itertools import chain

from models import around_cases, growth_cases, rows_cases, stream_cases
from models.digest import Case

GROUPS = (
    growth_cases.default_cases,
    growth_cases.preset_cases,
    growth_cases.criterion_cases,
    growth_cases.limit_cases,
    growth_cases.search_cases,
    growth_cases.leaf_cases,
    growth_cases.pruning_cases,
    growth_cases.category_cases,
    growth_cases.medium_cases,
    rows_cases.weight_cases,
    rows_cases.draw_cases,
    rows_cases.same_cases,
    stream_cases.stream_cases,
    around_cases.prune_cases,
    around_cases.sampling_cases,
    around_cases.operating_cases,
)
CASES: list[Case] = sorted(
    chain.from_iterable(group() for group in GROUPS), key=lambda case: case.same_as is not None
)

"""The searches equal their definitions on any scores."""

from __future__ import annotations

import inspect
from itertools import product
from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle import sampling as oracle
from rarewood.sampling import SamplingWrapperClassifier
from rarewood.sampling._search import SEARCHES, search_levels

UNDERSAMPLE = (10.0, 20.0, 30.0, 40.0, 50.0)
SMOTE = (100.0, 200.0, 300.0, 400.0)
PLACES = list(product((0.0, *UNDERSAMPLE), (0.0, *SMOTE)))
few = st.sampled_from([0.1, 0.2, 0.3, 0.4, nan])  # many ties


@st.composite
def grids(draw):
    values = [draw(st.sampled_from([0.1, 0.2, 0.3])), *(draw(few) for _ in PLACES[1:])]
    return dict(zip(PLACES, values, strict=True))


def run(scores, kind, lookahead):
    tried = []

    def score(levels):
        tried.append(tuple(levels))
        return scores[levels]

    found, best = search_levels(score, UNDERSAMPLE, SMOTE, SEARCHES[kind].patience_with(lookahead))
    return tuple(found), best, tried


@pytest.mark.parametrize("kind", SEARCHES)
@given(scores=grids(), lookahead=st.integers(1, 4))
def test_the_definition(kind, scores, lookahead):
    found, best, tried = run(scores, kind, lookahead)
    given_ = (scores, UNDERSAMPLE, SMOTE, kind, lookahead)
    assert found == oracle.search(*given_)
    assert best == scores[found]
    assert tried == oracle.tried(*given_)


@given(scores=grids())
def test_more_patience_is_never_worse_on_an_axis(scores):
    chains = [("greedy", 1), ("lookahead", 1), ("lookahead", 3), ("best_per_axis", 1)]
    removed = [scores[run(scores, *chain)[0][0], 0.0] for chain in chains]
    assert removed == sorted(removed)
    n_tried = [len([s for _, s in run(scores, *chain)[2] if s == 0]) for chain in chains]
    assert n_tried == sorted(n_tried)


@given(scores=grids())
def test_the_best_level_of_each_axis(scores):
    (removed, added), _, tried = run(scores, "best_per_axis", 1)
    assert len(tried) == 1 + len(UNDERSAMPLE) + len(SMOTE)
    assert scores[removed, 0.0] == np.nanmax([scores[u, 0.0] for u in (0.0, *UNDERSAMPLE)])
    assert scores[removed, added] == np.nanmax([scores[removed, s] for s in (0.0, *SMOTE)])


def test_every_search_is_documented():
    text = inspect.getdoc(SamplingWrapperClassifier)
    assert all(f'"{name}"' in text for name in SEARCHES)

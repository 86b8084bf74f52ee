"""Models fitted on a cluster have the hashes of models fitted in one process."""

from __future__ import annotations

import json
from functools import partial

import dask.array as da
import dask.dataframe as dd
import pytest

from models.digest import HASHES, hash_of, model_arrays, only_here
from models.shorthand import TABLES, forest
from models.stream_cases import MODELS
from rarewood import RareForestClassifier
from rarewood.dask import DaskRareForestClassifier, DaskRareTreeClassifier

PINNED = json.loads(HASHES.read_text())
NUMBERS = {
    "default/forest/two": partial(forest, n_estimators=100),
    "search/bins-16/forest/missing": partial(forest, splitter="best", max_bins=16),
    "draw/both": partial(forest, splitter="best", bootstrap=True, balance=True),
}

pytestmark = only_here


def on_cluster(model, **params):
    """Return an estimator for clusters with the parameters of one for a single process."""
    is_forest = isinstance(model, RareForestClassifier)
    kind = DaskRareForestClassifier if is_forest else DaskRareTreeClassifier
    return kind(**model.get_params(), **params)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", MODELS)
def test_rows_distributed(client, name, weighted):
    data = TABLES["mixed-three"]()
    frame = dd.from_pandas(data.X.assign(label=data.y, weight=data.weight), npartitions=3)
    if not weighted:
        frame = frame.drop(columns="weight")
    model = on_cluster(MODELS[name]()).fit(frame, "label", "weight" if weighted else None)
    pinned = PINNED[f"binned/{name}/mixed" + "/weighted" * weighted]
    assert hash_of(model_arrays(model, data.rows)) == pinned


@pytest.mark.parametrize("name", NUMBERS)
def test_trees_distributed(client, name):
    data = TABLES["two" if name.endswith("two") else "missing"]()
    tables = [da.from_array(values, chunks=150) for values in (data.X, data.y)]
    model = on_cluster(NUMBERS[name](), strategy="trees").fit(*tables)
    assert hash_of(model_arrays(model, data.rows)) == PINNED[name]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", [name for name in MODELS if name.startswith("forest")])
def test_trees_of_binned_forests_distributed(client, name, weighted):
    data = TABLES["mixed-three"]()
    weights = data.weight if weighted else None
    model = on_cluster(MODELS[name](), strategy="trees").fit(data.X, data.y, weights)
    pinned = PINNED[f"binned/{name}/mixed" + "/weighted" * weighted]
    assert hash_of(model_arrays(model, data.rows)) == pinned

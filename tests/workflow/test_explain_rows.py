"""The highest rows of a table with their reasons, and the explanation of several rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import rarewood
from rarewood import workflow
from rarewood.explain import shap_values
from support.customers import customers

NEW = customers(400, seed=1)


@pytest.fixture(scope="module", params=["hddt", "rare-forest"])
def fitted(request, tmp_path_factory):
    out = tmp_path_factory.mktemp("m") / "m.rarewood"
    params = {"n_estimators": 10} if request.param == "rare-forest" else {}
    return workflow.fit(customers(), "cheats", out=out, model=request.param, params=params)


def features(fitted, rows):
    recipe = rarewood.modelfile.describe(fitted.path)["notes"]["fit"]["recipe"]
    return rarewood.intake.apply_recipe(recipe, rows)


@pytest.mark.parametrize("chunk_rows", [400, 37])
@pytest.mark.parametrize("top", [1, 25, 1000])
def test_the_top_rows_are_those_of_all_predictions(fitted, top, chunk_rows):
    whole = workflow.predict(fitted, NEW).frame
    found = workflow.predict(fitted, NEW, top=top, why=True, chunk_rows=chunk_rows)
    assert found.n_rows == 400
    assert found.counts == workflow.predict(fitted, NEW).counts
    order = np.argsort(-whole["probability_yes"].to_numpy(), kind="stable")[:top]
    frame = found.frame
    assert frame["rank"].tolist() == list(range(1, len(order) + 1))
    assert frame["row"].tolist() == (order + 1).tolist()
    for name in whole:
        assert frame[name].tolist() == whole[name].iloc[order].tolist()


def test_the_reasons_are_the_largest_shap_values(fitted):
    frame = workflow.predict(fitted, NEW, top=5, why=True).frame
    rows = NEW.iloc[frame["row"] - 1]
    inner = fitted.model.estimator_
    values = shap_values(inner, features(fitted, rows)).of_class("yes")
    names = features(fitted, rows).columns
    for place in range(5):
        order = np.argsort(-np.abs(values[place]), kind="stable")[:3]
        for number, k in enumerate(order, start=1):
            text = frame[f"reason_{number}"].iloc[place]
            change = values[place, k]
            if change == 0:
                assert text is None
                continue
            verb = "raises" if change > 0 else "lowers"
            assert text.startswith(f"{names[k]} ")
            assert f" {verb} the score by " in text
            size = abs(float(text.rsplit(" ", 1)[1]))
            assert size == pytest.approx(abs(change), rel=0.06)


def test_reasons_of_all_rows_in_their_order(fitted):
    whole = workflow.predict(fitted, NEW).frame
    found = workflow.predict(fitted, NEW, why=True, chunk_rows=150).frame
    pd.testing.assert_frame_equal(found[list(whole)], whole)
    top = workflow.predict(fitted, NEW, top=3, why=True).frame
    for _, row in top.iterrows():
        same = found.iloc[row["row"] - 1]
        assert [same[f"reason_{k}"] for k in (1, 2, 3)] == [row[f"reason_{k}"] for k in (1, 2, 3)]


def test_several_rows_by_number_and_identifier(fitted):
    found = workflow.explain_rows(fitted, NEW, [7, 3], row_ids=["000009", "000006"])
    assert [one["row"] for one in found] == [7, 3, 10]  # the last one is row 7
    assert [one["ids"]["customer"] for one in found] == ["000006", "000002", "000009"]
    for one in found:
        assert one == workflow.explain(fitted, NEW, one["row"])
        sizes = [abs(part["shap_value"]) for part in one["shap_values"]]
        assert len(one["reasons"]) == min(3, len(sizes))


def test_all_rows_of_a_value_of_another_column(fitted):
    vips = np.flatnonzero(NEW["vip"])
    found = workflow.explain_rows(fitted, NEW, row_ids=["True"], id="vip")
    assert [one["row"] for one in found] == (vips + 1).tolist()[:100]
    many = pd.concat([NEW] * 3, ignore_index=True)
    found = workflow.explain_rows(fitted, many, row_ids=[True], id="vip")
    assert len(found) == 100
    assert "the first 100 are explained" in found[0]["notes"][0]


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({}, "No row is chosen"),
        ({"rows": [0]}, "counted from 1"),
        ({"rows": [401]}, "has 400 rows: there is no row 401"),
        ({"row_ids": ["nobody"]}, "has no row with 'nobody' in the column 'customer'"),
        ({"row_ids": ["x"], "id": "custom"}, "Did you mean 'customer'"),
    ],
)
def test_rows_that_do_not_exist(fitted, chosen, message):
    with pytest.raises(ValueError, match=message):
        workflow.explain_rows(fitted, NEW, **chosen)


def test_a_table_without_identifiers(fitted):
    with pytest.raises(ValueError, match="name the column"):
        workflow.explain_rows(fitted, NEW.drop(columns="customer"), row_ids=["000001"])


def test_a_column_named_like_the_output(fitted):
    table = NEW.rename(columns={"customer": "rank"})
    with pytest.raises(ValueError, match="'rank' conflicts"):
        workflow.predict(fitted, table, id=["rank"], top=3)

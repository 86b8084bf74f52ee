"""Errors of tables that are read in batches say what is wrong, where, and what to do."""

from __future__ import annotations

import datetime

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rarewood import RareForestClassifier, RareTreeClassifier
from rarewood.stream import Stream

GOOD = pa.table(
    {"x": np.arange(8.0), "town": list("abababab"), "y": [0, 1] * 4, "w": [1.0, 2.0] * 4}
)


def tree(**params) -> RareTreeClassifier:
    return RareTreeClassifier(max_bins=9).set_params(**params)


def refuses(pattern: str, X, y="y", weight=None, error=ValueError, model=None) -> None:
    model = tree() if model is None else model
    with pytest.raises(error, match=pattern):
        model.fit(X, y, weight)
    assert not hasattr(model, "classes_")


def changed(**columns) -> pa.Table:
    table = GOOD
    for name, values in columns.items():
        table = table.set_column(GOOD.column_names.index(name), name, pa.array(values))
    return table


def test_bins_are_needed():
    refuses("needs max_bins.*Set max_bins=255", Stream(GOOD), model=tree(max_bins=None))


def test_hyperplanes_over_values_need_them():
    model = RareForestClassifier(max_bins=None)
    refuses("max_bins=None compares raw values.*Set max_bins='auto'", Stream(GOOD), model=model)


def test_trees_over_other_values_are_not_added(monkeypatch):
    coded = RareForestClassifier(2, max_bins=9, warm_start=True).fit(GOOD, "y")
    coded.set_params(n_estimators=3, splitter="best")
    with pytest.raises(ValueError, match="compares coordinates of bins"):
        coded.fit(Stream(GOOD), "y")
    raw = RareForestClassifier(2, warm_start=True).fit(GOOD, "y").set_params(n_estimators=3)
    monkeypatch.setattr("rarewood.model._streamed_data.CODED_SAMPLES", 7)
    with pytest.raises(ValueError, match="compares raw values, and of 8 samples"):
        raw.fit(Stream(GOOD), "y")


def test_names_of_columns():
    refuses(r"no column 'yy' \(y\)\. Did you mean 'y'\? .*'x', 'town', 'y', 'w'", GOOD, "yy")
    refuses(r"no column 'weight' \(sample_weight\)", GOOD, "y", "weight")
    refuses(r"no column 'z' \(columns\)", Stream(GOOD, columns=["x", "z"]))
    refuses(
        "y must be the name of a column .* got ndarray", Stream(GOOD), np.zeros(8), error=TypeError
    )
    refuses("y must be the name of a column .* got NoneType", Stream(GOOD), None, error=TypeError)
    refuses("y and sample_weight are the same column, 'y'", GOOD, "y", "y")
    refuses("0 feature", GOOD.select(["y", "w"]), "y", "w")


def test_options():
    with pytest.raises(ValueError, match="codes must be"):
        Stream(GOOD, codes="disk")
    with pytest.raises(ValueError, match="batch_rows must be 1 or more; got 0"):
        Stream(GOOD, batch_rows=0)


def test_files(tmp_path):
    refuses("There is no file or folder", tmp_path / "nothing.parquet", error=FileNotFoundError)
    (tmp_path / "a.csv").write_text("x,y\n1,2\n")
    refuses("not a Parquet file. Convert it", str(tmp_path / "a.csv"))
    (tmp_path / "empty").mkdir()
    refuses("no Parquet file in empty", tmp_path / "empty")
    (tmp_path / "b.parquet").write_bytes(b"PAR1 and then something else")
    refuses("b.parquet", tmp_path / "b.parquet")


def test_files_with_other_columns(tmp_path):
    pq.write_table(GOOD, tmp_path / "a.parquet")
    pq.write_table(GOOD, tmp_path / "b.parquet")
    pq.write_table(GOOD.drop_columns("w").append_column("v", GOOD["w"]), tmp_path / "c.parquet")
    refuses("c.parquet has other columns than a.parquet: it lacks 'w'; it also has 'v'", tmp_path)
    pq.write_table(changed(town=np.arange(8), y=list("abababab")), tmp_path / "c.parquet")
    refuses("c.parquet .*'town' is int64 and was string; 'y' is string and was int64", tmp_path)


def test_files_of_one_name_are_told_apart(tmp_path):
    for day, table in (("day=1", GOOD), ("day=2", GOOD.drop_columns("w"))):
        (tmp_path / day).mkdir()
        pq.write_table(table, tmp_path / day / "part-0.parquet")
    refuses("day=2/part-0.parquet has other columns than day=1/part-0.parquet", tmp_path)


def test_two_columns_of_one_name_in_a_file(tmp_path):
    pq.write_table(GOOD, tmp_path / "a.parquet")
    pq.write_table(pa.table([GOOD["x"]] * 2, names=["x", "x"]), tmp_path / "b.parquet")
    for source in (tmp_path, tmp_path / "b.parquet", [tmp_path / "b.parquet"]):
        refuses("b.parquet has several columns named 'x'", source)


def test_no_files():
    refuses("at least one file, or batch of a table; the list is empty", [])


def test_batches_with_other_columns():
    refuses(
        "batch 1 of the iterator has other columns .*it lacks 'x'",
        iter([GOOD, GOOD.drop_columns("x")]),
    )
    refuses("part 1 of the list has other columns", [GOOD, GOOD.drop_columns("x")])
    refuses("several columns named 'x'", pa.table([GOOD["x"], GOOD["x"]], names=["x", "x"]), "x")
    refuses("batch 1 of the iterator is of the type int", iter([GOOD, 3]), error=TypeError)
    refuses("the iterator has none", iter([]))


def test_no_rows():
    refuses("0 sample", GOOD.slice(0, 0))


def test_labels():
    first = [*[0] * 5, None, 1, None]
    refuses(
        "y contains NaN or another missing value, first in row 5",
        Stream(changed(y=first), batch_rows=2),
    )
    refuses("missing value, first in row 7", changed(y=[*[0.0] * 7, np.nan]))
    refuses("Unknown label type: continuous", changed(y=np.arange(8) / 3))


def test_weights():
    refuses(
        "sample_weight contains NaN .* in row 3", changed(w=[1, 1, 1, None, 1, 1, 1, 1]), "y", "w"
    )
    refuses("Negative values in sample_weight", changed(w=[-1.0] * 8), "y", "w")
    refuses("zero for every sample", changed(w=[0.0] * 8), "y", "w")
    refuses("'town' does not hold numbers", GOOD, "y", "town")
    refuses(
        "the sum of the weights is infinite", Stream(changed(w=[1e308] * 8), batch_rows=1), "y", "w"
    )


@pytest.mark.parametrize("kind", [pa.bool_(), pa.decimal128(21, 2), pa.int8(), pa.float32()])
def test_weights_are_numbers_of_any_type(kind):
    weights = pa.array([1, 0, 1, 1] * 2).cast(kind)
    expected = tree().fit(GOOD.drop_columns(["y", "w"]), GOOD["y"], [1.0, 0.0, 1.0, 1.0] * 2)
    model = tree().fit(changed(w=weights), "y", "w")
    assert model.tree_.value.tolist() == expected.tree_.value.tolist()


def test_values():
    refuses("contains infinity .* in column 'x'", changed(x=[np.inf, *np.arange(7.0)]))
    day = datetime.date(2024, 1, 1)
    refuses(
        "column 'x' holds values of the type date32.*Convert it to numbers", changed(x=[day] * 8)
    )
    refuses("column 'town' holds text that cannot", GOOD, model=tree(categorical_features=None))
    refuses("column 'town' holds text", GOOD, model=tree(categorical_features=["x"]))


def test_values_of_rows_without_weight_do_not_matter():
    table = changed(x=[np.inf, *np.arange(7.0)], w=[0.0, *[1.0] * 7])
    assert tree().fit(table, "y", "w").tree_.n_node_samples[0] == 7


def test_a_failed_fit_leaves_the_model_as_it_was():
    model = tree().fit(GOOD, "y")
    before = model.tree_
    with pytest.raises(ValueError, match="infinity"):
        model.fit(changed(x=[np.inf] * 8), "y")
    assert model.tree_ is before


def test_trees_are_added_only_to_a_forest_of_the_same_columns():
    model = RareForestClassifier(2, max_bins=9, splitter="best", warm_start=True).fit(
        Stream(GOOD), "y"
    )
    model.set_params(n_estimators=4)
    with pytest.raises(ValueError, match=r"no column 'town' \(columns\)"):
        model.fit(Stream(GOOD.drop_columns("town")), "y")

"""What is found in a table: kinds of columns, classes, and what is skipped and why."""

from __future__ import annotations

import datetime
import json

import numpy as np
import pandas as pd
import pytest

from rarewood import RareTreeClassifier
from rarewood.intake import TableError, apply_recipe, open_table, prepare
from rarewood.intake._recipe import column_types

N = 120
DAYS = pd.date_range("2024-01-01", periods=N)


def inspect(*args, **options):
    return prepare(*args, **options).findings


def column(values, name="x"):
    table = pd.DataFrame({name: values, "z": np.arange(N) % 7, "y": np.arange(N) % 10 == 0})
    (found,) = [c for c in inspect(table, "y").columns if c.name == name]
    return found


@pytest.mark.parametrize(
    ("values", "kind", "used"),
    [
        (np.random.RandomState(0).rand(N), "numeric", True),
        (np.arange(N) % 4, "numeric", True),
        (np.where(np.arange(N) % 4, "a", "b"), "categorical", True),
        (np.arange(N) % 3 == 0, "boolean", True),
        (DAYS, "date", False),
        (DAYS.strftime("%d.%m.%Y"), "date", False),
        (DAYS.strftime("%m/%d/%Y %H:%M"), "date", False),
        ([datetime.time(k % 24) for k in range(N)], "date", False),
        (pd.to_timedelta(np.arange(N), unit="D"), "date", False),
        ([f"the customer said {k} words" for k in range(N)], "text", False),
        ([f"w{k % 80}" for k in range(N)], "text", False),
        ([f"A-{k}" for k in range(N)], "id", False),
        (np.arange(N), "id", False),
        (np.arange(N)[::-1] * 3, "id", False),
        (np.full(N, 2), "constant", False),
        (["a"] * N, "constant", False),
        (np.full(N, np.nan), "empty", False),
        ([[k] for k in range(N)], "other", False),
        ([str(k / 7) if k % 20 else "unknown" for k in range(N)], "text", False),
    ],
)
def test_kinds(values, kind, used):
    found = column(values)
    assert (found.kind, found.used) == (kind, used)
    assert found.used or found.reason


def test_whole_numbers_that_differ_in_every_row():
    shuffled = np.random.RandomState(0).permutation(N)
    found = column(shuffled)
    assert found.used
    assert "--drop" in found.reason
    for name in ("id", "customer_id", "customerId", "Unnamed: 0", "ID"):
        assert column(shuffled, name).kind == "id"
    for name in ("paid", "width", "Sydney"):
        assert column(shuffled, name).kind == "numeric"
    assert column(shuffled + 0.5).reason == ""


def table():
    draw = np.random.RandomState(0)
    return pd.DataFrame(
        {
            "amount": draw.rand(N) * 100,
            "city": draw.choice(["Rom", "Oslo"], N),
            "open": draw.rand(N) < 0.5,
            "day": DAYS,
            "written": DAYS.strftime("%d/%m/%Y"),
            "code": [f"A-{k}" for k in range(N)],
            "odd": [str(k) if k % 20 else "unknown" for k in range(N)],
            "y": np.where(np.arange(N) % 10, "good", "bad"),
        }
    )


def test_counts_missing_values_and_classes():
    frame = table()
    frame.loc[[1, 2], "amount"] = np.nan
    frame.loc[5, "amount"] = np.inf
    frame.loc[[3, 20], "y"] = None
    found = inspect(frame, "y")
    assert (found.n_rows, found.n_unlabelled) == (N - 2, 2)
    assert found.classes == {"good": 107, "bad": 11}
    assert (found.pos_label, found.n_rare) == ("bad", 11)
    assert found.imbalance == pytest.approx(107 / 11)
    assert found.n_missing == 2
    assert "1 infinite or unparsable value treated as missing" in found.notes
    amount = found.columns[0]
    assert (amount.name, amount.n_missing, amount.n_distinct) == ("amount", 2, N - 4)
    assert found.columns[1].categories == frame.drop([3, 20])["city"].value_counts().to_dict()
    text = "\n".join(found.lines())
    assert "118 rows, 3 columns used (1 numeric, 1 categorical, 1 boolean), 2 missing va" in text
    assert "left out: 2 rows without a label" in text
    assert "skipped 'day': it contains dates" in text


def test_many_skipped_columns_are_not_listed_one_by_one():
    frame = pd.DataFrame({f"c{k}": 1 for k in range(40)} | {"x": np.arange(N) % 7}, index=range(N))
    text = "\n".join(inspect(frame.assign(y=np.arange(N) % 3), "y").lines())
    assert text.count("skipped") == 16
    assert "skipped 25 more columns: c15, c16" in text


def test_many_doubtful_columns_are_not_listed_one_by_one():
    draw = np.random.RandomState(0)
    frame = pd.DataFrame({f"c{k}": draw.permutation(N) for k in range(40)})
    text = "\n".join(inspect(frame.assign(y=np.arange(N) % 3), "y").lines())
    assert text.count("note on 'c") == 15
    assert "note on 25 more columns: c15, c16" in text


def test_plain_data():
    found = inspect(table(), "y")
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert plain == found.to_dict()
    assert [column["name"] for column in plain["columns"] if column["used"]] == found.used
    assert plain["imbalance"] == found.imbalance


def test_dates_text_and_identifiers_are_used_when_asked_for():
    taken = prepare(table(), "y", keep=["day", "written", "code", "odd"])
    assert list(taken.X.columns) == [*table().columns[:-1]]
    days = np.arange(N) + (pd.Timestamp("2024-01-01") - pd.Timestamp(0)).days
    np.testing.assert_array_equal(taken.X["day"], days)
    np.testing.assert_array_equal(taken.X["written"], days)
    assert taken.X["code"].dtype == "category"
    np.testing.assert_array_equal(taken.X["odd"], [k if k % 20 else np.nan for k in range(N)])
    reasons = {c.name: c.reason for c in taken.findings.columns}
    assert reasons["day"] == "kept as requested, although it contains dates"
    RareTreeClassifier().fit(taken.X, taken.y)
    lists = pd.DataFrame({"l": [[1]] * N, "y": np.arange(N) % 2, "z": np.arange(N) % 5})
    with pytest.raises(TableError, match="'l' contains values of type list"):
        prepare(lists, "y", keep=["l"])


def test_columns_left_out():
    found = inspect(table(), "y", drop=["amount"])
    assert "dropped as requested: amount" in found.notes
    assert "amount" not in [column.name for column in found.columns]


def test_a_recipe_makes_the_same_features_of_a_stream(tmp_path):
    frame = table()
    frame.loc[3, "amount"] = np.nan
    frame["open"] = frame["open"].astype(object).where(np.arange(N) != 7)
    frame.to_csv(tmp_path / "a.csv", index=False)
    taken = prepare(tmp_path / "a.csv", "y", keep=["day", "written", "odd"])
    json.dumps(taken.recipe)
    source = open_table(tmp_path / "a.csv")
    parts = source.chunks(50, types=column_types(taken.recipe))
    made = pd.concat([apply_recipe(taken.recipe, part).astype(object) for part in parts])
    pd.testing.assert_frame_equal(
        made.reset_index(drop=True), taken.X.astype(object), check_dtype=False
    )
    tree = RareTreeClassifier().fit(taken.X, taken.y)
    parts = source.chunks(50, types=column_types(taken.recipe))
    streamed = [tree.predict_proba(apply_recipe(taken.recipe, part)) for part in parts]
    np.testing.assert_array_equal(np.concatenate(streamed), tree.predict_proba(taken.X))


def test_a_recipe_says_what_a_table_lacks():
    recipe = prepare(table(), "y").recipe
    with pytest.raises(TableError, match=r"has no column 'city'\. Did you mean 'City'\?"):
        apply_recipe(recipe, table().rename(columns={"city": "City"}))
    with pytest.raises(TableError, match="'amount' contains 'much', which is not a number"):
        apply_recipe(recipe, table().assign(amount="much"))


def test_rare_class_and_the_rest():
    frame = table().assign(y=np.arange(N) % 4)
    assert prepare(frame, "y").pos_label == 0
    taken = prepare(frame, "y", "2")
    assert taken.pos_label == "2"
    assert taken.findings.classes == {"rest": 90, "2": 30}
    assert "4 classes were reduced to two: 2 and the rest" in taken.findings.notes
    kept = prepare(frame, "y", 2, one_vs_rest=False)
    assert (kept.pos_label, len(kept.findings.classes)) == (2, 4)
    two = prepare(frame.assign(y=np.arange(N) % 4 == 0), "y", "false")
    assert two.pos_label is False


def test_labels_keep_their_types():
    frame = table()
    assert prepare(frame.assign(y=np.arange(N) % 2 + 0.0), "y").y.dtype.kind == "i"
    assert prepare(frame.assign(y=np.arange(N) % 2 == 0), "y").y.dtype.kind == "b"
    assert prepare(frame, "y").y.dtype.kind == "U"
    halves = prepare(frame.assign(y=np.where(np.arange(N) % 3, 0.5, 1.5)), "y")
    assert set(halves.y.tolist()) == {"0.5", "1.5"}
    assert halves.pos_label == "1.5"
    mixed = frame.assign(y=pd.Series([1.0, 2.0, None] * (N // 3)))
    taken = prepare(mixed, "y")
    assert taken.y.dtype.kind == "i"
    np.testing.assert_array_equal(taken.rows, np.flatnonzero(np.arange(N) % 3 != 2))
    np.testing.assert_array_equal(taken.X["amount"], frame["amount"][taken.rows])

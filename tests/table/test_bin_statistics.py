"""A statistics of a table's parts: what it refuses, and what it sends."""

from __future__ import annotations

import pickle
import threading

import numpy as np
import pytest

from rarewood import _core

NUMERIC = np.zeros(2, dtype=np.int64)


def table(n: int = 100, seed: int = 0, dtype: type = np.float64) -> np.ndarray:
    X = np.random.default_rng(seed).normal(size=(n, 2)).astype(dtype)
    X[:, 1] = np.round(X[:, 1])
    return X


def of_table(X: np.ndarray, max_bins: int = 16, kinds: np.ndarray = NUMERIC) -> _core.BinStatistics:
    statistics = _core.BinStatistics(len(X), kinds, max_bins, X.dtype == np.float32)
    statistics.add(0, X)
    return statistics


def test_what_it_says_of_itself():
    statistics = _core.BinStatistics(2**40, NUMERIC, 16)
    assert (statistics.n_rows, statistics.n_rows_seen, statistics.n_features) == (2**40, 0, 2)
    assert (statistics.max_bins, statistics.is_float32) == (16, False)
    statistics.add(2**40 - 100, table())
    statistics.add(2**31 - 50, table())
    assert statistics.n_rows_seen == 200


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, NUMERIC, 16), "number of rows of the whole table"),
        ((-1, NUMERIC, 16), "number of rows of the whole table"),
        ((2**49, NUMERIC, 16), "number of rows of the whole table"),
        ((10, NUMERIC, 0), "2 ... 255"),
        ((10, NUMERIC, 1), "2 ... 255"),
        ((10, NUMERIC, 256), "2 ... 255"),
        ((10, np.array([-1]), 16), "categories"),
        ((10, np.array([2**24 + 1]), 16), "categories"),
    ],
)
def test_bad_tables(arguments, message):
    with pytest.raises(ValueError, match=message.replace("...", r"\.\.\.")):
        _core.BinStatistics(*arguments)


@pytest.mark.parametrize(
    ("first_row", "X", "message"),
    [
        (0, table(1)[:, :1], "1 columns, but the statistics is of 2"),
        (-1, table(1), "from row -1 on"),
        (95, table(6), "6 rows from row 95 on"),
        (2**63 - 1, table(1), "the table has the rows 0 ... 99"),
        (19, table(2), "rows 19 ... 20 have been added before"),
        (29, table(1), "added before"),
        (10, table(30), "added before"),
        (40, np.array([[1.0, np.inf]]), "column 1 holds an infinite value"),
        (40, np.array([[-np.inf, 1.0]]), "column 0 holds an infinite value"),
    ],
)
def test_bad_rows_leave_the_survey_as_it_was(first_row, X, message):
    statistics = _core.BinStatistics(100, NUMERIC, 16)
    statistics.add(20, table(10))
    before = pickle.dumps(statistics.state())
    with pytest.raises(ValueError, match=message.replace("...", r"\.\.\.")):
        statistics.add(first_row, X)
    assert pickle.dumps(statistics.state()) == before


def test_precision():
    with pytest.raises(ValueError, match="rows of float32"):
        _core.BinStatistics(100, NUMERIC, 16, is_float32=True).add(0, table())
    narrow = table(dtype=np.float32)
    wide = _core.BinStatistics(100, NUMERIC, 16)
    wide.add(0, narrow)
    for a, b in zip(wide.finish().edges, of_table(narrow).finish().edges, strict=True):
        np.testing.assert_array_equal(a, b)
    for bad in (table().astype(int), table().astype("U"), table()[0]):
        with pytest.raises(TypeError):
            _core.BinStatistics(100, NUMERIC, 16).add(0, bad)


@pytest.mark.parametrize("value", [3.0, -1.0, 0.5, np.inf])
def test_bad_categories_are_refused_as_columns_refuse_them(value):
    X, kinds = np.array([[0.0], [value]]), np.array([3])
    with pytest.raises(ValueError) as of_columns:
        _core.Columns(X, kinds, 16, 1)
    with pytest.raises(ValueError) as of_survey:
        _core.BinStatistics(2, kinds, 16).add(0, X)
    with pytest.raises(ValueError) as of_bins:
        _core.Bins([np.empty(0)], kinds, np.array([True]), 16).encode(X)
    assert str(of_columns.value) == str(of_survey.value) == str(of_bins.value)


def test_merging():
    X = table()
    left, right = _core.BinStatistics(100, NUMERIC, 16), _core.BinStatistics(100, NUMERIC, 16)
    left.add(0, X[:60])
    right.add(60, X[60:])
    with pytest.raises(ValueError, match="have seen 60 rows of 100"):
        left.finish()
    with pytest.raises(ValueError, match=r"both statistics have seen some of the rows 0 \.\.\. 59"):
        left.merge(left)
    left.merge(right)
    right.merge(_core.BinStatistics(100, NUMERIC, 16))
    assert (left.n_rows_seen, right.n_rows_seen) == (100, 40)
    for a, b in zip(left.finish().edges, of_table(X).finish().edges, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(
    "other",
    [
        (101, NUMERIC, 16),
        (100, NUMERIC[:1], 16),
        (100, NUMERIC + 2, 16),
        (100, NUMERIC, 17),
        (100, NUMERIC, 16, True),
    ],
)
def test_surveys_of_other_tables_are_not_merged(other):
    with pytest.raises(ValueError, match="of the same table"):
        _core.BinStatistics(100, NUMERIC, 16).merge(_core.BinStatistics(*other))


def test_threads_may_share_a_survey():
    X = table(20_000)
    statistics = _core.BinStatistics(len(X), NUMERIC, 64)

    def work(part: int) -> None:
        for begin in range(part * 100, len(X), 400):
            statistics.add(begin, X[begin : begin + 100])

    threads = [threading.Thread(target=work, args=(part,)) for part in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statistics.n_rows_seen == len(X)
    for a, b in zip(statistics.finish().edges, of_table(X, 64).finish().edges, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(("dtype", "size"), [(np.float32, 4), (np.float64, 8)])
def test_a_state_is_small(dtype, size):
    state = of_table(table(10_000, dtype=dtype)).state()
    assert len(pickle.dumps(state)) < 2 * 10_000 * size + 2000
    few_rows = _core.BinStatistics(10**9, NUMERIC, 16)
    few_rows.add(10**8, table(10_000))
    assert len(pickle.dumps(few_rows.state())) < 2000


# --------------------------------------------------------------------------- states from outside


def example_state() -> dict:
    X = np.column_stack([table(), np.arange(100) % 3])
    X[3, 0] = np.nan
    statistics = _core.BinStatistics(300, np.array([0, 0, 3]), 16)
    statistics.add(0, X)
    statistics.add(150, X)
    return statistics.state()


CORRUPTIONS = {
    "no rows": lambda s: s.update(n_rows=0),
    "fewer rows than were seen": lambda s: s.update(n_rows=249),
    "bins": lambda s: s.update(max_bins=300),
    "fewer bins than values": lambda s: s.update(max_bins=2),
    "precision": lambda s: s.update(is_float32=True),
    "a kind": lambda s: s["n_categories"].__setitem__(0, 5),
    "another kind": lambda s: s["n_categories"].__setitem__(2, 0),
    "a negative kind": lambda s: s["n_categories"].__setitem__(2, -1),
    "a column less": lambda s: s.update(n_categories=s["n_categories"][:2]),
    "missing too short": lambda s: s.update(has_missing=s["has_missing"][:2]),
    "nothing missing": lambda s: s["has_missing"].__setitem__(0, False),
    "few too short": lambda s: s.update(has_few=s["has_few"][:2]),
    "not few": lambda s: s["has_few"].__setitem__(1, False),
    "categorical is not few": lambda s: s["has_few"].__setitem__(2, False),
    "a run without end": lambda s: s.update(run=s["run"][:3]),
    "a run is empty": lambda s: s["run"].__setitem__(1, 0),
    "runs overlap": lambda s: s["run"].__setitem__(2, 99),
    "runs touch": lambda s: s["run"].__setitem__(2, 100),
    "a run leaves the table": lambda s: s["run"].__setitem__(3, 301),
    "a run begins before it": lambda s: s["run"].__setitem__(0, -1),
    "runs of another size": lambda s: s["run"].__setitem__(3, 251),
    "no run": lambda s: s.update(run=s["run"][:0]),
    "sample offsets fall": lambda s: s["sample_offset"].__setitem__(1, 10**9),
    "sample offsets negative": lambda s: s["sample_offset"].__setitem__(0, -1),
    "sample offsets too short": lambda s: s.update(sample_offset=s["sample_offset"][:-1]),
    "no sample offsets": lambda s: s.update(sample_offset=s["sample_offset"][:0]),
    "sample too short": lambda s: s.update(sample=s["sample"][:-1]),
    "sample infinite": lambda s: s["sample"].__setitem__(0, np.inf),
    "sample missing": lambda s: s["sample"].__setitem__(0, np.nan),
    "value offsets fall": lambda s: s["value_offset"].__setitem__(2, -1),
    "values too short": lambda s: s.update(value=s["value"][:-1]),
    "values infinite": lambda s: s["value"].__setitem__(-1, np.inf),
    "values fall": lambda s: s.update(value=s["value"][::-1].copy()),
    "values repeat": lambda s: s["value"].__setitem__(1, s["value"][0]),
    "wrong type": lambda s: s.update(sample="much"),
    "wrong shape": lambda s: s.update(run=s["run"].reshape(2, 2)),
    "a key is missing": lambda s: s.pop("run"),
}


@pytest.mark.parametrize("corruption", CORRUPTIONS.values(), ids=CORRUPTIONS.keys())
def test_corrupt_states_are_refused(corruption):
    state = example_state()
    corruption(state)
    with pytest.raises(ValueError):
        _core.BinStatistics.from_state(state)


def test_the_uncorrupted_state_is_accepted():
    state = example_state()
    copy = _core.BinStatistics.from_state(state)
    assert copy.n_rows_seen == 200
    assert pickle.dumps(copy.state()) == pickle.dumps(state)


def test_random_damage_never_crashes():
    rng = np.random.default_rng(0)
    clean = example_state()
    X = np.column_stack([table(), np.zeros(100)])
    names = [name for name, value in clean.items() if isinstance(value, np.ndarray) and value.size]
    n_accepted = 0
    for _ in range(500):
        name = names[rng.integers(len(names))]
        damaged = clean[name].copy()
        damaged[rng.integers(damaged.size)] = rng.choice([-(2**31), -1, 0, 1, 2, 100, 150, 2**31])
        try:
            statistics = _core.BinStatistics.from_state(clean | {name: damaged})
        except ValueError:
            continue
        n_accepted += 1
        for first_row in (100, 250):
            statistics.add(first_row, X[:50])
        assert len(statistics.finish().edges) == 3
    assert n_accepted > 0

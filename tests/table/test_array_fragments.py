"""An array that is looked at and coded as it lies is what the same numbers in a table are."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from rarewood.stream._bin_statistics import collect_bin_statistics
from rarewood.stream._encoding import encode_batches
from rarewood.stream._read_batches import side_by_side
from rarewood.table._array_fragment import ArrayFragment
from rarewood.table._column_roles import assign_roles
from rarewood.table._inputs import open_rows
from rarewood.table._table import Table
from rarewood.table._targets import read_targets

NAMES = ("a", "b", "c")
DTYPES = ["f2", "f4", "f8", "i1", "u2", "i4", "i8"]


def as_table(values, labels, weights) -> pa.Table:
    """The slow twin: every column by itself, as Arrow has it."""
    columns = {name: pa.array(list(values[:, j])) for j, name in enumerate(NAMES)}
    return pa.table(columns | {"y": labels, "w": weights})


@st.composite
def laid_out(draw):
    """Numbers of any type in any order of memory, cut anywhere; some are missing."""
    n_rows = draw(st.integers(1, 60))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    values = rng.integers(0, draw(st.sampled_from([3, 100])), (n_rows, 6))
    values = values.astype(draw(st.sampled_from(DTYPES)))
    if values.dtype.kind == "f" and draw(st.booleans()):
        values[rng.random(values.shape) < 0.1] = np.nan
    roles = draw(st.sampled_from(["C", "F", "columns apart", "backwards", "unaligned"]))
    if roles == "columns apart":
        values = values[:, ::2]
    elif roles == "backwards":
        values = values[::-1, 2::-1]
    elif roles == "unaligned":
        room = np.zeros(n_rows * 3 * values.itemsize + 1, dtype=np.uint8)
        moved = room[1:].view(values.dtype).reshape(n_rows, 3)
        moved[:] = values[:, :3]
        values = moved
    else:
        values = np.array(values[:, :3], order=roles)
    labels, weights = rng.integers(0, 3, n_rows), rng.integers(0, 3, n_rows) / 2
    weights[rng.integers(n_rows)] = 1
    cuts = sorted(draw(st.lists(st.integers(0, n_rows), max_size=3)))
    return values, labels, weights, [0, *cuts, n_rows]


def coded(rows, roles, batch_rows):
    raw = read_targets(rows, roles, batch_rows=batch_rows)
    targets = raw.targets(None)
    kept, n_kept = targets.kept, len(targets.y)
    statistics = collect_bin_statistics(rows, roles, kept, 0, n_kept, 20, batch_rows=batch_rows)
    encoding = statistics.finish()
    return (
        encode_batches(rows, encoding, kept, batch_rows=batch_rows).codes,
        encoding,
        targets.y,
    )


@given(laid_out(), st.integers(1, 70), st.permutations(NAMES))
def test_an_array_is_coded_as_a_table(given_table, batch_rows, columns):
    values, labels, weights, cuts = given_table
    fragments = []
    for begin, end in pairwise(cuts):
        others = pa.table({"y": labels[begin:end], "w": weights[begin:end]})
        fragments.append(ArrayFragment.of(values[begin:end], NAMES, others, "a part"))
    rows = Table("the array", fragments[0].schema, fragments)
    table = open_rows(as_table(values, labels, weights))
    assert rows.schema.equals(table.schema)
    roles = assign_roles(rows.schema, "y", "w", columns=columns)
    expected = coded(table, roles, 1000)
    found = coded(rows, roles, batch_rows)
    assert_array_equal(found[0], expected[0], strict=True)
    assert_array_equal(found[2], expected[2], strict=True)
    for edges, others in zip(found[1].bins.edges, expected[1].bins.edges, strict=True):
        assert_array_equal(edges, others, strict=True)
    assert found[1].schema.has_missing == expected[1].schema.has_missing


@given(laid_out(), st.integers(1, 70))
def test_an_array_is_read_as_a_table(given_table, batch_rows):
    values, labels, weights, _ = given_table
    fragment = ArrayFragment.of(values, NAMES, pa.table({"y": labels, "w": weights}), "a part")
    batches = list(fragment.batches(["w", "c", "y", "a"], batch_rows))
    assert all(0 < batch.num_rows <= batch_rows for batch in batches)
    expected = as_table(values, labels, weights).select(["w", "c", "y", "a"])
    found = pa.Table.from_batches(batches)
    assert found.schema.equals(expected.schema)
    for name in found.column_names:
        assert_array_equal(found[name].to_numpy(), expected[name].to_numpy(), strict=True)


@st.composite
def columns_of_tables(draw):
    """Columns of a matrix in Fortran order, some of them left out, turned round, or copied."""
    n_rows, n_columns = draw(st.integers(1, 5)), draw(st.integers(1, 6))
    matrix = np.asfortranarray(np.arange(n_rows * n_columns, dtype=np.float32).reshape(n_rows, -1))
    step = draw(st.sampled_from([1, 2, -1]))
    columns = [matrix[:, j] for j in range(n_columns)][::step]
    if draw(st.booleans()):
        place = draw(st.integers(0, len(columns) - 1))
        columns[place] = columns[place].astype(draw(st.sampled_from(["f4", "f8"])))
    return columns


@given(columns_of_tables())
def test_columns_side_by_side_are_not_copied(columns):
    found = side_by_side(columns, np.float32)
    if found is not None:
        assert_array_equal(found, np.column_stack(columns), strict=True)
        assert np.shares_memory(found, columns[-1])


def test_columns_of_a_table_of_one_type():
    matrix = np.asfortranarray(np.random.default_rng(0).random((100, 4)))
    columns = [matrix[:, j] for j in range(4)]
    assert np.shares_memory(side_by_side(columns, np.float64), matrix)
    assert side_by_side(columns[::3], np.float64).shape == (100, 2)
    assert side_by_side([columns[0], columns[1], columns[3]], np.float64) is None
    assert side_by_side(columns, np.float32) is None
    assert (
        side_by_side([row[:1] for row in np.ascontiguousarray(matrix)][:2], np.float64) is not None
    )
    assert side_by_side([matrix[::2, 0]], np.float64) is None

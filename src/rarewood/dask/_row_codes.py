"""Encoding by row for oblique splits: workers encode their shards, and one joins the codes."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import numpy as np

from rarewood._progress import progress_if
from rarewood.dask._partitions import partition_rows
from rarewood.dask._passes import Passes
from rarewood.dask._scoped_client import ScopedClient
from rarewood.dask._source import Source
from rarewood.dask._tree_tasks import SharedTable
from rarewood.model._coded_data import CodedData
from rarewood.stream._encoding import Encoding, encode_rows
from rarewood.table._coded_table import CodedTable
from rarewood.table._schema import Schema
from rarewood.table._targets import Targets


def submit_coded(
    client: ScopedClient, forest: Any, source: Source, class_weight: Any, fitted: Schema | None
) -> Any:
    """Return the future of a SharedTable with codes; None if the trees are to compare raw values.

    ``fitted`` is the schema of a forest to which trees are added.
    """
    from rarewood.model._parameters import coded_bins  # with scikit-learn, which workers need not

    threads = client.nthreads()
    passes = Passes(client, source, sorted(threads))
    n_rows, n_threads = sum(passes.shard_rows), min(threads.values())
    with progress_if(forest.verbose, n_rows, "labels read") as on_rows:
        passes.read_targets(forest.categorical_features, class_weight, fitted, on_rows)
    max_bins = coded_bins(forest, passes.n_kept, fitted)
    if max_bins is None:
        return None
    with progress_if(forest.verbose, n_rows, "rows read for bins") as on_rows:
        encoding = passes.choose_encoding(max_bins, n_threads, on_rows, has_coordinates=True)
    # Rows of weight zero are used by out-of-bag scores only.
    is_all = bool(forest.oob_score) and not passes.is_whole
    parts = passes.submit_all(encode_part, encoding, n_threads, is_all)
    return client.submit(
        join_codes, parts, passes.targets, encoding.schema, passes.is_weighted, is_all
    )


def encode_part(
    rows: Any, targets: Targets, encoding: Encoding, n_threads: int, is_all: bool
) -> CodedTable:
    """Encode the samples of a shard; unless ``is_all``, without those of weight zero."""
    kept = None if is_all else targets.kept
    return encode_rows(partition_rows(rows), encoding, kept, n_threads=n_threads)


def join_codes(
    parts: list[CodedTable], targets: list[Targets], schema: Schema, is_weighted: bool, is_all: bool
) -> SharedTable:
    """Return the encoded shards as one table; ``is_all`` as they were encoded."""
    joined = join_targets(targets, is_weighted)
    coded = CodedTable(
        parts[0].bins,
        np.concatenate([part.codes for part in parts]),
        {j: np.concatenate([part.wide[j] for part in parts]) for j in parts[0].wide},
    )
    given = coded if is_all else None
    if is_all and joined.rows is not None:
        coded = coded.take(joined.rows)
    return SharedTable(CodedData(schema, *joined, coded, given), None)


def join_targets(targets: list[Targets], is_weighted: bool) -> Targets:
    """Return the targets of consecutive shards as those of one table."""
    firsts = accumulate((len(one.y_given) for one in targets), initial=0)
    rows = None
    if any(one.rows is not None for one in targets):
        rows = np.concatenate(
            [
                first + (np.arange(len(one.y)) if one.rows is None else one.rows)
                for one, first in zip(targets, firsts, strict=False)
            ]
        )
    return Targets(
        targets[0].classes,
        np.concatenate([one.y for one in targets]),
        np.concatenate([one.weights_or_ones for one in targets]) if is_weighted else None,
        rows,
        np.concatenate([one.y_given for one in targets]),
    )

"""The way in for every input: a table of any kind becomes checked and encoded training data.

``_stream.as_input`` decides once whether a table is in memory (``_in_memory``: arrays, pandas,
polars, pyarrow) or read in batches (``_table.Table``, made of ``_fragments``: Parquet files, data
sets, iterators, partitions of Dask). ``_columns`` reads a column of any library; ``_encode`` makes
a matrix and a :class:`~rarewood.table._schema.Schema` of a table in memory; ``_column_roles``
assigns features, labels and weights of a table in batches; ``_labels`` and ``_targets`` check
labels and weights of both. Batches are encoded by :mod:`rarewood.stream`.
"""

// Bins with coordinates of a sparse table: those of the same table in memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "table/sparse.hpp"
#include "table/table_bins.hpp"

namespace rarewood {

// `classes` of the rows, and the number of rows of each.
template <class T>
TableBins choose_sparse_bins(const SparseMatrix<T>& sparse, std::span<const std::int32_t> classes,
                             std::span<const std::int64_t> class_counts, int max_bins,
                             int n_threads);

// Writes the coordinate of each entry; missing ones stay so. Returns that of zeros in each column.
template <class T, class Value>
std::vector<Value> snap_entries(const TableBins& bins, const SparseMatrix<T>& sparse, Value* out,
                                int n_threads);

}  // namespace rarewood

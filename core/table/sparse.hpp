// A table by its values that are not zero, column by column.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/types.hpp"

namespace rarewood {

// A view: the entries of column f are begin[f] ... begin[f + 1] - 1, with ascending rows. All other
// values are zero; NaN is missing.
template <class T>
struct SparseMatrix {
  const T* values = nullptr;
  const Row* rows = nullptr;
  const std::int64_t* begin = nullptr;
  std::size_t n_rows = 0;
  std::size_t n_columns = 0;

  std::span<const Row> rows_of(std::size_t f) const {
    return {rows + begin[f], static_cast<std::size_t>(begin[f + 1] - begin[f])};
  }
  const T* values_of(std::size_t f) const { return values + begin[f]; }

  T at(std::size_t row, std::size_t f) const {
    const std::span<const Row> entries = rows_of(f);
    const auto found = std::lower_bound(entries.begin(), entries.end(), static_cast<Row>(row));
    return found != entries.end() && *found == row ? values_of(f)[found - entries.begin()] : T{0};
  }
};

// The same table row by row: the entries of row r are begin[r] ... begin[r + 1] - 1, with ascending
// features.
template <class T>
struct SparseRows {
  std::vector<std::size_t> begin;
  std::vector<int> feature;
  std::vector<T> value;
};

template <class T>
SparseRows<T> by_row(const SparseMatrix<T>& sparse) {
  SparseRows<T> out;
  out.begin.assign(sparse.n_rows + 1, 0);
  const auto n = static_cast<std::size_t>(sparse.begin[sparse.n_columns]);
  for (std::size_t i = 0; i < n; ++i) ++out.begin[sparse.rows[i] + 1];
  for (std::size_t r = 0; r < sparse.n_rows; ++r) out.begin[r + 1] += out.begin[r];
  out.feature.resize(n);
  out.value.resize(n);
  std::vector<std::size_t> next(out.begin.begin(), out.begin.end() - 1);
  for (std::size_t f = 0; f < sparse.n_columns; ++f) {
    const std::span<const Row> rows = sparse.rows_of(f);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t at = next[rows[i]]++;
      out.feature[at] = static_cast<int>(f);
      out.value[at] = sparse.values_of(f)[i];
    }
  }
  return out;
}

}  // namespace rarewood

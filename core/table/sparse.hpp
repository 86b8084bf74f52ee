// A table by its values that are not zero, column by column.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

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

}  // namespace rarewood

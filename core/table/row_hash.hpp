// A hash of the values of each row: equal rows have equal hashes, wherever they are.
#pragma once

#include <cstdint>
#include <vector>

#include "table/columns.hpp"

namespace rarewood {

// One hash per row, of its values as doubles. Zeros of both signs are equal, and so are all missing
// values.
template <class T>
std::vector<std::uint64_t> row_hashes(const Matrix<T>& x, int n_threads);

// One hash per row, of its values only: those of a table of codes are their coordinates. Categories
// of wide columns count as values.
std::vector<std::uint32_t> content_hashes(const Columns& columns, int n_threads);

}  // namespace rarewood

// Checks raw values before they are used.
#pragma once

#include <span>
#include <vector>

#include "table/columns.hpp"

namespace rarewood {

// Is a value of this block of a column missing? Throws std::invalid_argument if one is infinite, or
// not a category number of a categorical column.
template <class T>
bool inspect_block(const T* values, std::size_t n, std::size_t f, const Column& column);

// The same for all columns of a matrix: which columns have missing values.
template <class T>
std::vector<char> inspect(const Matrix<T>& raw, std::span<const Column> columns, int n_threads);

}  // namespace rarewood

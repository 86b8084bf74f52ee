// Checks raw values before they are used.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "base/finite.hpp"
#include "base/throw_if.hpp"
#include "table/columns.hpp"
#include "table/row_blocks.hpp"

namespace rarewood {

namespace detail {

template <class T>
bool has_nan(const T* values, std::size_t n) {
  bool any = false;
  for (std::size_t i = 0; i < n; ++i) any |= values[i] != values[i];
  return any;
}

// One contiguous pass over a matrix of either order; false also when it is not contiguous.
template <class T>
bool is_dense_and_finite(const Matrix<T>& raw) {
  const auto rows = static_cast<std::ptrdiff_t>(raw.n_rows);
  const auto columns = static_cast<std::ptrdiff_t>(raw.n_columns);
  const bool by_row = raw.column_stride == 1 && raw.row_stride == columns;
  const bool by_column = raw.row_stride == 1 && raw.column_stride == rows;
  return (by_row || by_column) && all_finite(raw.data, raw.n_rows * raw.n_columns);
}

template <class T>
void check_categorical(const T* values, std::size_t n, std::size_t f, const Column& column) {
  for (std::size_t i = 0; i < n; ++i) {
    const double x = static_cast<double>(values[i]);
    if (x != x) continue;
    throw_if(!(x >= 0 && x < static_cast<double>(column.n_categories)) || x != std::floor(x),
             "column ", f, " is categorical, so its values must be category numbers 0 ... ",
             column.n_categories - 1, "; got ", x, ".");
  }
}

}  // namespace detail

// Is a value of this block of a column missing? Throws std::invalid_argument if one is infinite, or
// not a category number of a categorical column.
template <class T>
bool inspect_block(const T* values, std::size_t n, std::size_t f, const Column& column) {
  if (column.is_categorical()) detail::check_categorical(values, n, f, column);
  if (all_finite(values, n)) return false;
  throw_if(any_infinite(values, n), "column ", f, " holds an infinite value.");
  return detail::has_nan(values, n);
}

// The same for all columns of a matrix: which columns have missing values.
template <class T>
std::vector<char> inspect(const Matrix<T>& raw, std::span<const Column> columns, int n_threads) {
  std::vector<char> has_missing(columns.size(), 0);
  const bool any_categorical = std::any_of(
      columns.begin(), columns.end(), [](const Column& column) { return column.is_categorical(); });
  if (!any_categorical && detail::is_dense_and_finite(raw)) return has_missing;
  for_each_block(raw, n_threads, [&](std::size_t f, std::size_t, const T* values, std::size_t n) {
    if (inspect_block(values, n, f, columns[f])) has_missing[f] = 1;
  });
  return has_missing;
}

}  // namespace rarewood

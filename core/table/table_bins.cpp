#include "table/table_bins.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/throw_if.hpp"
#include "table/check_values.hpp"
#include "table/encoder.hpp"
#include "table/row_blocks.hpp"

namespace rarewood {

namespace {

// Do the edges stand between whole numbers, one after the other, that are distinct in single
// precision?
bool is_between_whole_numbers(const std::vector<double>& edges) {
  if (edges.empty() || !(std::abs(edges.front()) < 1e6)) return false;
  if (edges.front() - 0.5 != std::floor(edges.front())) return false;
  for (std::size_t b = 0; b < edges.size(); ++b) {
    if (edges[b] != edges.front() + static_cast<double>(b)) return false;
  }
  return true;
}

void check_coordinates(const Column& column, std::size_t f, const std::vector<double>& x) {
  const std::size_t n_bins = column.is_categorical() ? 0 : column.edges.size() + 1;
  throw_if(x.size() != n_bins, "column ", f, " has ", n_bins, " bins, but ", x.size(),
           " coordinates.");
  for (std::size_t b = 0; b < n_bins; ++b) {
    throw_if(!std::isfinite(x[b]) || (b > 0 && !(column.edges[b - 1] < x[b])) ||
                 (b + 1 < n_bins && !(x[b] <= column.edges[b])),
             "column ", f, " has a coordinate that is not within its bin.");
  }
}

}  // namespace

template <class T>
TableBins::Finder<T>::Finder(const Column& column)
    : search(column.edges),
      is_whole(is_between_whole_numbers(column.edges)),
      first_whole(is_whole ? static_cast<T>(column.edges.front() - 0.5) : T{0}) {}

TableBins::TableBins(std::vector<Column> columns, Coordinates coordinates, int max_bins)
    : columns_(std::move(columns)), coordinates_(std::move(coordinates)), max_bins_(max_bins) {
  throw_if(!coordinates_.empty() && coordinates_.size() != columns_.size(), "there are bins of ",
           columns_.size(), " columns, but coordinates of ", coordinates_.size(), ".");
  for (std::size_t f = 0; f < columns_.size(); ++f) {
    columns_[f].accept_bins(f, max_bins);
    if (!coordinates_.empty()) check_coordinates(columns_[f], f, coordinates_[f]);
  }
  for (const std::vector<double>& of_column : coordinates_) {
    for (const double x : of_column) {
      is_float32_ = is_float32_ && static_cast<double>(static_cast<float>(x)) == x;
    }
  }
}

template <class T>
const std::vector<TableBins::Finder<T>>& TableBins::finders() const {
  Finders<T>& finders = std::get<Finders<T>>(*finders_);
  std::call_once(finders.made, [&] {
    for (const Column& column : columns_) finders.of_column.emplace_back(column);
  });
  return finders.of_column;
}

template <class T>
void TableBins::check_width(const Matrix<T>& rows) const {
  throw_if(rows.n_columns != columns_.size(), "the rows have ", rows.n_columns,
           " columns, but there are bins for ", columns_.size(), ".");
}

template <class T>
void TableBins::find_bins(const T* values, std::size_t n, std::size_t f, bool any_missing,
                          Code* codes) const {
  const Finder<T>& finder = finders<T>()[f];
  if (finder.is_whole && !any_missing &&
      encode_whole(values, n, finder.first_whole, columns_[f].n_bins, codes)) {
    return;
  }
  finder.search.find(values, n, codes);
  if (any_missing) mark_missing(values, n, codes);
}

template <class T>
void TableBins::encode_block(const T* values, std::size_t n, std::size_t f, Code* codes) const {
  const Column& column = columns_[f];
  const bool any_missing = inspect_block(values, n, f, column);
  throw_if(any_missing && !column.has_missing && coordinates_.empty(), "column ", f,
           " misses a value, though none was missing when its bins were "
           "chosen: encode only rows that were added to the statistics.");
  if (column.is_categorical()) return encode_categorical(values, n, column, codes);
  find_bins(values, n, f, any_missing, codes);
}

template <class T>
void TableBins::encode(const Matrix<T>& rows, Code* codes, std::ptrdiff_t stride,
                       int n_threads) const {
  check_width(rows);
  for_each_block(
      rows, n_threads, [&](std::size_t f, std::size_t begin, const T* values, std::size_t n) {
        encode_block(values, n, f, codes + static_cast<std::ptrdiff_t>(f) * stride + begin);
      });
}

template <class T>
void TableBins::encode_by_row(const Matrix<T>& rows, Code* codes, int n_threads) const {
  check_width(rows);
  for_each_block_by_row(rows, n_threads,
                        [&](std::size_t f, std::size_t begin, const T* values, std::size_t n) {
                          std::array<Code, kBlockRows> block;
                          encode_block(values, n, f, block.data());
                          Code* const to = codes + begin * columns_.size() + f;
                          for (std::size_t i = 0; i < n; ++i) to[i * columns_.size()] = block[i];
                        });
}

template <class T, class Value>
void TableBins::snap(const Matrix<T>& rows, Value* values, int n_threads) const {
  check_width(rows);
  throw_if(coordinates_.empty(), "these bins have no coordinates.");
  // The coordinate of each code; that of missing values is NaN.
  std::vector<std::array<Value, kCodes>> of_code(columns_.size());
  for (std::size_t f = 0; f < columns_.size(); ++f) {
    of_code[f].fill(std::numeric_limits<Value>::quiet_NaN());
    std::transform(coordinates_[f].begin(), coordinates_[f].end(), of_code[f].begin(),
                   [](double x) { return static_cast<Value>(x); });
  }
  for_each_block_by_row(
      rows, n_threads, [&](std::size_t f, std::size_t begin, const T* given, std::size_t n) {
        const bool any_missing = inspect_block(given, n, f, columns_[f]);
        Value* const to = values + f * rows.n_rows + begin;
        if (columns_[f].is_categorical()) {
          std::transform(given, given + n, to, [](T x) { return static_cast<Value>(x); });
          return;
        }
        std::array<Code, kBlockRows> codes;
        find_bins(given, n, f, any_missing, codes.data());
        const Value* const coordinates = of_code[f].data();
        for (std::size_t i = 0; i < n; ++i) to[i] = coordinates[codes[i]];
      });
}

template void TableBins::encode(const Matrix<float>&, Code*, std::ptrdiff_t, int) const;
template void TableBins::encode(const Matrix<double>&, Code*, std::ptrdiff_t, int) const;
template void TableBins::encode_by_row(const Matrix<float>&, Code*, int) const;
template void TableBins::encode_by_row(const Matrix<double>&, Code*, int) const;
template void TableBins::snap(const Matrix<float>&, float*, int) const;
template void TableBins::snap(const Matrix<float>&, double*, int) const;
template void TableBins::snap(const Matrix<double>&, float*, int) const;
template void TableBins::snap(const Matrix<double>&, double*, int) const;

}  // namespace rarewood

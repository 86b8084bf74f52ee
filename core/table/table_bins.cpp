#include "table/table_bins.hpp"

#include <cmath>

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

}  // namespace

template <class T>
TableBins::Finder<T>::Finder(const Column& column)
    : search(column.edges),
      is_whole(!column.has_missing && is_between_whole_numbers(column.edges)),
      first_whole(is_whole ? static_cast<T>(column.edges.front() - 0.5) : T{0}) {}

TableBins::TableBins(std::vector<Column> columns, int max_bins)
    : columns_(std::move(columns)), max_bins_(max_bins) {
  for (std::size_t f = 0; f < columns_.size(); ++f) {
    columns_[f].accept_bins(f, max_bins);
    std::get<0>(finders_).emplace_back(columns_[f]);
    std::get<1>(finders_).emplace_back(columns_[f]);
  }
}

template <class T>
void TableBins::encode_block(const T* values, std::size_t n, std::size_t f, Code* codes) const {
  const Column& column = columns_[f];
  const Finder<T>& finder = std::get<std::vector<Finder<T>>>(finders_)[f];
  const bool any_missing = inspect_block(values, n, f, column);
  throw_if(any_missing && !column.has_missing, "column ", f,
           " misses a value, though none was missing when its bins were "
           "chosen: encode only rows that were added to the statistics.");
  if (column.is_categorical()) return encode_categorical(values, n, column, codes);
  if (finder.is_whole && encode_whole(values, n, finder.first_whole, column.n_bins, codes)) return;
  finder.search.find(values, n, codes);
  if (any_missing) mark_missing(values, n, codes);
}

template <class T>
void TableBins::encode(const Matrix<T>& rows, Code* codes, std::ptrdiff_t stride,
                       int n_threads) const {
  throw_if(rows.n_columns != columns_.size(), "the rows have ", rows.n_columns,
           " columns, but there are bins for ", columns_.size(), ".");
  for_each_block(
      rows, n_threads, [&](std::size_t f, std::size_t begin, const T* values, std::size_t n) {
        encode_block(values, n, f, codes + static_cast<std::ptrdiff_t>(f) * stride + begin);
      });
}

template void TableBins::encode(const Matrix<float>&, Code*, std::ptrdiff_t, int) const;
template void TableBins::encode(const Matrix<double>&, Code*, std::ptrdiff_t, int) const;

}  // namespace rarewood

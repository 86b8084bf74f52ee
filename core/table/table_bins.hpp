// The bins of all columns of a table, ready to encode any rows of it.
#pragma once

#include <tuple>
#include <vector>

#include "table/columns.hpp"
#include "table/edge_search.hpp"

namespace rarewood {

class TableBins {
 public:
  // Of each column `n_categories`, `edges` and `has_missing` must be set.
  TableBins(std::vector<Column> columns, int max_bins);

  const std::vector<Column>& columns() const { return columns_; }
  int max_bins() const { return max_bins_; }

  // Writes the code of rows.at(i, f) to codes[f * stride + i]: the number of edges below it, or the
  // category, and for a wide categorical column 0; 255 for missing. Throws std::invalid_argument if
  // a value is not one of the table's: infinite, no category, or missing where none is.
  template <class T>
  void encode(const Matrix<T>& rows, Code* codes, std::ptrdiff_t stride, int n_threads) const;

 private:
  // How the values of one column are found: whole numbers side by side need no search.
  template <class T>
  struct Finder {
    EdgeSearch<T> search;
    bool is_whole = false;
    T first_whole = 0;

    explicit Finder(const Column& column);
  };

  template <class T>
  void encode_block(const T* values, std::size_t n, std::size_t f, Code* codes) const;

  std::vector<Column> columns_;
  int max_bins_;
  std::tuple<std::vector<Finder<float>>, std::vector<Finder<double>>> finders_;  // of each column
};

}  // namespace rarewood

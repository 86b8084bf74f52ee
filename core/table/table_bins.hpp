// The bins of all columns of a table, ready to encode any rows of it.
#pragma once

#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

#include "table/columns.hpp"
#include "table/edge_search.hpp"

namespace rarewood {

// For each numeric column a value within each of its bins, which takes the place of all of them.
using Coordinates = std::vector<std::vector<double>>;

class TableBins {
 public:
  // Of each column `n_categories`, `edges` and `has_missing` must be set. `coordinates` may be
  // empty.
  TableBins(std::vector<Column> columns, Coordinates coordinates, int max_bins);

  const std::vector<Column>& columns() const { return columns_; }
  const Coordinates& coordinates() const { return coordinates_; }
  int max_bins() const { return max_bins_; }
  // Are all coordinates exact in single precision?
  bool is_float32() const { return is_float32_; }

  // Writes the code of rows.at(i, f) to codes[f * stride + i]: the number of edges below it, or the
  // category, and for a wide categorical column 0; 255 for missing. Throws std::invalid_argument if
  // a value is not one of the table's: infinite, no category, or missing where none is (with
  // coordinates, any may be missing).
  template <class T>
  void encode(const Matrix<T>& rows, Code* codes, std::ptrdiff_t stride, int n_threads) const;
  // The same to codes[i * n_columns + f].
  template <class T>
  void encode_by_row(const Matrix<T>& rows, Code* codes, int n_threads) const;
  // Writes the coordinate of rows.at(i, f), or its category, to values[f * n_rows + i]: trees are
  // walked by column. Any value may be missing; throws std::invalid_argument if one is infinite, or
  // no category.
  template <class T, class Value>
  void snap(const Matrix<T>& rows, Value* values, int n_threads) const;

 private:
  // How the values of one column are found: whole numbers side by side need no search.
  template <class T>
  struct Finder {
    EdgeSearch<T> search;
    bool is_whole = false;
    T first_whole = 0;

    explicit Finder(const Column& column);
  };

  // Those of all columns, made on first use: of many columns they need much memory.
  template <class T>
  struct Finders {
    std::once_flag made;
    std::vector<Finder<T>> of_column;
  };
  template <class T>
  const std::vector<Finder<T>>& finders() const;

  template <class T>
  void check_width(const Matrix<T>& rows) const;
  template <class T>
  void encode_block(const T* values, std::size_t n, std::size_t f, Code* codes) const;
  template <class T>
  void find_bins(const T* values, std::size_t n, std::size_t f, bool any_missing,
                 Code* codes) const;

  std::vector<Column> columns_;
  Coordinates coordinates_;
  int max_bins_;
  bool is_float32_ = true;
  using BothFinders = std::tuple<Finders<float>, Finders<double>>;
  std::unique_ptr<BothFinders> finders_ = std::make_unique<BothFinders>();
};

}  // namespace rarewood

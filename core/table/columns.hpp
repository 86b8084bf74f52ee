// The table as the trees see it: raw values, and beside them one coarse code per value.
//
// Codes are made once and never change; every tree of a forest and every fold may share them.
// A numeric column is cut into at most 255 bins by quantiles of a sample: bin b holds the values
// in (edges[b-1], edges[b]]. The bins only steer the search in exact mode, so any sample gives
// the same tree; with `max_bins` the edges are the only thresholds. A categorical column has one
// code per category. Code 255 is kept for missing values.
//
// A table whose codes were made elsewhere has no raw values. By column, it is binned, and nothing
// in the binned search reads a value. By row, every bin has a coordinate, which stands for its
// values: hyperplanes are drawn over these.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <tuple>
#include <vector>

#include "base/large_array.hpp"
#include "base/types.hpp"
#include "table/sparse.hpp"

namespace rarewood {

// A view of a matrix; strides count elements.
template <class T>
struct Matrix {
  const T* data = nullptr;
  std::size_t n_rows = 0;
  std::size_t n_columns = 0;
  std::ptrdiff_t row_stride = 0;
  std::ptrdiff_t column_stride = 0;

  const T& at(std::size_t row, std::size_t column) const {
    return data[static_cast<std::ptrdiff_t>(row) * row_stride +
                static_cast<std::ptrdiff_t>(column) * column_stride];
  }
};

struct Column {
  std::int64_t n_categories = 0;  // 0: numeric
  int n_bins = 1;  // codes that values may take (categorical: min(n_categories, 255))
  bool has_missing = false;
  std::vector<double> edges;             // numeric: n_bins - 1 of them, increasing
  std::array<bool, kCodes> is_single{};  // bins that hold one distinct value: no cut inside
  std::vector<double> single;            // that value, for each bin; else meaningless

  // One bin for each entry of `new_single`: its only value, or NaN if it may have several.
  void set_bins(std::vector<double> new_edges, std::vector<double> new_single);
  // The codes are whole numbers counted from `first`: makes them start at the lowest one present.
  void count_whole_numbers(Code* codes, std::size_t n_rows, double first);

  // Bins that were chosen elsewhere: checks n_categories and edges of column `f`, and sets n_bins.
  void accept_bins(std::size_t f, int max_bins);
  // Checks of codes that were made elsewhere: is one category per row given where codes do not tell
  // them; the number of codes in use and whether one is of a missing value; the given categories.
  void check_is_wide(std::size_t f, bool has_categories) const;
  void check_codes(std::size_t f, int n_codes, bool any_missing) const;
  void check_categories(std::size_t f, std::span<const std::int32_t> given) const;

  bool is_categorical() const { return n_categories > 0; }
  bool is_wide() const { return n_categories > kMaxBins; }  // codes do not determine the categories
};

// Columns of which only the kinds are known: 0 for a numeric one, otherwise its
// categories.
std::vector<Column> make_columns(std::span<const std::int64_t> n_categories);

// The rows of bin b are rows[begin[b]] ... rows[begin[b + 1] - 1], ascending.
struct BinRows {
  std::array<Row, kCodes + 1> begin{};
  std::vector<Row> rows;
};

class Columns {
 public:
  // `n_categories[f]` is 0 for a numeric column (no infinities), otherwise the values are
  // category numbers 0 ... n-1. NaN is missing. `max_bins` = 0 is exact mode.
  template <class T>
  Columns(Matrix<T> raw, std::span<const std::int64_t> n_categories, int max_bins, int n_threads);
  // Codes that were made elsewhere, in a matrix whose rows follow one another (row_stride 1): they
  // are read where they are. Of each column `n_categories`, `edges` and `has_missing` must be set.
  // `categories[f]` is null, or for a wide column the category of every row, -1 for missing.
  // `row_space`, if not null, has space for a second copy of all codes: row_codes() are made there.
  Columns(Matrix<Code> codes, std::vector<Column> columns,
          std::vector<const std::int32_t*> categories, int max_bins, int n_threads,
          Code* row_space = nullptr);
  // Codes by row, in a matrix whose columns follow one another (column_stride 1), and coordinates
  // of the bins of each column: finite and increasing for a numeric one, none for a categorical
  // one. `is_float32`: coordinates are single precision.
  Columns(Matrix<Code> row_codes, std::vector<Column> columns,
          const std::vector<std::vector<double>>& coordinates,
          std::vector<const std::int32_t*> categories, bool is_float32, int n_threads);
  // A sparse table of numeric columns, in exact mode: it is searched by its values, and has no
  // codes.
  template <class T>
  Columns(SparseMatrix<T> sparse, int n_threads);
  Columns(const Columns&) = delete;
  Columns& operator=(const Columns&) = delete;

  std::size_t n_rows() const { return n_rows_; }
  std::size_t n_features() const { return columns_.size(); }
  int max_bins() const { return max_bins_; }
  bool is_binned() const { return max_bins_ > 0; }
  const Column& column(std::size_t f) const { return columns_[f]; }
  bool has_missing() const {
    return std::any_of(columns_.begin(), columns_.end(),
                       [](const Column& c) { return c.has_missing; });
  }

  template <class T>
  const Matrix<T>& raw() const {
    return std::get<Matrix<T>>(raw_);
  }
  bool has_values() const { return raw<float>().data || raw<double>().data || is_sparse(); }
  template <class T>
  const SparseMatrix<T>& sparse() const {
    return std::get<SparseMatrix<T>>(sparse_);
  }
  // A sparse table row by row, made on first use.
  template <class T>
  const SparseRows<T>& sparse_rows() const {
    SparseRows<T>& made = std::get<SparseRows<T>>(sparse_rows_);
    std::call_once(sparse_rows_made_, [&] { made = by_row(sparse<T>()); });
    return made;
  }
  bool is_sparse() const { return sparse<float>().begin || sparse<double>().begin; }
  bool is_float32() const {  // also without values: any type will do
    return !raw<double>().data && !sparse<double>().begin && coordinates<double>().empty();
  }

  // For each feature the value that stands for each code (kCodes of them): the coordinate of a bin,
  // the number of a category, or NaN. Empty unless the table was made of codes by row.
  template <class T>
  const std::vector<T>& coordinates() const {
    return std::get<std::vector<T>>(coordinates_);
  }
  bool has_coordinates() const {
    return !coordinates<float>().empty() || !coordinates<double>().empty();
  }

  // Makes the codes; the first call does the work. A small table is searched by its values and
  // never needs them. Before this call only n_categories and has_missing of a column are known.
  void encode() const;
  const Code* codes(std::size_t f) const {
    return code_data_ + static_cast<std::ptrdiff_t>(f) * code_stride_;
  }
  // The categories of the rows where neither codes nor values determine them, otherwise null.
  const std::int32_t* categories(std::size_t f) const {
    return categories_.empty() ? nullptr : categories_[f];
  }
  // Bins of an average column: few make codes quick to scan. Only steers the search.
  std::size_t mean_bins() const { return mean_bins_.load(std::memory_order_relaxed); }

  // Further views of the codes, each made on first use: row by row, and the rows of
  // each bin of a feature. All of these may be called from many threads.
  const Code* row_codes() const;
  const BinRows& bin_rows(std::size_t f) const;
  // A hash of the values of every row, made on first use.
  const std::uint32_t* row_hashes() const;
  // Would those of all features together stay within bounds?
  bool has_room_for_bin_rows() const;
  bool has_bin_rows(std::size_t f) const {
    return bin_rows_[f].is_made.load(std::memory_order_acquire);
  }
  std::size_t n_bytes() const { return codes_.capacity() + row_codes_.size(); }

 private:
  struct LazyBinRows {
    std::once_flag made;
    std::atomic<bool> is_made{false};
    BinRows lists;
  };

  template <class T>
  void encode_all(const Matrix<T>& raw) const;
  template <class T>
  void set_coordinates(const std::vector<std::vector<double>>& coordinates);
  void check_row_codes() const;

  std::size_t n_rows_ = 0;
  int max_bins_ = 0;
  int n_threads_ = 1;
  mutable std::once_flag encoded_, row_codes_made_, row_hashes_made_, sparse_rows_made_;
  mutable std::vector<Column> columns_;
  mutable std::vector<Code> codes_;  // its own; those made elsewhere are only pointed at
  mutable const Code* code_data_ = nullptr;
  std::ptrdiff_t code_stride_ = 0;  // from a feature to the next
  std::vector<const std::int32_t*> categories_;
  mutable LargeArray<Code> row_codes_;
  mutable std::vector<std::uint32_t> row_hashes_;
  Code* row_space_ = nullptr;  // memory of the caller, for row_codes_
  mutable std::vector<LazyBinRows> bin_rows_;
  mutable std::atomic<std::size_t> mean_bins_{kMaxBins};
  std::tuple<Matrix<float>, Matrix<double>> raw_;                    // one of them, or none
  std::tuple<std::vector<float>, std::vector<double>> coordinates_;  // likewise
  std::tuple<SparseMatrix<float>, SparseMatrix<double>> sparse_;     // likewise
  mutable std::tuple<SparseRows<float>, SparseRows<double>> sparse_rows_;
};

// The threshold between two neighbouring values: their midpoint, or the lower one where the
// midpoint rounds up to the upper.
inline double midpoint(double lower, double upper) {
  double middle = (lower + upper) / 2;
  if (!(middle > -1.7976931348623157e308 && middle < 1.7976931348623157e308)) {
    middle = lower / 2 + upper / 2;
  }
  return middle < upper && middle >= lower ? middle : lower;
}

}  // namespace rarewood

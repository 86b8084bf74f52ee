// Statistics of the parts of a table from which the bins of its columns follow, gathered in one
// pass, in any order, on any machines: the bins are those of the whole table in memory.
//
// Those depend on a sample of the rows, which is a function of their number, or of that of each
// class; on whether a column has few distinct values; and on whether any is missing. All three can
// be put together from parts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "table/bins.hpp"
#include "table/class_sample.hpp"
#include "table/columns.hpp"
#include "table/few_values.hpp"
#include "table/row_runs.hpp"
#include "table/table_bins.hpp"

namespace rarewood {

// Statistics as plain numbers, to be sent or stored.
struct BinStatisticsState {
  std::int64_t n_rows = 0;
  int max_bins = 0;
  bool is_float32 = false;
  std::int64_t n_sampled = 0;               // sampled rows seen, copies included
  std::vector<std::int64_t> class_counts;   // rows of each class in the table; empty: no classes
  std::vector<std::int64_t> n_categories;   // of each column, 0: numeric
  std::vector<char> has_missing;            // of each column
  std::vector<std::int64_t> run;            // begin and end of each run of rows seen, ascending
  std::vector<std::int64_t> sample_offset;  // where the sample of each column begins, and the end
  std::vector<double> sample;               // present values of sampled rows, in any order
  std::vector<char> has_few;                // of each numeric column: few distinct values so far
  std::vector<std::int64_t> value_offset;
  std::vector<double> value;  // the distinct values of those, ascending
};

class BinStatistics {
 public:
  // Of a table with this many rows in all. `is_float32`: the values are single precision. With
  // `class_counts`, the rows of each class, every class weighs the same in the sample, and the bins
  // have coordinates.
  BinStatistics(std::int64_t n_rows, std::span<const std::int64_t> n_categories, int max_bins,
                bool is_float32, std::span<const std::int64_t> class_counts = {});
  // Throws std::invalid_argument unless it is a state that statistics can have.
  explicit BinStatistics(const BinStatisticsState& state);
  BinStatisticsState state() const;

  // Rows first_row ... of the table; every row must come once. Throws std::invalid_argument, and is
  // unchanged, if they were added before or hold invalid values.
  template <class T>
  void add(std::int64_t first_row, const Matrix<T>& rows, const RowClasses& classes, int n_threads);
  // Rows that other statistics of the same table have seen.
  void merge(const BinStatistics& other);

  // The bins of the columns, when all rows have been seen.
  TableBins finish() const;

  std::size_t n_rows() const { return n_rows_; }
  std::size_t n_rows_seen() const { return seen_.n_rows(); }
  std::size_t n_features() const { return columns_.size(); }
  int max_bins() const { return max_bins_; }
  bool is_float32() const { return is_float32_; }

 private:
  bool has_classes() const { return !class_counts_.empty(); }
  void check(RowRun run, const RowClasses& classes) const;
  void check(const BinStatisticsState& state) const;

  std::size_t n_rows_;
  int max_bins_;
  bool is_float32_;
  std::vector<std::int64_t> class_counts_;
  std::vector<Column> columns_;
  ClassSample sampled_;
  std::size_t n_sampled_ = 0;
  RowRuns seen_;
  std::vector<std::vector<double>> sample_;  // of each column
  std::vector<FewValues> few_;               // of each column
};

}  // namespace rarewood

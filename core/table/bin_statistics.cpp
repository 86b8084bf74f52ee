#include "table/bin_statistics.hpp"

#include <algorithm>
#include <string>

#include "base/radix_sort.hpp"
#include "base/throw_if.hpp"
#include "table/bins.hpp"
#include "table/check_values.hpp"
#include "table/row_blocks.hpp"

namespace rarewood {

namespace {

constexpr std::int64_t kMostRows = std::int64_t{1} << 48;  // so that strata are found in 64 bits

std::string describe(RowRun run) {
  return "rows " + std::to_string(run.begin) + " ... " + std::to_string(run.end - 1);
}

}  // namespace

BinStatistics::BinStatistics(std::int64_t n_rows, std::span<const std::int64_t> n_categories,
                             int max_bins, bool is_float32)
    : n_rows_(static_cast<std::size_t>(n_rows)),
      max_bins_(max_bins),
      is_float32_(is_float32),
      columns_(make_columns(n_categories)) {
  throw_if(n_rows < 1 || n_rows > kMostRows,
           "n_rows is the number of rows of the whole table, 1 ... ", kMostRows, "; got ", n_rows,
           ".");
  throw_if(max_bins < 2 || max_bins > kMaxBins, "max_bins must lie in 2 ... 255.");
  sample_rows_ = sample_rows(n_rows_, kBinnedSample);
  sample_.resize(columns_.size());
  few_.assign(columns_.size(), FewValues(static_cast<std::size_t>(max_bins)));
}

RowRun BinStatistics::sampled_in(RowRun run) const {
  auto first = [this](std::size_t row) {
    return static_cast<std::size_t>(
        std::lower_bound(sample_rows_.begin(), sample_rows_.end(), row) - sample_rows_.begin());
  };
  return {first(run.begin), first(run.end)};
}

template <class T>
void BinStatistics::add(std::int64_t first_row, const Matrix<T>& rows, int n_threads) {
  throw_if(rows.n_columns != columns_.size(), "the rows have ", rows.n_columns,
           " columns, but the statistics is of ", columns_.size(), ".");
  throw_if(is_float32_ && sizeof(T) != sizeof(float),
           "the statistics are of single precision values: add rows of float32.");
  if (rows.n_rows == 0) return;
  const RowRun run{static_cast<std::size_t>(first_row),
                   static_cast<std::size_t>(first_row) + rows.n_rows};
  throw_if(first_row < 0 || run.end > n_rows_, "the table has the rows 0 ... ", n_rows_ - 1,
           "; got ", rows.n_rows, " rows from row ", first_row, " on.");
  throw_if(seen_.overlaps(run), "some of the ", describe(run), " have been added before.");
  const std::vector<char> has_missing = inspect(rows, std::span<const Column>(columns_), n_threads);

  seen_.add(run);
  const RowRun sampled = sampled_in(run);
  bool any_few = false;
  for (std::size_t f = 0; f < columns_.size(); ++f) {
    columns_[f].has_missing |= has_missing[f] != 0;
    if (columns_[f].is_categorical()) continue;
    any_few = any_few || few_[f].is_few();
    for (std::size_t i = sampled.begin; i < sampled.end; ++i) {
      const T x = rows.at(sample_rows_[i] - run.begin, f);
      if (x == x) sample_[f].push_back(static_cast<double>(x));
    }
  }
  if (!any_few) return;
  for_each_block(rows, n_threads, [&](std::size_t f, std::size_t, const T* values, std::size_t n) {
    if (!columns_[f].is_categorical()) few_[f].add(values, n);
  });
}

void BinStatistics::merge(const BinStatistics& other) {
  const bool is_same_table =
      n_rows_ == other.n_rows_ && max_bins_ == other.max_bins_ &&
      is_float32_ == other.is_float32_ &&
      std::equal(columns_.begin(), columns_.end(), other.columns_.begin(), other.columns_.end(),
                 [](const Column& a, const Column& b) { return a.n_categories == b.n_categories; });
  throw_if(
      !is_same_table,
      "statistics can be merged when they are of the same table: n_rows, n_categories, max_bins "
      "and is_float32 must be equal.");
  for (const RowRun& run : other.seen_.runs()) {
    throw_if(seen_.overlaps(run), "both statistics have seen some of the ", describe(run), ".");
  }
  for (const RowRun& run : other.seen_.runs()) seen_.add(run);
  for (std::size_t f = 0; f < columns_.size(); ++f) {
    columns_[f].has_missing |= other.columns_[f].has_missing;
    sample_[f].insert(sample_[f].end(), other.sample_[f].begin(), other.sample_[f].end());
    few_[f].add_all(other.few_[f]);
  }
}

std::vector<Column> BinStatistics::finish() const {
  throw_if(n_rows_seen() != n_rows_, "the statistics have seen ", n_rows_seen(), " rows of ",
           n_rows_, ": add the others, or merge the statistics that have seen them.");
  std::vector<Column> columns = columns_;
  for (std::size_t f = 0; f < columns.size(); ++f) {
    if (!columns[f].is_categorical()) columns[f].edges = edges_of(f);
  }
  return columns;
}

// What the encoder of a table in memory arrives at. It tries whole numbers first, then one bin for
// each value of a sample, then for each value that it met, and in the end the bins of the sample.
std::vector<double> BinStatistics::edges_of(std::size_t f) const {
  std::vector<double> sample = sample_[f], scratch;
  radix_sort(sample, scratch);
  // A column without any value in the sample is not looked at further.
  if (!few_[f].is_few() || sample.empty()) return choose_bins(sample, max_bins_).edges;
  const std::vector<double> values = few_[f].sorted();
  if (max_bins_ == kMaxBins && !columns_[f].has_missing) {
    const std::optional<double> first = guess_whole_numbers(sample);
    const bool are_whole = first && std::all_of(values.begin(), values.end(), [&](double x) {
                             return x == std::floor(x) && x >= *first && x < *first + kMaxBins;
                           });
    if (are_whole) return whole_number_bins(values.front(), values.back()).edges;
  }
  return choose_bins(values, max_bins_).edges;
}

template void BinStatistics::add(std::int64_t, const Matrix<float>&, int);
template void BinStatistics::add(std::int64_t, const Matrix<double>&, int);

}  // namespace rarewood

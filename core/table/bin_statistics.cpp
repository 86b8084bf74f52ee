#include "table/bin_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/radix_sort.hpp"
#include "base/throw_if.hpp"
#include "table/check_values.hpp"
#include "table/column_bins.hpp"
#include "table/row_blocks.hpp"

namespace rarewood {

namespace {

constexpr std::int64_t kMostRows = std::int64_t{1} << 48;  // so that strata are found in 64 bits

std::string describe(RowRun run) {
  return "rows " + std::to_string(run.begin) + " ... " + std::to_string(run.end - 1);
}

ClassSample make_sample(std::int64_t n_rows, std::span<const std::int64_t> class_counts,
                        int max_bins) {
  throw_if(n_rows < 1 || n_rows > kMostRows,
           "n_rows is the number of rows of the whole table, 1 ... ", kMostRows, "; got ", n_rows,
           ".");
  throw_if(max_bins < 2 || max_bins > kMaxBins, "max_bins must lie in 2 ... 255.");
  if (class_counts.empty()) return ClassSample({&n_rows, 1}, kBinnedSample, max_bins);
  std::int64_t n_left = n_rows;
  for (const std::int64_t n : class_counts) {
    throw_if(n < 0 || n > n_left, "class_counts must not be negative, and sum to n_rows.");
    n_left -= n;
  }
  throw_if(n_left != 0, "class_counts must sum to n_rows.");
  return ClassSample(class_counts, kBinnedSample, max_bins);
}

}  // namespace

BinStatistics::BinStatistics(std::int64_t n_rows, std::span<const std::int64_t> n_categories,
                             int max_bins, bool is_float32,
                             std::span<const std::int64_t> class_counts)
    : n_rows_(static_cast<std::size_t>(n_rows)),
      max_bins_(max_bins),
      is_float32_(is_float32),
      class_counts_(class_counts.begin(), class_counts.end()),
      columns_(make_columns(n_categories)),
      sampled_(make_sample(n_rows, class_counts, max_bins)),
      sample_(columns_.size()),
      few_(columns_.size(), FewValues(static_cast<std::size_t>(max_bins))) {}

void BinStatistics::check(RowRun run, const RowClasses& classes) const {
  if (!has_classes()) {
    throw_if(!classes.of_row.empty() || !classes.n_before.empty(),
             "the statistics have no classes: give class_counts when they are made.");
    return;
  }
  throw_if(classes.of_row.size() != run.end - run.begin ||
               classes.n_before.size() != class_counts_.size(),
           "the statistics need the class of each row, and for each of ", class_counts_.size(),
           " classes the number of rows before these.");
  std::vector<std::int64_t> n_after(classes.n_before.begin(), classes.n_before.end());
  std::size_t n_before = 0;
  for (const std::int64_t n : n_after) {
    throw_if(n < 0 || n > kMostRows, "the numbers of rows before these are out of range.");
    n_before += static_cast<std::size_t>(n);
  }
  throw_if(n_before != run.begin, "there are ", run.begin, " rows before these, but ", n_before,
           " of all classes.");
  for (const std::int32_t c : classes.of_row) {
    throw_if(c < 0 || static_cast<std::size_t>(c) >= n_after.size(),
             "classes must be numbers 0 ... n_classes - 1.");
    ++n_after[static_cast<std::size_t>(c)];
  }
  for (std::size_t c = 0; c < n_after.size(); ++c) {
    throw_if(n_after[c] > class_counts_[c], "class ", c, " has ", class_counts_[c],
             " rows in the table, but there are ", n_after[c], " up to the last of these.");
  }
}

template <class T>
void BinStatistics::add(std::int64_t first_row, const Matrix<T>& rows, const RowClasses& classes,
                        int n_threads) {
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
  check(run, classes);
  const std::vector<char> has_missing = inspect(rows, std::span<const Column>(columns_), n_threads);

  seen_.add(run);
  sampled_.for_each(run, classes, [&](std::size_t i, std::size_t n_copies) {
    n_sampled_ += n_copies;
    for (std::size_t f = 0; f < columns_.size(); ++f) {
      const T x = rows.at(i, f);
      if (columns_[f].is_categorical() || x != x) continue;
      sample_[f].insert(sample_[f].end(), n_copies, static_cast<double>(x));
    }
  });
  bool any_few = false;
  for (std::size_t f = 0; f < columns_.size(); ++f) {
    columns_[f].has_missing |= has_missing[f] != 0;
    any_few = any_few || (!columns_[f].is_categorical() && few_[f].is_few());
  }
  if (!any_few) return;
  for_each_block(rows, n_threads, [&](std::size_t f, std::size_t, const T* values, std::size_t n) {
    if (!columns_[f].is_categorical()) few_[f].add(values, n);
  });
}

void BinStatistics::merge(const BinStatistics& other) {
  const bool is_same_table =
      n_rows_ == other.n_rows_ && max_bins_ == other.max_bins_ &&
      is_float32_ == other.is_float32_ && class_counts_ == other.class_counts_ &&
      std::equal(columns_.begin(), columns_.end(), other.columns_.begin(), other.columns_.end(),
                 [](const Column& a, const Column& b) { return a.n_categories == b.n_categories; });
  throw_if(
      !is_same_table,
      "statistics can be merged when they are of the same table: n_rows, n_categories, max_bins, "
      "is_float32 and class_counts must be equal.");
  for (const RowRun& run : other.seen_.runs()) {
    throw_if(seen_.overlaps(run), "both statistics have seen some of the ", describe(run), ".");
  }
  for (const RowRun& run : other.seen_.runs()) seen_.add(run);
  n_sampled_ += other.n_sampled_;
  for (std::size_t f = 0; f < columns_.size(); ++f) {
    columns_[f].has_missing |= other.columns_[f].has_missing;
    sample_[f].insert(sample_[f].end(), other.sample_[f].begin(), other.sample_[f].end());
    few_[f].add_all(other.few_[f]);
  }
}

TableBins BinStatistics::finish() const {
  throw_if(n_rows_seen() != n_rows_, "the statistics have seen ", n_rows_seen(), " rows of ",
           n_rows_, ": add the others, or merge the statistics that have seen them.");
  throw_if(n_sampled_ != sampled_.size(),
           "the numbers of rows of each class before the parts of the table were wrong.");
  std::vector<Column> columns = columns_;
  Coordinates coordinates(has_classes() ? columns.size() : 0);
  for (std::size_t f = 0; f < columns.size(); ++f) {
    if (columns[f].is_categorical()) continue;
    std::vector<double> sample = sample_[f], scratch;
    radix_sort(sample, scratch);
    Bins bins = bins_of(sample, few_[f], columns[f].has_missing, has_classes(), max_bins_);
    if (has_classes()) coordinates[f] = coordinates_of(bins, sample, is_float32_);
    columns[f].edges = std::move(bins.edges);
  }
  return TableBins(std::move(columns), std::move(coordinates), max_bins_);
}

template void BinStatistics::add(std::int64_t, const Matrix<float>&, const RowClasses&, int);
template void BinStatistics::add(std::int64_t, const Matrix<double>&, const RowClasses&, int);

namespace {

void require(bool holds, const std::string& what) {
  throw_if(!holds, "not valid bin statistics: ", what, ".");
}

template <class V>
void append(const std::vector<V>& part, std::vector<std::int64_t>& offset, std::vector<V>& all) {
  all.insert(all.end(), part.begin(), part.end());
  offset.push_back(static_cast<std::int64_t>(all.size()));
}

// Finite values of the table's precision, and offsets of one part for each column.
void check_values(const std::vector<std::int64_t>& offset, std::size_t n_columns,
                  const std::vector<double>& all, bool is_float32, const std::string& what) {
  require(offset.size() == n_columns + 1 && offset.front() == 0 &&
              offset.back() == static_cast<std::int64_t>(all.size()) &&
              std::is_sorted(offset.begin(), offset.end()),
          "the " + what + " of its columns are not told apart");
  const auto is_possible = [is_float32](double x) {
    return std::isfinite(x) && (!is_float32 || static_cast<double>(static_cast<float>(x)) == x);
  };
  require(std::all_of(all.begin(), all.end(), is_possible),
          "one of its " + what + " is not finite, or not single precision as the table is");
}

std::vector<double> part_of(const std::vector<std::int64_t>& offset, const std::vector<double>& all,
                            std::size_t f) {
  return {all.begin() + offset[f], all.begin() + offset[f + 1]};
}

}  // namespace

BinStatisticsState BinStatistics::state() const {
  BinStatisticsState state;
  state.n_rows = static_cast<std::int64_t>(n_rows_);
  state.max_bins = max_bins_;
  state.is_float32 = is_float32_;
  state.n_sampled = static_cast<std::int64_t>(n_sampled_);
  state.class_counts = class_counts_;
  state.sample_offset = state.value_offset = {0};
  for (const RowRun& run : seen_.runs()) {
    state.run.push_back(static_cast<std::int64_t>(run.begin));
    state.run.push_back(static_cast<std::int64_t>(run.end));
  }
  for (std::size_t f = 0; f < columns_.size(); ++f) {
    state.n_categories.push_back(columns_[f].n_categories);
    state.has_missing.push_back(columns_[f].has_missing);
    append(sample_[f], state.sample_offset, state.sample);
    state.has_few.push_back(few_[f].is_few());
    append(few_[f].sorted(), state.value_offset, state.value);
  }
  return state;
}

BinStatistics::BinStatistics(const BinStatisticsState& state)
    : BinStatistics(state.n_rows, state.n_categories, state.max_bins, state.is_float32,
                    state.class_counts) {
  check(state);
  n_sampled_ = static_cast<std::size_t>(state.n_sampled);
  for (std::size_t i = 0; i < state.run.size(); i += 2) {
    seen_.add({static_cast<std::size_t>(state.run[i]), static_cast<std::size_t>(state.run[i + 1])});
  }
  for (std::size_t f = 0; f < columns_.size(); ++f) {
    columns_[f].has_missing = state.has_missing[f];
    sample_[f] = part_of(state.sample_offset, state.sample, f);
    const std::vector<double> values = part_of(state.value_offset, state.value, f);
    few_[f].add(values.data(), values.size());
    if (!state.has_few[f]) few_[f].give_up();
  }
}

void BinStatistics::check(const BinStatisticsState& state) const {
  const std::size_t n_columns = columns_.size();
  require(state.has_missing.size() == n_columns && state.has_few.size() == n_columns,
          "its arrays differ in length");
  require(state.run.size() % 2 == 0, "a run of rows has no end");
  std::int64_t after = -1;  // where the run before ends; those that touch are one
  std::size_t n_sampled = 0;
  for (std::size_t i = 0; i < state.run.size(); i += 2) {
    require(
        state.run[i] > after && state.run[i] < state.run[i + 1] && state.run[i + 1] <= state.n_rows,
        "its runs of rows overlap, or leave the table");
    after = state.run[i + 1];
    if (has_classes()) continue;
    sampled_.for_each(
        {static_cast<std::size_t>(state.run[i]), static_cast<std::size_t>(state.run[i + 1])}, {},
        [&](std::size_t, std::size_t n_copies) { n_sampled += n_copies; });
  }
  // Of which classes the rows were is no longer known.
  if (has_classes()) n_sampled = std::min<std::size_t>(state.n_sampled, sampled_.size());
  require(state.n_sampled == static_cast<std::int64_t>(n_sampled),
          "it has seen another number of sampled rows");
  check_values(state.sample_offset, n_columns, state.sample, is_float32_, "sampled values");
  check_values(state.value_offset, n_columns, state.value, is_float32_, "distinct values");
  for (std::size_t f = 0; f < n_columns; ++f) {
    const std::string column = "column " + std::to_string(f);
    const auto n = static_cast<std::size_t>(state.sample_offset[f + 1] - state.sample_offset[f]);
    const std::vector<double> values = part_of(state.value_offset, state.value, f);
    if (columns_[f].is_categorical()) {
      require(n == 0 && values.empty() && state.has_few[f],
              column + " is categorical, yet has values");
      continue;
    }
    require(state.has_missing[f] ? n <= n_sampled : n == n_sampled,
            column + " has a sample of " + std::to_string(n) + " values, though " +
                std::to_string(n_sampled) + " sampled rows were seen");
    require(values.size() <= static_cast<std::size_t>(state.has_few[f] ? max_bins_ : 0),
            column + " has too many distinct values");
    const auto falls = [](double a, double b) { return !(a < b); };
    require(std::adjacent_find(values.begin(), values.end(), falls) == values.end(),
            column + " has distinct values that do not increase");
  }
}

}  // namespace rarewood

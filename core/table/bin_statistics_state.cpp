// Statistics as plain numbers, and back.
#include <algorithm>
#include <cmath>
#include <string>

#include "base/throw_if.hpp"
#include "table/bin_statistics.hpp"

namespace rarewood {

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
    : BinStatistics(state.n_rows, state.n_categories, state.max_bins, state.is_float32) {
  check(state);
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
    const RowRun sampled = sampled_in(
        {static_cast<std::size_t>(state.run[i]), static_cast<std::size_t>(state.run[i + 1])});
    n_sampled += sampled.end - sampled.begin;
  }
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

// Edges of the bins of a numeric column.
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "table/columns.hpp"

namespace rarewood {

inline constexpr std::size_t kBinnedSample = 16384;  // bins are the model's only thresholds

// Rows whose values represent a column: one from each of `n_sample` strata of equal size,
// ascending. A table that is divided among machines may have more rows than a `Row` can number.
std::vector<std::size_t> sample_rows(std::size_t n_rows, std::size_t n_sample);

// Cuts a sorted sample without missing values into at most `max_bins` bins of about equal size; a
// value that would fill a bin of its own gets one. Edges are midpoints of neighbouring values.
struct Bins {
  std::vector<double> edges;
  std::vector<double> single;  // per bin: its only value in the sample, or NaN
};
Bins choose_bins(const std::vector<double>& sorted_sample, int max_bins);

// Whole numbers within a small range in a sorted sample may be so everywhere: the first of the 255
// numbers that a column may then hold, each with a bin of its own.
template <class T>
std::optional<T> guess_whole_numbers(const std::vector<T>& sample) {
  if (sample.empty() || !(sample.back() - sample.front() < kMaxBins - 1)) return {};
  if (!(std::abs(sample.front()) < 1e6 && std::abs(sample.back()) < 1e6)) return {};
  for (T x : sample) {
    if (x != std::floor(x)) return {};
  }
  return std::floor((sample.front() + sample.back()) / 2) - kMaxBins / 2;
}

// A bin for each of the whole numbers lowest ... highest.
Bins whole_number_bins(double lowest, double highest);

}  // namespace rarewood

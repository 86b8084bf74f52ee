#include "table/bins.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/rng.hpp"

namespace rarewood {

std::vector<std::size_t> sample_rows(std::size_t n_rows, std::size_t n_sample) {
  std::vector<std::size_t> rows(std::min(n_rows, n_sample));
  if (n_rows <= n_sample) {
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    return rows;
  }
  Random random(combine_key(0x62696e73, n_rows));
  for (std::size_t i = 0; i < n_sample; ++i) {
    const std::size_t from = i * n_rows / n_sample, to = (i + 1) * n_rows / n_sample;
    rows[i] = from + random.below(to - from);
  }
  return rows;
}

Bins choose_bins(const std::vector<double>& sample, int max_bins) {
  Bins bins;
  const double kNan = std::numeric_limits<double>::quiet_NaN();
  const std::size_t n = sample.size();
  auto run_end = [&](std::size_t i) {
    std::size_t end = i + 1;
    while (end < n && sample[end] == sample[i]) ++end;
    return end;
  };
  std::size_t n_distinct = 0;
  for (std::size_t i = 0; i < n && n_distinct <= static_cast<std::size_t>(max_bins);
       i = run_end(i)) {
    ++n_distinct;
  }
  const bool one_bin_each = n_distinct <= static_cast<std::size_t>(max_bins);

  std::size_t filled = 0;  // rows in the open bin
  std::size_t first = 0;   // where it began
  for (std::size_t i = 0; i < n;) {
    const std::size_t end = run_end(i);
    filled += end - i;
    const int bins_left = max_bins - static_cast<int>(bins.edges.size());
    if (end == n) break;
    // Every bin still to come must get its part of the remaining rows.
    const double quota = static_cast<double>(n - first) / bins_left;
    const bool next_is_heavy = static_cast<double>(run_end(end) - end) >= quota;
    if (bins_left > 1 && (one_bin_each || static_cast<double>(filled) >= quota || next_is_heavy)) {
      bins.edges.push_back(midpoint(sample[end - 1], sample[end]));
      bins.single.push_back(sample[first] == sample[end - 1] ? sample[first] : kNan);
      filled = 0;
      first = end;
    }
    i = end;
  }
  bins.single.push_back(n > 0 && sample[first] == sample[n - 1] ? sample[first] : kNan);
  return bins;
}

Bins whole_number_bins(double lowest, double highest) {
  Bins bins;
  for (double value = lowest; value <= highest; ++value) {
    bins.single.push_back(value);
    if (value < highest) bins.edges.push_back(value + 0.5);
  }
  return bins;
}

}  // namespace rarewood

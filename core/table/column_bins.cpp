#include "table/column_bins.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace rarewood {

// It tries whole numbers first, then one bin for each value of a sample, then for each value that
// it met, and in the end the bins of the sample.
Bins bins_of(const std::vector<double>& sample, const FewValues& few, bool has_missing,
             bool has_coordinates, int max_bins) {
  const std::vector<double> values = few.sorted();
  // That encoder does not look further at a column without any value in the sample.
  if (!few.is_few() || (sample.empty() && !has_coordinates)) return choose_bins(sample, max_bins);
  if (max_bins == kMaxBins && !has_missing) {
    const std::optional<double> first = guess_whole_numbers(sample);
    const bool are_whole = first && std::all_of(values.begin(), values.end(), [&](double x) {
                             return x == std::floor(x) && x >= *first && x < *first + kMaxBins;
                           });
    if (are_whole) return whole_number_bins(values.front(), values.back());
  }
  return choose_bins(values, max_bins);
}

std::vector<double> coordinates_of(const Bins& bins, const std::vector<double>& sorted_sample,
                                   bool is_float32) {
  std::vector<double> coordinates = bins.single;
  auto begin = sorted_sample.begin();
  for (std::size_t b = 0; b < coordinates.size(); ++b) {
    const auto end = b < bins.edges.size()
                         ? std::upper_bound(begin, sorted_sample.end(), bins.edges[b])
                         : sorted_sample.end();
    if (begin == end && coordinates[b] != coordinates[b]) coordinates[b] = 0;  // all are missing
    if (coordinates[b] != coordinates[b]) {
      const double lowest = *begin, highest = *std::prev(end);
      const auto n = static_cast<double>(end - begin);
      double mean = 0;
      for (auto at = begin; at != end; ++at) mean += *at / n;
      if (is_float32) mean = static_cast<double>(static_cast<float>(mean));
      coordinates[b] = std::clamp(mean, lowest, highest);
    }
    coordinates[b] += 0.0;  // one zero for both
    begin = end;
  }
  return coordinates;
}

}  // namespace rarewood

#include "table/weight_grid.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "base/throw_if.hpp"

namespace rarewood {

namespace {

constexpr int kBits = 53;  // whole numbers up to 2^53 are exact in a double

// The power of two that n, which is above zero, is surely below.
int bits_above(double n) { return std::ilogb(n * (1 + 0x1p-40)) + 1; }

}  // namespace

WeightSizes weight_sizes(std::span<const double> weights) {
  WeightSizes sizes(static_cast<std::size_t>(kHighestExponent - kLowestExponent + 1), 0);
  for (double w : weights) {
    throw_if(!(w > 0 && std::isfinite(w)),
             "weights must be positive and finite; drop rows of weight zero.");
    ++sizes[std::ilogb(w) - kLowestExponent];
  }
  return sizes;
}

void check_sizes(std::span<const std::int64_t> sizes) {
  if (sizes.size() != static_cast<std::size_t>(kHighestExponent - kLowestExponent + 1) ||
      std::any_of(sizes.begin(), sizes.end(), [](std::int64_t n) { return n < 0; })) {
    throw std::invalid_argument("weight sizes must be a result of weight_sizes().");
  }
}

WeightGrid::WeightGrid(int exponent) : exponent_(std::max(exponent, kLowestExponent)) {
  is_extreme_ = exponent_ < -1000 || exponent_ > 970;
  if (is_extreme_) return;
  unit_ = std::ldexp(1.0, exponent_);
  per_unit_ = std::ldexp(1.0, -exponent_);
}

WeightGrid::WeightGrid(std::span<const std::int64_t> sizes, const DrawBounds& bounds) {
  check_sizes(sizes);
  int lowest = 0, highest = -1;
  double sum = 0;  // of all weights, each as large as its size allows, in units of the largest one
  for (int i = static_cast<int>(sizes.size()); i-- > 0;) {
    const auto n = static_cast<double>(sizes[i]);
    if (n == 0) continue;
    highest = std::max(highest, i);
    lowest = i;
    sum += std::ldexp(n, i - highest);
  }
  if (highest < 0) return;  // no weights
  // In units of the largest size: all weights in all copies, or all rows at the largest size.
  const double most = std::min(sum * bounds.copies, bounds.rows);
  const int highest_edge = highest + kLowestExponent + 1;
  // The total of all weights is known to be finite; that of drawn ones must be, too.
  throw_if(std::isfinite(bounds.rows) && highest_edge + bits_above(most) > kHighestExponent + 1,
           "sample_weight is too large: the total weight of the samples that are drawn for a tree "
           "could be infinite. Divide all weights by the same number.");
  int exponent = highest_edge + bits_above(most) - kBits;
  // A weight below the unit becomes one unit: room for 2^52 of these.
  if (lowest + kLowestExponent + 1 < exponent) ++exponent;
  *this = WeightGrid(exponent);
}

std::vector<double> WeightGrid::round_all(std::span<const double> weights) const {
  if (std::all_of(weights.begin(), weights.end(), [&](double w) { return round(w) == w; })) {
    return {};
  }
  std::vector<double> rounded(weights.size());
  std::transform(weights.begin(), weights.end(), rounded.begin(),
                 [&](double w) { return round(w); });
  return rounded;
}

std::vector<double> balancing_factors(std::span<const double> of_class) {
  const double total = std::accumulate(of_class.begin(), of_class.end(), 0.0);
  const auto n_present = static_cast<double>(
      std::count_if(of_class.begin(), of_class.end(), [](double w) { return w > 0; }));
  // In a unit near the total, in which no product overflows.
  const int exponent = total > 0 ? std::ilogb(total) : 0;
  auto scaled = [&](double w) { return std::scalbn(w, -exponent); };
  std::vector<double> factors;
  for (double w : of_class) {
    factors.push_back(w > 0 ? scaled(total) / (n_present * scaled(w)) : 1.0);
  }
  return factors;
}

}  // namespace rarewood

// Weights on a grid of powers of two, on which every sum of a fit is exact.
//
// Sums of floating-point weights depend on their order, and so would a tree on threads and on how
// its table is cut into parts. Each weight is therefore rounded once to a multiple of a power of
// two that is so large that all weights together are less than 2^53 of them: every sum and every
// difference is then exact. The grid depends only on the number of weights of each size. Whole
// weights, unless their sum is astronomic, are on it already.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace rarewood {

inline constexpr int kLowestExponent = -1074;  // of the smallest positive double
inline constexpr int kHighestExponent = 1023;

// Number of weights in [2^e, 2^(e+1)), for e = kLowestExponent ... kHighestExponent. Those
// of the parts of a table add up to those of the table.
using WeightSizes = std::vector<std::int64_t>;

// The weights must be positive and finite.
WeightSizes weight_sizes(std::span<const double> weights);

// Throws std::invalid_argument unless these are valid sizes.
void check_sizes(std::span<const std::int64_t> sizes);

// Upper bounds of what a tree draws: copies of one row, and rows in total.
struct DrawBounds {
  double copies = 1;
  double rows = std::numeric_limits<double>::infinity();
};

class WeightGrid {
 public:
  WeightGrid() = default;  // whole numbers
  explicit WeightGrid(int exponent);
  // For weights of these sizes, drawn within these bounds.
  WeightGrid(std::span<const std::int64_t> sizes, const DrawBounds& bounds);
  // For any weights whose sum is about `total`.
  static WeightGrid of_total(double total) { return WeightGrid(std::ilogb(total) + 2 - 53); }

  int exponent() const { return exponent_; }  // a unit is 2 to this power

  // The nearest multiple of the unit, at least one.
  std::uint64_t to_units(double weight) const {
    const double n =
        std::nearbyint(is_extreme_ ? std::scalbn(weight, -exponent_) : weight * per_unit_);
    return n < 1 ? 1 : n < 0x1p63 ? static_cast<std::uint64_t>(n) : std::uint64_t{1} << 63;
  }
  double to_weight(std::uint64_t units) const {
    const auto n = static_cast<double>(units);
    return is_extreme_ ? std::scalbn(n, exponent_) : n * unit_;
  }
  double round(double weight) const { return to_weight(to_units(weight)); }

  // Rounds all weights; returns an empty vector when all are on the grid already.
  std::vector<double> round_all(std::span<const double> weights) const;

 private:
  int exponent_ = 0;
  bool is_extreme_ = false;  // the unit or its inverse is not a normal number
  double unit_ = 1, per_unit_ = 1;
};

// Factors of the row weights of each class that give all classes with weight the same total.
std::vector<double> balancing_factors(std::span<const double> of_class);

}  // namespace rarewood

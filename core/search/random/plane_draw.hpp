// Random hyperplanes in the unit box.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/rng.hpp"

namespace rarewood {

// Nearly normal, from twelve uniform numbers of 16 bits: plain arithmetic, the same everywhere.
// Their sum is that of the midpoints of 2^16 intervals of [0, 1], which is exact.
inline double draw_normal(Random& random) {
  constexpr std::uint64_t kEven = 0x0000ffff0000ffff;
  std::uint64_t sum = 0;
  for (int i = 0; i < 3; ++i) {
    const std::uint64_t bits = random.bits();
    sum += (bits & kEven) + ((bits >> 16) & kEven);
  }
  sum = (sum & 0xffffffff) + (sum >> 32);
  return (static_cast<double>(sum) + 6) * 0x1.0p-16 - 6;
}

// The direction of a line, uniform: a point of the unit disc, by rejection.
inline void draw_in_disc(Random& random, double* normal) {
  double length = 0;
  while (!(length > 0 && length <= 1)) {
    const std::uint64_t bits = random.bits();
    for (int j = 0; j < 2; ++j) {
      normal[j] = static_cast<std::int32_t>(bits >> 32 * j) * 0x1.0p-31;
    }
    length = normal[0] * normal[0] + normal[1] * normal[1];
  }
}

// Numbers below four limits, all of at most 16 bits, from one draw; their bias is limit / 2^16.
struct FourBelow {
  explicit FourBelow(Random& random) : bits(random.bits()) {}
  std::size_t next(std::size_t limit) {
    const std::size_t drawn = static_cast<std::size_t>(bits & 0xffff) * limit >> 16;
    bits >>= 16;
    return drawn;
  }
  std::uint64_t bits;
};

// A hyperplane through as many points as it has dimensions.
class PointsDraw {
 public:
  // Draws the points and finds the normal; returns a point of the plane.
  const double* draw(Random& random, std::size_t dim, std::vector<double>& normal) {
    point_.resize(dim);
    for (double& x : point_) x = random.uniform();
    rows_.resize((dim - 1) * dim);
    for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i] = random.uniform() - point_[i % dim];
    find_normal(dim, normal);
    return point_.data();
  }

 private:
  // What is orthogonal to dim - 1 rows: eliminate with row pivots taken over all columns, set the
  // one column that is left to 1, substitute back. Zero when the points do not span a plane.
  void find_normal(std::size_t dim, std::vector<double>& normal) {
    normal.assign(dim, 0.0);
    order_.resize(dim);
    for (std::size_t j = 0; j < dim; ++j) order_[j] = j;
    for (std::size_t i = 0; i + 1 < dim; ++i) {
      const std::size_t column = pivot_column(i, dim);
      const double pivot = rows_[i * dim + column];
      if (pivot == 0) return;
      for (std::size_t r = i + 1; r + 1 < dim; ++r) {
        const double factor = rows_[r * dim + column] / pivot;
        for (std::size_t j = 0; j < dim; ++j) rows_[r * dim + j] -= factor * rows_[i * dim + j];
        rows_[r * dim + column] = 0;
      }
    }
    normal[order_[dim - 1]] = 1;
    for (std::size_t i = dim - 1; i-- > 0;) {
      double sum = 0;
      for (std::size_t j = i + 1; j < dim; ++j) {
        sum += rows_[i * dim + order_[j]] * normal[order_[j]];
      }
      normal[order_[i]] = -sum / rows_[i * dim + order_[i]];
    }
  }

  // Brings the column with the largest entry of row i to place i of the order.
  std::size_t pivot_column(std::size_t i, std::size_t dim) {
    std::size_t best = i;
    for (std::size_t j = i + 1; j < dim; ++j) {
      if (std::abs(rows_[i * dim + order_[j]]) > std::abs(rows_[i * dim + order_[best]])) best = j;
    }
    std::swap(order_[i], order_[best]);
    return order_[i];
  }

  std::vector<double> point_, rows_;
  std::vector<std::size_t> order_;
};

}  // namespace rarewood

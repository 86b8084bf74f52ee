// Points and weights of an integral over [0, 1] (Gauss-Legendre).
#pragma once

#include <cstddef>
#include <vector>

namespace rarewood {

// The sum of weight * f(point) is the integral of f exactly for polynomials below the degree
// 2 * n_points. `rest` is 1 - point, without cancellation. The number of entries is a multiple of
// four: further points have the weight 0.
struct Quadrature {
  std::vector<double> point, rest, weight;

  explicit Quadrature(std::size_t n_points);
  std::size_t size() const { return point.size(); }
};

}  // namespace rarewood

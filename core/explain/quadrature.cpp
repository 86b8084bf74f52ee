#include "explain/quadrature.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace rarewood {

namespace {

// The Legendre polynomial of a degree, and its derivative.
std::pair<double, double> legendre(std::size_t degree, double x) {
  double before = 1, value = x;
  for (std::size_t k = 2; k <= degree; ++k) {
    const auto d = static_cast<double>(k);
    before = std::exchange(value, ((2 * d - 1) * x * value - (d - 1) * before) / d);
  }
  return {value, static_cast<double>(degree) * (x * value - before) / (x * x - 1)};
}

}  // namespace

Quadrature::Quadrature(std::size_t n_points)
    : point((n_points + 3) / 4 * 4, 0.5), rest(point.size(), 0.5), weight(point.size(), 0.0) {
  constexpr int kSteps = 100;  // Newton's method needs about five
  const auto n = static_cast<double>(n_points);
  for (std::size_t i = 0; i < n_points; ++i) {
    double x = std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) / (n + 0.5));
    for (int step = 0; step < kSteps; ++step) {
      const auto [value, slope] = legendre(n_points, x);
      const double move = value / slope;
      x -= move;
      if (std::abs(move) < 1e-15) break;
    }
    const double slope = legendre(n_points, x).second;
    point[i] = (1 + x) / 2;
    rest[i] = (1 - x) / 2;
    weight[i] = 1 / ((1 - x * x) * slope * slope);
  }
}

}  // namespace rarewood

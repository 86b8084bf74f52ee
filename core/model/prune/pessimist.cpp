#include "model/prune/pessimist.hpp"

#include <algorithm>
#include <cmath>

namespace rarewood {

namespace {

// The z with a probability `tail` above it, for a standard normal variable; tail <= 1/2.
double normal_quantile(double tail) {
  // The tail falls and is convex for z > 0, so Newton's steps from 0 never pass the root.
  constexpr double kSqrtTwoPi = 2.506628274631000502415765284811;
  double z = 0;
  for (int step = 0; step < 10000; ++step) {
    const double excess = 0.5 * std::erfc(z / std::sqrt(2.0)) - tail;
    const double next = z + excess * kSqrtTwoPi * std::exp(z * z / 2);
    if (!(next > z + 1e-15 * z)) break;
    z = next;
  }
  return z;
}

}  // namespace

Pessimist::Pessimist(double confidence)
    : confidence_(confidence), z_(normal_quantile(confidence)) {}

double Pessimist::more(double n, double e) const {
  if (e < 1) {
    // Exact for no error; between none and one, a straight line.
    const double base = n * (1 - std::pow(confidence_, 1 / n));
    return e == 0 ? base : base + e * (more(n, 1) - base);
  }
  if (e + 0.5 >= n) return std::max(n - e, 0.0);
  // The normal approximation of the binomial distribution, corrected for continuity.
  const double f = (e + 0.5) / n, zz = z_ * z_;
  const double rate =
      (f + zz / (2 * n) + z_ * std::sqrt(f / n - f * f / n + zz / (4 * n * n))) / (1 + zz / n);
  return rate * n - e;
}

}  // namespace rarewood

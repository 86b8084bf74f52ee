// From uniform numbers to thresholds between a lowest and a highest value.
#pragma once

#include <cstddef>

#include "base/extent.hpp"

namespace rarewood {

// A threshold in [lowest, highest), for u in [0, 1): both sides get a row. Written so that it
// cannot overflow.
inline double place_threshold(double u, double lowest, double highest) {
  const double threshold = lowest * (1 - u) + highest * u;
  return threshold >= lowest && threshold < highest ? threshold : lowest;
}

// Many at once, in place of their uniform numbers. The mark of a threshold is the largest T that is
// not above it: a value is up to the one when it is up to the other.
void place_thresholds(const Extent<float>& extent, std::size_t n, double* thresholds, float* marks);
void place_thresholds(const Extent<double>& extent, std::size_t n, double* thresholds,
                      double* marks);

}  // namespace rarewood

// Finds values that are not finite.
#pragma once

#include <cstddef>
#include <limits>

#include "base/multiversion.hpp"

namespace rarewood {

// x - x is 0 for every finite x and NaN otherwise. Several sums side by side become vector code.
template <class T>
RAREWOOD_MULTIVERSION bool all_finite(const T* values, std::size_t n) {
  constexpr std::size_t kLanes = 32;
  T sums[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      sums[lane] += values[i + lane] - values[i + lane];
  }
  for (; i < n; ++i) sums[0] += values[i] - values[i];
  bool is_finite = true;
  for (T sum : sums) is_finite = is_finite && sum == 0;
  return is_finite;
}

template <class T>
bool any_infinite(const T* values, std::size_t n, std::ptrdiff_t stride = 1) {
  constexpr T kMost = std::numeric_limits<T>::max();
  bool any = false;
  for (std::size_t i = 0; i < n; ++i) {
    const T x = values[static_cast<std::ptrdiff_t>(i) * stride];
    any |= x > kMost || x < -kMost;
  }
  return any;
}

}  // namespace rarewood

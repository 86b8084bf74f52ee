// Finds values that are not finite.
#pragma once

#include <cstddef>
#include <limits>

namespace rarewood {

// x - x is 0 for every finite x and NaN otherwise; no branch, so vector code.
template <class T>
bool all_finite(const T* values, std::size_t n) {
  bool any = false;
  for (std::size_t i = 0; i < n; ++i) any |= !(values[i] - values[i] == 0);
  return !any;
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

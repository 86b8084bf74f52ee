#include "extent.hpp"

#include <limits>

#include "lanes.hpp"
#include "multiversion.hpp"

namespace rarewood {

namespace {

// A comparison with NaN is false and keeps what there was.
template <class T>
[[gnu::always_inline]] inline Extent<T> find_extent(const T* values, std::size_t n) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  Extent<T> found{kInfinity, -kInfinity};
  auto widen = [&found](T low, T high) {
    found.low = low < found.low ? low : found.low;
    found.high = high > found.high ? high : found.high;
  };
  std::size_t i = 0;
  if (n >= kLanesOf<T>) {
    Lanes<T> low = Lanes<T>{} + kInfinity, high = -low, x;
    for (; i + kLanesOf<T> <= n; i += kLanesOf<T>) {
      load_lanes(values + i, x);
      low = x < low ? x : low;
      high = x > high ? x : high;
    }
    for (std::size_t lane = 0; lane < kLanesOf<T>; ++lane) widen(low[lane], high[lane]);
  }
  for (; i < n; ++i) widen(values[i], values[i]);
  return found;
}

}  // namespace

RAREWOOD_MULTIVERSION
Extent<float> extent_of(const float* values, std::size_t n) { return find_extent(values, n); }

RAREWOOD_MULTIVERSION
Extent<double> extent_of(const double* values, std::size_t n) { return find_extent(values, n); }

}  // namespace rarewood

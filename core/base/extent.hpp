// The lowest and the highest of many values.
#pragma once

#include <limits>

namespace rarewood {

template <class T>
struct Extent {
  T low, high;  // infinite, low above high, when no value is present

  // A comparison with NaN is false and keeps the extent as it is.
  constexpr void widen(T from, T to) {
    low = from < low ? from : low;
    high = to > high ? to : high;
  }
};

template <class T>
inline constexpr Extent<T> kNoExtent{std::numeric_limits<T>::infinity(),
                                     -std::numeric_limits<T>::infinity()};

}  // namespace rarewood

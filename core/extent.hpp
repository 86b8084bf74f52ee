// The lowest and the highest of many values.
#pragma once

#include <cstddef>

namespace rarewood {

template <class T>
struct Extent {
  T low, high;  // infinite, low above high, when no value is present
};

// Missing values are passed over.
Extent<float> extent_of(const float* values, std::size_t n);
Extent<double> extent_of(const double* values, std::size_t n);

}  // namespace rarewood

// The values of some rows of a table, feature by feature, and their extents.
#pragma once

#include <cstddef>
#include <vector>

#include "base/extent.hpp"
#include "base/types.hpp"

namespace rarewood {

// One feature: where its values are, where they go, and how far they reach. Missing values are
// copied, and passed over by the extent.
template <class T>
struct Gathered {
  const T* from;  // its value in row 0
  T* to;
  Extent<T> extent = kNoExtent<T>;
};

// Appends n rows to every feature: `to` moves on and the extent widens. The values of a row are
// `stride` after those of the row before it.
void gather(const Row* rows, std::size_t n, std::ptrdiff_t stride,
            std::vector<Gathered<float>>& features);
void gather(const Row* rows, std::size_t n, std::ptrdiff_t stride,
            std::vector<Gathered<double>>& features);

}  // namespace rarewood

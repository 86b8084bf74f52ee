// The values of some rows of a table, feature by feature, and their extents.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/extent.hpp"
#include "base/lanes.hpp"
#include "base/multiversion.hpp"
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

namespace detail {

// A few features in one walk over the rows, whose values lie close together.
template <std::size_t kFeatures, class T>
[[gnu::always_inline]] inline void copy_rows(const Row* rows, std::size_t n, std::size_t n_ahead,
                                             std::ptrdiff_t stride, const Gathered<T>* features) {
  constexpr std::size_t kAhead = 24;  // rows: they lie anywhere in memory
  const T* from[kFeatures];
  T* to[kFeatures];
  for (std::size_t j = 0; j < kFeatures; ++j) {
    from[j] = features[j].from;
    to[j] = features[j].to;
  }
  auto copy = [&](std::size_t i) __attribute__((always_inline)) {
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(rows[i]) * stride;
    for (std::size_t j = 0; j < kFeatures; ++j) to[j][i] = from[j][at];
  };
  std::size_t i = 0;
  for (; i < n && i + kAhead < n_ahead; ++i) {
    const std::ptrdiff_t next = static_cast<std::ptrdiff_t>(rows[i + kAhead]) * stride;
    for (std::size_t j = 0; j < kFeatures; ++j) __builtin_prefetch(from[j] + next);
    copy(i);
  }
  for (; i < n; ++i) copy(i);
}

template <class T>
[[gnu::always_inline]] inline void widen(const T* values, std::size_t n, Extent<T>& extent) {
  std::size_t i = 0;
  if (n >= kLanesOf<T>) {
    Lanes<T> low = Lanes<T>{} + extent.low, high = Lanes<T>{} + extent.high, x;
    for (; i + kLanesOf<T> <= n; i += kLanesOf<T>) {
      load_lanes(values + i, x);
      low = x < low ? x : low;
      high = x > high ? x : high;
    }
    for (std::size_t lane = 0; lane < kLanesOf<T>; ++lane) extent.widen(low[lane], high[lane]);
  }
  for (; i < n; ++i) extent.widen(values[i], values[i]);
}

}  // namespace detail

// Appends n rows to every feature: `to` moves on and the extent widens. The values of a row are
// `stride` after those of the row before it.
template <class T>
RAREWOOD_MULTIVERSION void gather(const Row* rows, std::size_t n, std::ptrdiff_t stride,
                                  std::vector<Gathered<T>>& features) {
  constexpr std::size_t kBlock = 512;  // rows: still in the nearest cache when extents are taken
  constexpr std::size_t kTogether = 5;
  for (std::size_t begin = 0; begin < n; begin += kBlock) {
    const std::size_t n_here = std::min(kBlock, n - begin), n_ahead = n - begin;
    const Row* here = rows + begin;
    std::size_t j = 0;
    for (; j + kTogether <= features.size(); j += kTogether) {
      detail::copy_rows<kTogether>(here, n_here, n_ahead, stride, features.data() + j);
    }
    for (; j < features.size(); ++j) {
      detail::copy_rows<1>(here, n_here, n_ahead, stride, features.data() + j);
    }
    for (Gathered<T>& feature : features) {
      detail::widen(feature.to, n_here, feature.extent);
      feature.to += n_here;
    }
  }
}

}  // namespace rarewood

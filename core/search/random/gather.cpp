#include "search/random/gather.hpp"

#include <algorithm>

#include "base/lanes.hpp"
#include "base/multiversion.hpp"

namespace rarewood {

namespace {

constexpr std::size_t kBlock = 512;  // rows: still in the nearest cache when extents are taken
constexpr std::size_t kAhead = 24;   // rows prefetched ahead: they lie anywhere in memory
constexpr std::size_t kTogether = 5;

// A few features in one walk over the rows, whose values lie close together.
template <std::size_t kFeatures, class T>
[[gnu::always_inline]] inline void copy_rows(const Row* rows, std::size_t n, std::size_t n_ahead,
                                             std::ptrdiff_t stride, const Gathered<T>* features) {
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

template <class T>
[[gnu::always_inline]] inline void gather_all(const Row* rows, std::size_t n, std::ptrdiff_t stride,
                                              std::vector<Gathered<T>>& features) {
  for (std::size_t begin = 0; begin < n; begin += kBlock) {
    const std::size_t n_here = std::min(kBlock, n - begin), n_ahead = n - begin;
    const Row* here = rows + begin;
    std::size_t j = 0;
    for (; j + kTogether <= features.size(); j += kTogether) {
      copy_rows<kTogether>(here, n_here, n_ahead, stride, features.data() + j);
    }
    for (; j < features.size(); ++j) {
      copy_rows<1>(here, n_here, n_ahead, stride, features.data() + j);
    }
    for (Gathered<T>& feature : features) {
      widen(feature.to, n_here, feature.extent);
      feature.to += n_here;
    }
  }
}

}  // namespace

RAREWOOD_MULTIVERSION
void gather(const Row* rows, std::size_t n, std::ptrdiff_t stride,
            std::vector<Gathered<float>>& features) {
  gather_all(rows, n, stride, features);
}

RAREWOOD_MULTIVERSION
void gather(const Row* rows, std::size_t n, std::ptrdiff_t stride,
            std::vector<Gathered<double>>& features) {
  gather_all(rows, n, stride, features);
}

}  // namespace rarewood

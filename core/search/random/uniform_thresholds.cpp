#include "search/random/uniform_thresholds.hpp"

#include "base/multiversion.hpp"
#include "table/edge_search.hpp"

namespace rarewood {

namespace {

template <class T>
[[gnu::always_inline]] inline void place_all(const Extent<T>& extent, std::size_t n,
                                             double* thresholds, T* marks) {
  const auto lowest = static_cast<double>(extent.low), highest = static_cast<double>(extent.high);
  for (std::size_t i = 0; i < n; ++i) {
    thresholds[i] = place_threshold(thresholds[i], lowest, highest);
  }
  for (std::size_t i = 0; i < n; ++i) marks[i] = round_down<T>(thresholds[i]);
}

}  // namespace

RAREWOOD_MULTIVERSION
void place_thresholds(const Extent<float>& extent, std::size_t n, double* thresholds,
                      float* marks) {
  place_all(extent, n, thresholds, marks);
}

RAREWOOD_MULTIVERSION
void place_thresholds(const Extent<double>& extent, std::size_t n, double* thresholds,
                      double* marks) {
  place_all(extent, n, thresholds, marks);
}

}  // namespace rarewood

// Random thresholds of one feature, as in Extra-Trees and HeDEx: uniform between the node's
// smallest and largest value.
#pragma once

#include <algorithm>
#include <vector>

#include "base/count_below.hpp"
#include "base/multiversion.hpp"
#include "base/rng.hpp"
#include "search/cut_candidates.hpp"
#include "search/random/axes.hpp"
#include "table/edge_search.hpp"

namespace rarewood {

// A threshold in [lowest, highest), for u in [0, 1): both sides get a row. Written so that it
// cannot overflow.
inline double place_threshold(double u, double lowest, double highest) {
  const double threshold = lowest * (1 - u) + highest * u;
  return threshold >= lowest && threshold < highest ? threshold : lowest;
}

// Many at once, in place of their uniform numbers. The mark of a threshold is the largest T that is
// not above it: a value is up to the one when it is up to the other.
template <class T>
RAREWOOD_MULTIVERSION void place_thresholds(const Extent<T>& extent, std::size_t n,
                                            double* thresholds, T* marks) {
  const auto lowest = static_cast<double>(extent.low), highest = static_cast<double>(extent.high);
  for (std::size_t i = 0; i < n; ++i) {
    thresholds[i] = place_threshold(thresholds[i], lowest, highest);
  }
  for (std::size_t i = 0; i < n; ++i) marks[i] = round_down<T>(thresholds[i]);
}

template <class T>
class RandomCuts {
 public:
  // The values must vary; `cuts` must have been started.
  void add_cuts(const Axes<T>& axes, const Axis<T>& axis, int n_cuts, Random random,
                CutCandidates& cuts) {
    const Node& node = axes.node();
    const std::size_t k = node.segments.size(), n = static_cast<std::size_t>(n_cuts);
    threshold_.resize(n);
    marks_.resize(n + kMarkRoom);
    counts_.resize(n * k + kMarkRoom);
    for (double& u : threshold_) u = random.uniform();
    place_thresholds(axis.extent, n, threshold_.data(), marks_.data());
    begin_.assign(k, 0);
    for (std::size_t s = 0; s < k; ++s) {
      if (s > 0) begin_[s] = begin_[s - 1] + node.segments[s - 1].count;
      count_up_to(marks_.data(), n, axis.value.data() + begin_[s], node.segments[s].count,
                  counts_.data() + s * n);
    }
    if (cuts.is_plain()) {
      // No cut leaves a side empty, so all may be added at once.
      left_.resize(n * k);
      std::copy_n(counts_.begin(), n * k, left_.begin());
      cuts.candidates().add_all(left_.data(), n, n, [&](std::size_t c) {
        return Cut{.feature = axis.feature, .value = threshold_[c], .kind = CutKind::kThreshold};
      });
      return;
    }
    left_.resize(k);
    rows_.resize(k);
    for (std::size_t c = 0; c < n; ++c) {
      for (std::size_t s = 0; s < k; ++s) {
        left_[s] = rows_[s] = counts_[s * n + c];
        if (axes.weights()) left_[s] = axes.weigh(axis.value.data(), s, begin_[s], marks_[c]);
      }
      cuts.add({.feature = axis.feature, .value = threshold_[c], .kind = CutKind::kThreshold},
               left_.data(), rows_.data());
    }
  }

 private:
  std::vector<double> threshold_;
  std::vector<T> marks_;
  std::vector<std::uint32_t> counts_;
  std::vector<std::size_t> begin_;
  std::vector<double> left_, rows_;
};

}  // namespace rarewood

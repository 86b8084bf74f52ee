// Random thresholds of one feature, as in Extra-Trees and HeDEx: uniform between the node's
// smallest and largest value.
#pragma once

#include <algorithm>
#include <vector>

#include "base/count_below.hpp"
#include "base/rng.hpp"
#include "search/cut_candidates.hpp"
#include "search/random/axes.hpp"
#include "search/random/uniform_thresholds.hpp"

namespace rarewood {

inline double draw_threshold(Random& random, double lowest, double highest) {
  return place_threshold(random.uniform(), lowest, highest);
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

// Random thresholds of one feature, as in Extra-Trees and HeDEx: uniform between the node's
// smallest and largest value.
#pragma once

#include <algorithm>
#include <vector>

#include "base/count_below.hpp"
#include "base/interrupt.hpp"
#include "base/multiversion.hpp"
#include "base/rng.hpp"
#include "search/cut_candidates.hpp"
#include "search/histogram.hpp"
#include "search/random/counted_rows.hpp"
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
  void add_cuts(const Node& node, const CountedRows<T>& counted, const Axis<T>& axis, int n_cuts,
                Random random, CutCandidates& cuts) {
    const std::size_t k = node.segments.size(), n = static_cast<std::size_t>(n_cuts);
    const T* const values = counted.values()[0];
    threshold_.resize(n);
    marks_.resize(n + kMarkRoom);
    counts_.resize(n * k + kMarkRoom);
    for (double& u : threshold_) u = random.uniform();
    place_thresholds(axis.extent, n, threshold_.data(), marks_.data());
    for (std::size_t s = 0; s < k; ++s) {
      for (std::size_t c = 0; c < n; c += kCounted) {  // what is written too far is overwritten
        check_interrupt();
        count_up_to(marks_.data() + c, std::min(kCounted, n - c), values + counted.begin(s),
                    counted.end(s) - counted.begin(s), counts_.data() + s * n + c);
      }
      counted.add_zeros(s, marks_.data(), n, counts_.data() + s * n);
    }
    rows_.resize(n * k);  // no cut leaves a side empty
    std::copy_n(counts_.begin(), n * k, rows_.begin());
    left_ = rows_;
    for (std::size_t s = 0; s < k && counted.has_weights(); ++s) {
      for (std::size_t c = 0; c < n; ++c) {
        left_[s * n + c] = counted.weigh(values, s, marks_[c]);
      }
    }
    cuts.add_all(left_.data(), rows_.data(), n, n, [&](std::size_t c) {
      return Cut{.feature = axis.feature, .value = threshold_[c], .kind = CutKind::kThreshold};
    });
  }

 private:
  static constexpr std::size_t kCounted = 1024;  // cuts, between two looks for an interrupt

  std::vector<double> threshold_;
  std::vector<T> marks_;
  std::vector<std::uint32_t> counts_;
  std::vector<double> left_, rows_;
};

// Random cuts in binned mode: drawn between the lowest and the highest occupied edge of a node, and
// snapped to an edge. At least two bins must be occupied.
template <class Count, class Rows>
void add_random_edges(const FeatureHistogram<Count>& histogram, const FeatureHistogram<Rows>& rows,
                      const Column& column, int f, const Node& node, int n_cuts,
                      CutCandidates& cuts) {
  const std::size_t k = node.segments.size();
  auto is_occupied = [&](int b) {
    for (std::size_t s = 0; s < k; ++s) {
      if (rows.bins(s)[b] > 0) return true;
    }
    return false;
  };
  int first = 0, last = column.n_bins - 1;
  while (!is_occupied(first)) ++first;
  while (!is_occupied(last)) --last;
  Random random = random_of(node, f);
  std::vector<double> left(k), left_rows(k);
  for (int c = 0; c < n_cuts; ++c) {
    const double drawn =
        place_threshold(random.uniform(), column.edges[first], column.edges[last - 1]);
    const auto edge = std::lower_bound(column.edges.begin(), column.edges.end(), drawn);
    const int bin = std::clamp(static_cast<int>(edge - column.edges.begin()), first, last - 1);
    for (std::size_t s = 0; s < k; ++s) {
      left[s] = left_rows[s] = 0;
      for (int b = first; b <= bin; ++b) {
        left[s] += static_cast<double>(histogram.bins(s)[b]);
        left_rows[s] += static_cast<double>(rows.bins(s)[b]);
      }
    }
    cuts.add({.feature = f, .bin = bin}, left.data(), left_rows.data());
  }
}

}  // namespace rarewood

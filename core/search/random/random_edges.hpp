// Random cuts in binned mode: drawn between the lowest and the highest occupied edge of a node, and
// snapped to an edge.
#pragma once

#include <algorithm>
#include <vector>

#include "base/rng.hpp"
#include "search/cut_candidates.hpp"
#include "search/histogram.hpp"
#include "search/node.hpp"
#include "search/random/random_cuts.hpp"
#include "table/columns.hpp"

namespace rarewood {

// At least two bins must be occupied.
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

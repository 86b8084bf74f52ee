// Splits that are chosen on a sample of a large node, and must hold on all its rows.
#pragma once

#include <algorithm>
#include <vector>

#include "grow/partition.hpp"
#include "search/gain.hpp"
#include "search/monotonic.hpp"
#include "search/node_search.hpp"

namespace rarewood {

// The best split on a sample of the node, or none. It says where missing values go.
template <class T>
Split find_sampled(NodeSearch<T>& search, Partition<T>& partition, const Source<T>& source,
                   const Node& node) {
  Split split = search.find_in_sample(source, node);
  if (!split.exists() || split.missing_child >= 0) return split;
  // The sample has no missing value, the node may: the child that seems the larger takes them.
  const Node& sample = search.sample().node();
  const std::vector<Node> children = partition.divide(search.sample().source(), sample, split);
  double n_left = 0, n_right = 0;
  for (std::size_t s = 0, i = 0, j = 0; s < sample.segments.size(); ++s) {
    auto count = [&](const Node& child, std::size_t& at) {
      const bool is_here =
          at < child.segments.size() && child.segments[at].of_class == sample.segments[s].of_class;
      return is_here ? sample.scale->rows[s] * child.segments[at++].count : 0.0;
    };
    n_left += count(children[0], i);
    n_right += count(children[1], j);
  }
  split.missing_child = n_left >= n_right ? 0 : 1;
  return split;
}

// Is the split into these children, which have all rows of the node, allowed? Sets its gain.
inline bool holds(const Criterion& criterion, const GrowOptions& options, const Node& node,
                  const std::vector<Node>& children, Split& split) {
  const bool is_allowed = std::all_of(children.begin(), children.end(), [&](const Node& child) {
    return options.allows(static_cast<double>(child.n_rows), child.weight);
  });
  if (!is_allowed || !is_in_order(options.monotonic, split, children)) return false;
  split.gain = gain_of(criterion, node, children);
  return split.gain >= options.min_gain;
}

}  // namespace rarewood

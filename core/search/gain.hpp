// The gain of a split: how much better it scores than the node without it.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/short_vector.hpp"
#include "base/types.hpp"
#include "criterion/criterion.hpp"
#include "search/node.hpp"

namespace rarewood {

// Of a split with this score. A loss within rounding errors is no loss.
inline double gain_of(const Criterion& criterion, const Node& node, double score) {
  const double unsplit = criterion.score({node.totals.data(), 1, node.n_classes()});
  const double gain = score - unsplit;
  const bool is_rounding = gain > -kTieTolerance * std::max(1.0, std::abs(unsplit));
  return gain < 0 && is_rounding ? 0.0 : gain;
}

// Of a split into these children.
inline double gain_of(const Criterion& criterion, const Node& node,
                      const std::vector<Node>& children) {
  const std::size_t k = node.segments.size();
  ShortVector<double, 8> table(children.size() * k, 0.0);
  for (std::size_t c = 0; c < children.size(); ++c) {
    for (std::size_t i = 0, s = 0; i < children[c].segments.size(); ++i, ++s) {
      while (node.segments[s].of_class != children[c].segments[i].of_class) ++s;
      table[c * k + s] = children[c].totals[i];
    }
  }
  const int n_children = static_cast<int>(children.size());
  return gain_of(criterion, node, criterion.score({table.data(), n_children, static_cast<int>(k)}));
}

}  // namespace rarewood

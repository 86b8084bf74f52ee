// Nodes of a tree with a collapse that are not worth a search: all their subtrees would be
// collapsed (model/prune/collapse.hpp).
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "search/grow_options.hpp"
#include "search/node.hpp"

namespace rarewood {

// Fraction of each class at a node.
inline ShortVector<double> class_fractions(const Node& node, int n_classes) {
  ShortVector<double> raw(static_cast<std::size_t>(n_classes), 0.0);
  for (std::size_t s = 0; s < node.segments.size(); ++s) {
    raw[static_cast<std::size_t>(node.segments[s].of_class)] = node.totals[s] / node.weight;
  }
  return raw;
}

// Sets the probabilities of the children of a node.
inline void set_probabilities(const GrowOptions& options, const Node& node, int n_classes,
                              std::vector<Node>& children) {
  if (!options.skips()) return;
  const double keep = options.keep(node.weight, options.leaf_strength);
  const ShortVector<double> raw = class_fractions(node, n_classes);
  for (Node& child : children) {
    child.p = class_fractions(child, n_classes);
    for (std::size_t j = 0; j < raw.size(); ++j) {
      child.p[j] = std::clamp(node.p[j] + keep * (child.p[j] - raw[j]), 0.0, 1.0);
    }
  }
}

// Is this the probability of a class that the collapse counts, not what rounding leaves of 0?
inline bool is_present(double p) { return p > std::numeric_limits<double>::epsilon(); }

// Would every subtree of this node be collapsed? Changes of the fractions along a path are
// uncorrelated, and each is kept at most as much as those of this node's children: so the leaves
// of class j vary by at most keep^2 * raw (1 - raw) about p.
inline bool is_hopeless(const GrowOptions& options, const Node& node) {
  constexpr double kRounding = 1e-6;  // relative error of the bound, and more
  if (!options.skips()) return false;
  const double keep = options.keep(node.weight, options.leaf_strength);
  double explained = 0;
  int n_classes = 0;
  for (std::size_t s = 0; s < node.segments.size(); ++s) {
    const double raw = node.totals[s] / node.weight;
    const double p = node.p[static_cast<std::size_t>(node.segments[s].of_class)];
    if (!is_present(p)) return false;
    explained += raw * (1 - raw) / p;
  }
  for (double p : node.p) n_classes += is_present(p);
  explained *= keep * keep * node.weight;
  return explained * (1 + kRounding) <= options.collapse * (n_classes - 1);
}

}  // namespace rarewood

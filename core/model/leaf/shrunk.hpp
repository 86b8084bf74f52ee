// Hierarchical shrinkage: from the root down, the probability of a node is that of its parent plus
// the change of the raw fractions, damped where the parent is small.
#pragma once

#include <algorithm>

#include "model/leaf/raw.hpp"

namespace rarewood {

struct Shrunk {
  static double keep(double weight, double strength) {
    return weight > 0 ? 1.0 / (1.0 + strength / weight) : 0.0;
  }

  static std::vector<double> probabilities(const Tree& tree, double strength) {
    const auto k = static_cast<std::size_t>(tree.n_classes);
    const std::vector<double> raw = estimate_nodes<Raw>(tree, 0);
    std::vector<double> p = raw;
    for (std::size_t v = 0; v < tree.n_nodes(); ++v) {  // parents come before their children
      if (tree.is_leaf(v)) continue;
      const double kept = keep(tree.node_weight(v), strength);
      for (std::int32_t i = 0; i < tree.n_children[v]; ++i) {
        const auto child = static_cast<std::size_t>(tree.first_child[v] + i);
        for (std::size_t j = 0; j < k; ++j) {
          const double moved = p[v * k + j] + kept * (raw[child * k + j] - raw[v * k + j]);
          p[child * k + j] = std::clamp(moved, 0.0, 1.0);  // rounding may step outside
        }
      }
    }
    return p;
  }
};

}  // namespace rarewood

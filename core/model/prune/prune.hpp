// The kind of pruning and its threshold.
#pragma once

#include <string>

#include "model/leaf/registry.hpp"
#include "model/prune/cost_complexity.hpp"
#include "model/tree.hpp"

namespace rarewood {

enum class PruningKind { kNone, kFisher, kError, kCostComplexity };

struct Pruning {
  PruningKind kind = PruningKind::kNone;
  // fisher: branches with a p-value below it stay; error: the confidence factor of C4.5;
  // cost_complexity: the price of a leaf.
  double threshold = 0;
  bool tests_leaves = false;            // fisher
  Impurity impurity = Impurity::kGini;  // cost_complexity

  // After pruning, subtrees are collapsed (see collapse.hpp) unless the limit is 0.
  double collapse = 0;
  const LeafEntry* leaf = nullptr;  // needed for a limit above 0
  double leaf_strength = 0;

  bool is_any() const { return kind != PruningKind::kNone || collapse > 0; }

  // Throws std::invalid_argument when the threshold makes no sense for the kind.
  void check() const;
};

Tree prune(const Tree& tree, const Pruning& pruning);

}  // namespace rarewood

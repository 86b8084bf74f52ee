// Grows many trees from the same coded columns, side by side.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "grow/grow.hpp"
#include "grow/row_sampling.hpp"
#include "model/prune/prune.hpp"

namespace rarewood {

struct ForestOptions {
  std::size_t n_trees = 1;
  std::uint64_t first_tree = 0;  // its number: a forest may be grown in several parts
  RowSampling sampling;
  bool balances_weights =
      false;        // reweight the drawn rows of each tree so that its classes have equal weight
  Pruning pruning;  // of each tree, when it is grown
  int n_threads = 1;
};

// Lets growth skip nodes whose subtrees the pruning would collapse.
inline void set_collapse(const Pruning& pruning, GrowOptions& options) {
  if (pruning.kind != PruningKind::kNone || !(pruning.collapse > 0)) return;
  options.collapse = pruning.collapse;
  options.leaf_strength = pruning.leaf_strength;
  options.keep = pruning.leaf->keep;
}

// Is called from the caller's own thread, now and then, with the number of finished trees; growing
// ends early when it returns false.
using Watch = std::function<bool(std::size_t n_done)>;

// `criteria` has one entry for all trees or one for each. The trees do not depend on the number of
// threads. Throws Stopped when `watch` has returned false.
std::vector<std::shared_ptr<Tree>> grow_forest(const Columns& columns, const Target& target,
                                               std::span<const Criterion* const> criteria,
                                               const GrowOptions& options,
                                               const ForestOptions& forest, const Watch& watch);

}  // namespace rarewood

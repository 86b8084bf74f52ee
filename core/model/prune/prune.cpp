#include "model/prune/prune.hpp"

#include <algorithm>

#include "base/throw_if.hpp"
#include "model/prune/collapse.hpp"
#include "model/prune/error.hpp"
#include "model/prune/fisher.hpp"

namespace rarewood {

void Pruning::check() const {
  throw_if(!(collapse >= 0), "collapse must be at least 0.");
  throw_if(collapse > 0 && !leaf, "collapse needs a leaf estimator.");
  switch (kind) {
    case PruningKind::kNone:
      return;
    case PruningKind::kFisher:
      if (threshold >= 0 && threshold <= 1) return;
      refuse("the threshold of fisher pruning is a p-value from 0 to 1.");
    case PruningKind::kError:
      if (threshold > 0 && threshold <= 0.5) return;
      refuse("the threshold of error pruning is a confidence above 0, at most 0.5.");
    case PruningKind::kCostComplexity:
      if (threshold >= 0) return;
      refuse("the threshold of cost_complexity pruning is the price of a leaf, not below 0.");
  }
}

namespace {

// A copy of the tree in which the marked nodes are leaves. What stays keeps its order, so children
// stay side by side behind their parent.
Tree cut_back(const Tree& tree, const std::vector<char>& becomes_leaf) {
  std::vector<NodeId> from, number(tree.n_nodes(), -1), first_child;
  std::vector<char> stays(tree.n_nodes(), 0);
  auto is_inner = [&](std::size_t v) { return !tree.is_leaf(v) && !becomes_leaf[v]; };
  stays[0] = 1;
  for (std::size_t v = 0; v < tree.n_nodes(); ++v) {
    if (!stays[v]) continue;
    number[v] = static_cast<NodeId>(from.size());
    from.push_back(static_cast<NodeId>(v));
    if (is_inner(v)) {
      std::fill_n(stays.begin() + tree.first_child[v], tree.n_children[v], char{1});
    }
  }
  for (NodeId v : from) first_child.push_back(is_inner(v) ? number[tree.first_child[v]] : -1);
  return tree.take(from, std::move(first_child));
}

std::vector<char> new_leaves(const Tree& tree, const Pruning& pruning) {
  switch (pruning.kind) {
    case PruningKind::kFisher:
      return fisher_leaves(tree, pruning.threshold, pruning.tests_leaves);
    case PruningKind::kError:
      return error_leaves(tree, pruning.threshold);
    case PruningKind::kCostComplexity:
      return cost_complexity_leaves(tree, pruning.threshold, pruning.impurity);
    case PruningKind::kNone:
      break;
  }
  return std::vector<char>(tree.n_nodes(), 0);
}

}  // namespace

Tree prune(const Tree& tree, const Pruning& pruning) {
  pruning.check();
  Tree pruned = cut_back(tree, new_leaves(tree, pruning));
  if (pruning.collapse == 0) return pruned;
  const std::vector<double> p = pruning.leaf->probabilities(pruned, pruning.leaf_strength);
  return cut_back(pruned, collapsed_nodes(pruned, p, {&pruning.collapse, 1}));
}

}  // namespace rarewood

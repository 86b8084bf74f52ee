#include "model/prune/prune.hpp"

#include <stdexcept>

#include "model/prune/cut_back.hpp"
#include "model/prune/error.hpp"
#include "model/prune/fisher.hpp"

namespace rarewood {

void Pruning::check() const {
  switch (kind) {
    case PruningKind::kNone:
      return;
    case PruningKind::kFisher:
      if (threshold >= 0 && threshold <= 1) return;
      throw std::invalid_argument("the threshold of fisher pruning is a p-value from 0 to 1.");
    case PruningKind::kError:
      if (threshold > 0 && threshold <= 0.5) return;
      throw std::invalid_argument(
          "the threshold of error pruning is a confidence above 0, at most 0.5.");
    case PruningKind::kCostComplexity:
      if (threshold >= 0) return;
      throw std::invalid_argument(
          "the threshold of cost_complexity pruning is the price of a leaf, not below 0.");
  }
}

namespace {

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
  return cut_back(tree, new_leaves(tree, pruning));
}

}  // namespace rarewood

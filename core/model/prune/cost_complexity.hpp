// Cost-complexity pruning (CART): the smallest tree with the lowest sum of impurity and a price for
// every leaf.
#pragma once

#include <vector>

#include "model/tree.hpp"

namespace rarewood {

enum class Impurity { kGini, kEntropy };

// A branch becomes a leaf where its splits lower the impurity by no more than `alpha` for each leaf
// that they add. Impurities are weighted by the fraction of the rows.
std::vector<char> cost_complexity_leaves(const Tree& tree, double alpha, Impurity impurity);

// The prices at which the tree becomes smaller, weakest branch first, from 0 with the whole tree,
// and the impurity of the tree that is left at each.
struct CostComplexityPath {
  std::vector<double> alphas;
  std::vector<double> impurities;
};

CostComplexityPath cost_complexity_path(const Tree& tree, Impurity impurity);

}  // namespace rarewood

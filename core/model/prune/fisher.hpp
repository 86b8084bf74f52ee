// Pruning by significance (CCPDT): a branch stays if it holds a significant rule.
#pragma once

#include <vector>

#include "model/tree.hpp"

namespace rarewood {

// For each node, Fisher's p-value of the rule "reaches this node" over all training rows, for the
// class of which the largest fraction reaches it; the lowest of several. 1 for the root.
std::vector<double> fisher_p_values(const Tree& tree);

// For each node the smallest p-value among the tested nodes of its branch, itself included: the
// branch stays at a threshold above it. Inner nodes below the root are tested, and leaves on
// request; a branch without a tested node has infinity, and the root, which always stays,
// -infinity.
std::vector<double> fisher_levels(const Tree& tree, bool tests_leaves);

std::vector<char> fisher_leaves(const Tree& tree, double threshold, bool tests_leaves);

}  // namespace rarewood

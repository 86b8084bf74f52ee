// Turns branches of a tree into leaves: the last step of every pruning.
#pragma once

#include <vector>

#include "model/tree.hpp"

namespace rarewood {

// A copy of the tree in which the marked nodes are leaves. What stays keeps its order.
Tree cut_back(const Tree& tree, const std::vector<char>& becomes_leaf);

}  // namespace rarewood

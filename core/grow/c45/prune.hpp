// Pruning of a C4.5 tree, which may raise subtrees.
#pragma once

#include "grow/c45/grow.hpp"

namespace rarewood::c45 {

// Turns subtrees into leaves, from the root down, that make no fewer errors on the training cases.
void collapse(Node& node);

// Error-based pruning, from the leaves up: a subtree is replaced by a leaf, or by its child with
// most cases, where that is not expected to make more than 0.1 errors more. A raised child receives
// the cases of its parent and is pruned again.
void prune(const Table& table, Node& node, double confidence, bool raising);

}  // namespace rarewood::c45

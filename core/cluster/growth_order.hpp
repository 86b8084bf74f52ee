// Nodes in the order in which a tree that is grown on one machine would have them.
#pragma once

#include "model/tree.hpp"

namespace rarewood {

// A tree that was grown level by level, numbered as depth-first growth does; with a limit on its
// leaves, as best-first growth does, and without the splits that it would not have made.
Tree in_growth_order(const Tree& tree, std::int64_t max_leaf_nodes);

}  // namespace rarewood

// Pessimistic error pruning (C4.5): a branch becomes a leaf where that is not expected to make more
// errors.
#pragma once

#include <vector>

#include "model/tree.hpp"

namespace rarewood {

// `confidence`: the probability that the errors of a leaf are rarer than estimated is 1 minus this,
// so the smaller it is, the more is pruned; above 0, at most 0.5.
std::vector<char> error_leaves(const Tree& tree, double confidence);

}  // namespace rarewood

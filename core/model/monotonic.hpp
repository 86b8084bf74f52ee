// Monotonic constraints: the probability of the second of two classes must not fall, or not rise,
// along a feature.
//
// Of a constrained split one child must not have a lower probability than any leaf of the other.
// Node values are smoothed first; then, from the root down, those of the two children are bounded
// by the midpoint of their own values. So the order holds for every leaf estimator, which may
// invert that of the class fractions, and in every pruned tree.
#pragma once

#include <cstdint>
#include <vector>

#include "model/tree.hpp"

namespace rarewood {

// 1: the right child must not have the lower value; -1: the left one; 0: no order. Of a term of a
// weighted sum.
inline int order_of(std::int32_t constraint, double weight) {
  if (constraint == 0 || weight == 0) return 0;
  return (constraint > 0) == (weight > 0) ? 1 : -1;
}

// Bounds the values of the nodes (nodes x 2) of a tree with constraints.
void bound_values(const Tree& tree, std::vector<double>& values);

// Throws std::invalid_argument where a tree cannot keep its constraints.
void check_monotonic(const Tree& tree);

}  // namespace rarewood

// Collapse: a subtree whose leaves explain little of the class variance becomes a leaf.
//
// With the class probabilities p of the nodes, the subtree of node v explains
//   sum over its leaves of weight(leaf) * sum over classes of (p_leaf - p_v)^2 / p_v
// (for two classes: weight * (p_leaf - p_v)^2 / (p_v (1 - p_v))), and is collapsed if that is at
// most limit * (leaves - 1) * (classes - 1), the classes being those of nonzero p_v. Nodes are
// visited from the leaves up, so the leaves of a subtree are those left by collapses below.
//
// The look ahead is limited: a split that alone explains too little is weak, and a node that only
// weak splits, kMostWeak of them, connect with an ancestor is made a leaf first. Most of the splits
// of a tree that overfits are of that kind, and a tree that grows with a collapse need not find
// them.
#pragma once

#include <span>
#include <vector>

#include "model/tree.hpp"

namespace rarewood {

constexpr int kMostWeak = 4;  // weak splits in succession

// Which nodes become leaves under each of some limits (nodes x limits), given the probabilities of
// all nodes (nodes x classes). A limit of 0 keeps every split.
std::vector<char> collapsed_nodes(const Tree& tree, std::span<const double> p,
                                  std::span<const double> limits);

}  // namespace rarewood

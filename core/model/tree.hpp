// A finished tree: flat arrays, class counts in every node. Independent of training.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/types.hpp"

namespace rarewood {

struct Tree {
  int n_classes = 0;
  std::int64_t n_features = 0;

  // Per node. The children of a node are first_child ... first_child + n_children - 1, and come
  // after it. A leaf has feature -1, first_child -1, n_children 0, missing_child -1.
  std::vector<std::int32_t> feature;
  std::vector<double> threshold;  // numeric node: x <= threshold follows the first child; else NaN
  std::vector<NodeId> first_child;
  std::vector<std::int32_t> n_children;
  std::vector<std::int32_t> missing_child;  // where missing and unseen values go, 0-based
  std::vector<double> gain;
  std::vector<std::int64_t> counts;     // nodes x classes, rows
  std::vector<double> weighted_counts;  // the same with weights; empty when there were none

  // Categorical node v: category[i] follows child category_child[i] for
  // i = category_offset[v] ... category_offset[v + 1] - 1, sorted by category.
  std::vector<std::int64_t> category_offset{0};
  std::vector<std::int32_t> category;
  std::vector<std::int32_t> category_child;

  // Hyperplane node v: the sum of plane_weight[i] * x[plane_feature[i]] for
  // i = plane_offset[v] ... plane_offset[v + 1] - 1 is compared with the threshold; its feature is
  // the first of them. All three are empty in a tree without hyperplanes.
  std::vector<std::int64_t> plane_offset;
  std::vector<std::int32_t> plane_feature;
  std::vector<double> plane_weight;

  // Monotonic constraints, -1, 0 or 1 for each feature; empty without any (model/monotonic.hpp).
  std::vector<std::int32_t> monotonic;

  // Calls visit(name, pointer to member) for every array of nodes.
  template <class Visit>
  static void for_each_array(Visit&& visit) {
    visit("feature", &Tree::feature);
    visit("threshold", &Tree::threshold);
    visit("first_child", &Tree::first_child);
    visit("n_children", &Tree::n_children);
    visit("missing_child", &Tree::missing_child);
    visit("gain", &Tree::gain);
    visit("counts", &Tree::counts);
    visit("weighted_counts", &Tree::weighted_counts);
    visit("category_offset", &Tree::category_offset);
    visit("category", &Tree::category);
    visit("category_child", &Tree::category_child);
    visit("plane_offset", &Tree::plane_offset);
    visit("plane_feature", &Tree::plane_feature);
    visit("plane_weight", &Tree::plane_weight);
  }

  // Nothing but its own counts is left of a node without children.
  void make_leaf(std::size_t v) {
    feature[v] = first_child[v] = missing_child[v] = -1;
    threshold[v] = std::numeric_limits<double>::quiet_NaN();
    n_children[v] = 0;
    gain[v] = 0;
  }

  std::size_t n_nodes() const { return feature.size(); }
  bool is_leaf(std::size_t v) const { return feature[v] < 0; }
  bool is_categorical(std::size_t v) const {
    return !category.empty() && category_offset[v] < category_offset[v + 1];
  }
  bool is_plane(std::size_t v) const {
    return !plane_offset.empty() && plane_offset[v] < plane_offset[v + 1];
  }
  double class_weight(std::size_t v, int j) const {
    const std::size_t at = v * static_cast<std::size_t>(n_classes) + static_cast<std::size_t>(j);
    return weighted_counts.empty() ? static_cast<double>(counts[at]) : weighted_counts[at];
  }
  double node_weight(std::size_t v) const {
    double total = 0;
    for (int j = 0; j < n_classes; ++j) total += class_weight(v, j);
    return total;
  }

  // The child of node v that a category follows; `otherwise` if it is none of the node's.
  std::int32_t child_of_category(std::size_t v, double x, std::int32_t otherwise) const;
  std::int32_t child_of_category(std::size_t v, double x) const {
    return child_of_category(v, x, missing_child[v]);
  }

  // The given nodes in their order. `new_first_child` has the numbers of their first children in
  // that order; a node with -1 becomes a leaf.
  Tree take(std::span<const NodeId> from, std::vector<NodeId> new_first_child) const;

  // Throws std::invalid_argument when the arrays do not make a tree: a tree may come from a file.
  void check() const;
};

}  // namespace rarewood

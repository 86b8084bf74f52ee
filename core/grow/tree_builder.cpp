#include "grow/tree_builder.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace rarewood {

TreeBuilder::TreeBuilder(std::int64_t n_features, int n_classes, bool is_weighted)
    : is_weighted_(is_weighted) {
  tree_.n_features = n_features;
  tree_.n_classes = n_classes;
}

NodeId TreeBuilder::add_node(const Node& node) {
  if (tree_.n_nodes() >= static_cast<std::size_t>(std::numeric_limits<NodeId>::max())) {
    throw std::length_error("the tree has more nodes than can be numbered.");
  }
  const auto id = static_cast<NodeId>(tree_.n_nodes());
  tree_.feature.push_back(-1);
  tree_.threshold.push_back(std::numeric_limits<double>::quiet_NaN());
  tree_.first_child.push_back(-1);
  tree_.n_children.push_back(0);
  tree_.missing_child.push_back(-1);
  tree_.gain.push_back(0.0);
  const std::size_t at = tree_.counts.size(), k = static_cast<std::size_t>(tree_.n_classes);
  tree_.counts.resize(at + k, 0);
  if (is_weighted_) tree_.weighted_counts.resize(at + k, 0.0);
  for (std::size_t s = 0; s < node.segments.size(); ++s) {
    const auto c = static_cast<std::size_t>(node.segments[s].of_class);
    tree_.counts[at + c] = static_cast<std::int64_t>(node.rows_in(s));
    if (is_weighted_) tree_.weighted_counts[at + c] = node.totals[s];
  }
  return id;
}

void TreeBuilder::add_split(const Node& node, const Split& split, std::vector<Node>& children) {
  for (Node& child : children) child.id = add_node(child);
  const auto v = static_cast<std::size_t>(node.id);
  tree_.feature[v] = split.cut.feature;
  if (!split.is_categorical()) tree_.threshold[v] = split.threshold;
  tree_.first_child[v] = children.front().id;
  tree_.n_children[v] = split.n_children;
  tree_.missing_child[v] = split.missing_child;
  tree_.gain[v] = split.gain;
  if (split.is_categorical()) categorical_.push_back({node.id, split.categories});
  if (split.is_plane()) planes_.push_back({node.id, split.plane});
}

void TreeBuilder::graft(NodeId leaf, const Tree& branch) {
  if (tree_.n_nodes() + branch.n_nodes() >
      static_cast<std::size_t>(std::numeric_limits<NodeId>::max())) {
    throw std::length_error("the tree has more nodes than can be numbered.");
  }
  const auto shift = static_cast<NodeId>(tree_.n_nodes()) - 1;  // of all nodes but the root
  const std::size_t k = static_cast<std::size_t>(tree_.n_classes);
  for (std::size_t from = 0; from < branch.n_nodes(); ++from) {
    const auto v = from == 0 ? static_cast<std::size_t>(leaf)
                             : static_cast<std::size_t>(static_cast<NodeId>(from) + shift);
    if (from > 0) {
      tree_.feature.push_back(-1);
      tree_.threshold.push_back(0);
      tree_.first_child.push_back(-1);
      tree_.n_children.push_back(0);
      tree_.missing_child.push_back(-1);
      tree_.gain.push_back(0);
      auto copy = [&](const auto& counts, auto& to) {
        const auto at = counts.begin() + static_cast<std::ptrdiff_t>(from * k);
        to.insert(to.end(), at, at + static_cast<std::ptrdiff_t>(k));
      };
      copy(branch.counts, tree_.counts);
      if (is_weighted_) copy(branch.weighted_counts, tree_.weighted_counts);
    }
    tree_.feature[v] = branch.feature[from];
    tree_.threshold[v] = branch.threshold[from];
    tree_.first_child[v] = branch.is_leaf(from) ? -1 : branch.first_child[from] + shift;
    tree_.n_children[v] = branch.n_children[from];
    tree_.missing_child[v] = branch.missing_child[from];
    tree_.gain[v] = branch.gain[from];
    if (branch.is_categorical(from)) {
      std::vector<CategoryRoute> categories;
      for (auto i = static_cast<std::size_t>(branch.category_offset[from]);
           i < static_cast<std::size_t>(branch.category_offset[from + 1]); ++i) {
        categories.push_back({branch.category[i], branch.category_child[i]});
      }
      categorical_.push_back({static_cast<NodeId>(v), std::move(categories)});
    }
  }
}

Tree TreeBuilder::finish() {
  std::sort(categorical_.begin(), categorical_.end(),
            [](const CategoricalNode& a, const CategoricalNode& b) { return a.id < b.id; });
  tree_.category_offset.assign(tree_.n_nodes() + 1, 0);
  for (const CategoricalNode& node : categorical_) {
    tree_.category_offset[static_cast<std::size_t>(node.id) + 1] =
        static_cast<std::int64_t>(node.categories.size());
    for (const CategoryRoute& route : node.categories) {
      tree_.category.push_back(route.category);
      tree_.category_child.push_back(route.child);
    }
  }
  std::partial_sum(tree_.category_offset.begin(), tree_.category_offset.end(),
                   tree_.category_offset.begin());
  if (!planes_.empty()) write_planes();
  // Arrays that grew one by one have spare capacity, which a forest would keep a hundred times.
  auto shrink = [](auto&... arrays) { (arrays.shrink_to_fit(), ...); };
  shrink(tree_.feature, tree_.threshold, tree_.first_child, tree_.n_children, tree_.missing_child,
         tree_.gain, tree_.counts, tree_.weighted_counts, tree_.category, tree_.category_child,
         tree_.plane_feature, tree_.plane_weight);
  return std::move(tree_);
}

void TreeBuilder::write_planes() {
  std::sort(planes_.begin(), planes_.end(),
            [](const PlaneNode& a, const PlaneNode& b) { return a.id < b.id; });
  tree_.plane_offset.assign(tree_.n_nodes() + 1, 0);
  for (const PlaneNode& node : planes_) {
    tree_.plane_offset[static_cast<std::size_t>(node.id) + 1] =
        static_cast<std::int64_t>(node.terms.size());
    for (const PlaneTerm& term : node.terms) {
      tree_.plane_feature.push_back(term.feature);
      tree_.plane_weight.push_back(term.weight);
    }
  }
  std::partial_sum(tree_.plane_offset.begin(), tree_.plane_offset.end(),
                   tree_.plane_offset.begin());
}

}  // namespace rarewood

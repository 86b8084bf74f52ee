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

NodeId TreeBuilder::add_leaf() {
  if (tree_.n_nodes() >= static_cast<std::size_t>(std::numeric_limits<NodeId>::max())) {
    throw std::length_error("the tree has more nodes than can be numbered.");
  }
  tree_.feature.emplace_back();
  tree_.threshold.emplace_back();
  tree_.first_child.emplace_back();
  tree_.n_children.emplace_back();
  tree_.missing_child.emplace_back();
  tree_.gain.emplace_back();
  tree_.counts.resize(tree_.counts.size() + tree_.n_classes, 0);
  if (is_weighted_) tree_.weighted_counts.resize(tree_.counts.size(), 0.0);
  tree_.make_leaf(tree_.n_nodes() - 1);
  return static_cast<NodeId>(tree_.n_nodes() - 1);
}

void TreeBuilder::set_counts(NodeId id, const Node& node) {
  for (std::size_t s = 0; s < node.segments.size(); ++s) {
    const std::size_t at =
        static_cast<std::size_t>(id) * tree_.n_classes + node.segments[s].of_class;
    tree_.counts[at] = static_cast<std::int64_t>(node.rows_in(s));
    if (is_weighted_) tree_.weighted_counts[at] = node.totals[s];
  }
}

NodeId TreeBuilder::add_node(const Node& node) {
  const NodeId id = add_leaf();
  set_counts(id, node);
  return id;
}

NodeId TreeBuilder::add_leaves(std::int32_t n) {
  const NodeId first = add_leaf();
  for (std::int32_t i = 1; i < n; ++i) add_leaf();
  return first;
}

void TreeBuilder::add_split(const Node& node, const Split& split, std::vector<Node>& children) {
  const NodeId first = add_leaves(static_cast<std::int32_t>(children.size()));
  for (std::size_t i = 0; i < children.size(); ++i) {
    children[i].id = first + static_cast<NodeId>(i);
  }
  set_split(node, split, children);
}

void TreeBuilder::set_split(const Node& node, const Split& split,
                            const std::vector<Node>& children) {
  for (const Node& child : children) set_counts(child.id, child);
  const auto v = static_cast<std::size_t>(node.id);
  tree_.feature[v] = split.cut.feature;
  if (!split.is_categorical()) tree_.threshold[v] = split.threshold;
  tree_.first_child[v] = children.front().id;
  tree_.n_children[v] = split.n_children;
  tree_.missing_child[v] = split.missing_child;
  tree_.gain[v] = split.gain;
  if (split.is_categorical()) categorical_.add(node.id, split.categories);
  if (split.is_plane()) planes_.add(node.id, split.plane);
}

void TreeBuilder::return_to(const Mark& mark, NodeId id) {
  tree_.feature.resize(mark.n_nodes);
  tree_.threshold.resize(mark.n_nodes);
  tree_.first_child.resize(mark.n_nodes);
  tree_.n_children.resize(mark.n_nodes);
  tree_.missing_child.resize(mark.n_nodes);
  tree_.gain.resize(mark.n_nodes);
  tree_.counts.resize(mark.n_nodes * static_cast<std::size_t>(tree_.n_classes));
  if (is_weighted_) tree_.weighted_counts.resize(tree_.counts.size());
  categorical_.resize(mark.n_categorical);
  planes_.resize(mark.n_planes);
  tree_.make_leaf(static_cast<std::size_t>(id));
}

void TreeBuilder::graft(NodeId leaf, const Tree& branch) {
  const auto shift = static_cast<NodeId>(tree_.n_nodes()) - 1;  // of all nodes but the root
  const std::size_t k = tree_.n_classes;
  for (std::size_t from = 0; from < branch.n_nodes(); ++from) {
    const NodeId v = from == 0 ? leaf : add_leaf();
    std::copy_n(branch.counts.begin() + from * k, k, tree_.counts.begin() + v * k);
    if (is_weighted_) {
      std::copy_n(branch.weighted_counts.begin() + from * k, k,
                  tree_.weighted_counts.begin() + v * k);
    }
    tree_.feature[v] = branch.feature[from];
    tree_.threshold[v] = branch.threshold[from];
    tree_.first_child[v] = branch.is_leaf(from) ? -1 : branch.first_child[from] + shift;
    tree_.n_children[v] = branch.n_children[from];
    tree_.missing_child[v] = branch.missing_child[from];
    tree_.gain[v] = branch.gain[from];
    if (branch.is_plane(from)) {
      planes_.start(v);
      for (std::int64_t i = branch.plane_offset[from]; i < branch.plane_offset[from + 1]; ++i) {
        planes_.push_back({branch.plane_feature[i], branch.plane_weight[i]});
      }
    }
    if (!branch.is_categorical(from)) continue;
    categorical_.start(v);
    for (std::int64_t i = branch.category_offset[from]; i < branch.category_offset[from + 1]; ++i) {
      categorical_.push_back({branch.category[i], branch.category_child[i]});
    }
  }
}

template <class Item, class Write>
void TreeBuilder::write_lists(NodeLists<Item>& lists, std::vector<std::int64_t>& offset,
                              Write&& write) {
  std::sort(lists.heads.begin(), lists.heads.end(),
            [](const auto& a, const auto& b) { return a.id < b.id; });
  offset.assign(tree_.n_nodes() + 1, 0);
  for (const auto [id, begin, end] : lists.heads) {
    offset[id + 1] = static_cast<std::int64_t>(end - begin);
    for (std::size_t i = begin; i < end; ++i) write(lists.items[i]);
  }
  std::partial_sum(offset.begin(), offset.end(), offset.begin());
}

Tree TreeBuilder::finish() {
  write_lists(categorical_, tree_.category_offset, [&](const CategoryRoute& route) {
    tree_.category.push_back(route.category);
    tree_.category_child.push_back(route.child);
  });
  if (!planes_.heads.empty()) {
    write_lists(planes_, tree_.plane_offset, [&](const PlaneTerm& term) {
      tree_.plane_feature.push_back(term.feature);
      tree_.plane_weight.push_back(term.weight);
    });
  }
  // Arrays that grew one by one have spare capacity, which a forest would keep a hundred times.
  Tree::for_each_array([&](const char*, auto array) { (tree_.*array).shrink_to_fit(); });
  return std::move(tree_);
}

}  // namespace rarewood

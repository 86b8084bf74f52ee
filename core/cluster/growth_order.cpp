#include "cluster/growth_order.hpp"

#include <limits>
#include <numeric>

#include "grow/frontier.hpp"

namespace rarewood {

namespace {

double weight_of(const Tree& tree, std::size_t v) {
  double weight = 0;
  for (int j = 0; j < tree.n_classes; ++j) weight += tree.class_weight(v, j);
  return weight;
}

// The nodes of a tree in another order, some without their children.
struct Renumbering {
  std::vector<std::size_t> from;    // the old number of each new node
  std::vector<NodeId> first_child;  // new numbers; -1 where it has or keeps none
};

Renumbering number_nodes(const Tree& tree, std::int64_t max_leaf_nodes) {
  Renumbering order{{0}, {-1}};
  Frontier frontier(max_leaf_nodes > 0);
  const double root_weight = weight_of(tree, 0);
  auto push = [&](NodeId id) {
    const std::size_t v = order.from[id];
    if (tree.is_leaf(v)) return;
    Waiting item;
    item.node.id = id;
    if (frontier.is_best_first()) {
      item.priority = weight_of(tree, v) / root_weight * tree.gain[v];
    }
    frontier.push(std::move(item));
  };
  push(0);
  for (std::int64_t n_leaves = 1; !frontier.is_empty();) {
    const NodeId id = frontier.pop().node.id;
    const std::size_t v = order.from[id];
    const std::int32_t n = tree.n_children[v];
    if (max_leaf_nodes > 0 && n_leaves + n - 1 > max_leaf_nodes) continue;
    n_leaves += n - 1;
    const auto first = static_cast<NodeId>(order.from.size());
    order.first_child[id] = first;
    for (std::int32_t i = 0; i < n; ++i) {
      order.from.push_back(static_cast<std::size_t>(tree.first_child[v] + i));
      order.first_child.push_back(-1);
    }
    for (std::int32_t i = n; i-- > 0;) push(first + i);
  }
  return order;
}

template <class V>
std::vector<V> rows_of(const std::vector<V>& values, std::size_t k,
                       const std::vector<std::size_t>& from) {
  std::vector<V> out;
  if (values.empty()) return out;
  out.reserve(from.size() * k);
  for (std::size_t v : from) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(v * k);
    out.insert(out.end(), at, at + static_cast<std::ptrdiff_t>(k));
  }
  return out;
}

}  // namespace

Tree in_growth_order(const Tree& tree, std::int64_t max_leaf_nodes) {
  Renumbering order = number_nodes(tree, max_leaf_nodes);
  const std::size_t k = static_cast<std::size_t>(tree.n_classes);
  Tree out;
  out.n_classes = tree.n_classes;
  out.n_features = tree.n_features;
  out.feature = rows_of(tree.feature, 1, order.from);
  out.threshold = rows_of(tree.threshold, 1, order.from);
  out.n_children = rows_of(tree.n_children, 1, order.from);
  out.missing_child = rows_of(tree.missing_child, 1, order.from);
  out.gain = rows_of(tree.gain, 1, order.from);
  out.counts = rows_of(tree.counts, k, order.from);
  out.weighted_counts = rows_of(tree.weighted_counts, k, order.from);
  out.category_offset.assign(1, 0);
  for (std::size_t v = 0; v < order.from.size(); ++v) {
    const std::size_t old = order.from[v];
    if (order.first_child[v] < 0) {
      out.feature[v] = -1;
      out.threshold[v] = std::numeric_limits<double>::quiet_NaN();
      out.n_children[v] = 0;
      out.missing_child[v] = -1;
      out.gain[v] = 0;
    } else {
      for (auto i = static_cast<std::size_t>(tree.category_offset[old]);
           i < static_cast<std::size_t>(tree.category_offset[old + 1]); ++i) {
        out.category.push_back(tree.category[i]);
        out.category_child.push_back(tree.category_child[i]);
      }
    }
    out.category_offset.push_back(static_cast<std::int64_t>(out.category.size()));
  }
  out.first_child = std::move(order.first_child);
  return out;
}

}  // namespace rarewood

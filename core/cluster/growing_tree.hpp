// A tree that the coordinator grows, its open nodes, and the order in which a tree that is grown on
// one machine would split them.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "cluster/request.hpp"
#include "cluster/split_finder.hpp"
#include "grow/frontier.hpp"
#include "grow/tree_builder.hpp"

namespace rarewood {

// What is known of a node: the priority and the number of children of its split, and its first
// child; 0 children: it has no split, or none that is known; first child -1: they are not known.
struct GrownNode {
  double priority = 0;
  std::int32_t n_children = 0;
  NodeId first_child = -1;
};

struct GrowthOrder {
  std::vector<NodeId> from{0};  // numbers in the tree, in the order of growth; -1: not known
  std::vector<NodeId> first_child{-1};  // in that order; -1: a leaf
};

// Grows again depth first, or with a limit on its leaves best first, from what node_at(number)
// knows of the nodes. Calls on_split(number) for every split that is made, in their order.
template <class NodeAt, class OnSplit>
GrowthOrder simulate_growth(std::int64_t max_leaf_nodes, NodeAt&& node_at, OnSplit&& on_split) {
  GrowthOrder order;
  Frontier frontier(max_leaf_nodes > 0);
  auto push = [&](NodeId id) {
    if (order.from[id] < 0) return;
    const GrownNode node = node_at(order.from[id]);
    if (node.n_children == 0) return;
    Waiting item;
    item.node.id = id;
    item.priority = node.priority;
    frontier.push(std::move(item));
  };
  push(0);
  for (std::int64_t n_leaves = 1; !frontier.is_empty();) {
    const NodeId id = frontier.pop().node.id;
    const GrownNode node = node_at(order.from[id]);
    if (max_leaf_nodes > 0 && n_leaves + node.n_children - 1 > max_leaf_nodes) continue;
    n_leaves += node.n_children - 1;
    on_split(order.from[id]);
    const auto first = static_cast<NodeId>(order.from.size());
    order.first_child[id] = first;
    for (std::int32_t i = 0; i < node.n_children; ++i) {
      order.from.push_back(node.first_child < 0 ? -1 : node.first_child + i);
      order.first_child.push_back(-1);
    }
    for (std::int32_t i = node.n_children; i-- > 0;) push(first + i);
  }
  return order;
}

// A tree that was grown level by level, numbered as depth-first growth does; with a limit on its
// leaves, as best-first growth does, and without the splits that it would not have made.
inline Tree in_growth_order(const Tree& tree, std::int64_t max_leaf_nodes) {
  const double root_weight = tree.node_weight(0);
  auto node_at = [&](NodeId v) {
    return GrownNode{max_leaf_nodes > 0 ? tree.node_weight(v) / root_weight * tree.gain[v] : 0,
                     tree.n_children[v], tree.first_child[v]};
  };
  GrowthOrder order = simulate_growth(max_leaf_nodes, node_at, [](NodeId) {});
  return tree.take(order.from, std::move(order.first_child));
}

// How the split of a node that waits will be found.
enum class Way {
  kNone,    // it stays a leaf
  kCount,   // from its counts
  kDerive,  // from those of its parent and its siblings
  kGather,  // from its rows
  kSample,  // from a sample of its rows
};

struct Plan {
  Way way = Way::kNone;
  bool is_counted = false;
  std::vector<std::int32_t> features;  // to be counted; none: all
  std::vector<NodeId> parts;           // nodes of the shards with its rows; none: itself
  int n_doubled = 0;                   // how often the limits of a sample were doubled

  bool is_sent() const { return way == Way::kGather || way == Way::kSample; }
};

// A split that was chosen on a sample of a node: whether it holds is known when all rows are
// divided.
struct Trial {
  Node node;
  Split split;
};

// Siblings, which are searched together.
struct Family {
  SplitOrder split;            // the split that made them, unless shards have it already
  std::vector<Node> nodes;     // numbered
  std::vector<Plan> plans;     // of the nodes
  Tallied parent;              // counts of the parent, where one of the nodes is derived from them
  std::optional<Trial> trial;  // the nodes are numbers only: their classes are to be counted

  bool has_split() const { return split.first_child > 0; }
};

// A node whose split is known but not made.
struct Candidate {
  Node node;
  Found found;
  Tallied cells;  // its counts, for one of its children; may be empty
};

enum class Stage { kStarting, kBalancing, kGrowing, kDone };

struct GrowingTree {
  GrowingTree(std::uint64_t tree, const Criterion& with, std::int64_t n_features, int n_classes,
              bool weighted)
      : number(tree),
        criterion(with),
        is_weighted(weighted),
        builder(n_features, n_classes, weighted) {}

  std::uint64_t number;
  const Criterion& criterion;
  bool is_weighted;
  Stage stage = Stage::kStarting;
  TreeBuilder builder;
  WeightGrid grid;
  std::vector<double> factors;  // of classes, where they are balanced
  double root_weight = 0;
  std::deque<Family> waiting;
  std::vector<SplitOrder> splits;  // that all shards have made
  std::map<NodeId, Candidate> candidates;

  std::vector<GrownNode> known;  // best-first growth: of the nodes, by their numbers in the builder

  // The candidates that best-first growth may split next, as far as the known splits show. The
  // first of them is surely split; the others most probably, and requesting them now saves rounds.
  std::vector<NodeId> best_candidates(std::int64_t max_leaf_nodes) const {
    std::vector<NodeId> chosen;
    simulate_growth(
        max_leaf_nodes, [&](NodeId id) { return known[id]; },
        [&](NodeId id) {
          if (known[id].first_child < 0) chosen.push_back(id);
        });
    return chosen;
  }
};

}  // namespace rarewood

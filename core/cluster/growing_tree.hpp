// A tree that the coordinator grows, and its open nodes.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "cluster/request.hpp"
#include "cluster/split_finder.hpp"
#include "grow/frontier.hpp"
#include "grow/tree_builder.hpp"

namespace rarewood {

// How the split of a node that waits will be found.
enum class Way {
  kNone,    // it stays a leaf
  kCount,   // from its counts
  kDerive,  // from those of its parent and its siblings
  kGather,  // from its rows
};

// Siblings, which are searched together.
struct Family {
  SplitOrder split;         // the split that made them, unless shards have it already
  std::vector<Node> nodes;  // numbered
  std::vector<Way> ways;
  std::vector<char> is_counted;
  std::vector<std::vector<std::int32_t>> features;  // of each to be counted; none: all
  HistogramShape parent_shape;
  Tallied parent;  // counts of the parent, where one of the nodes is derived from them

  bool has_split() const { return split.first_child > 0; }
};

// A node whose split is known but not made.
struct Candidate {
  Node node;
  Found found;
  HistogramShape shape;
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

  // Best-first growth: what is known of the nodes, by their numbers in the builder.
  struct Known {
    double priority = 0;
    std::int32_t n_children = 0;  // of its split; 0: none, or not known
    NodeId first_child = -1;      // -1: not split yet
  };
  std::vector<Known> known;

  // The candidates that best-first growth may split next, as far as the known splits show.
  std::vector<NodeId> best_candidates(std::int64_t max_leaf_nodes) const;
};

}  // namespace rarewood

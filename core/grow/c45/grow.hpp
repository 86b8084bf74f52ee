// C4.5: growth, collapse and pruning of one tree, with fractional cases for missing values.
//
// A tree on its own path: the rows of a node have weights that change from node to node, and a
// split is chosen by a rule over the candidates of all features, so neither histograms nor the
// search of `search/` apply.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "grow/c45/split.hpp"
#include "model/tree.hpp"

namespace rarewood::c45 {

struct Options {
  SplitOptions split;
  bool collapse = true;              // subtrees that do not reduce the training errors
  std::optional<double> confidence;  // of error pruning; none: no pruning
  bool raising = true;
};

// A node keeps its cases, since raising divides them again.
struct Node {
  Cases cases;
  std::vector<double> classes;  // weights of the cases
  std::optional<Split> split;
  std::vector<std::unique_ptr<Node>> children;  // one per category of the table: some may be empty

  bool is_leaf() const { return children.empty(); }
  double weight() const { return sum(classes); }
  void make_leaf() {
    children.clear();
    split.reset();
  }
};

// The finished tree. Children without cases are left out: a value that would follow them ends at
// the node. Throws std::invalid_argument if the tree is deeper than kMaxDepth.
Tree grow_tree(const Table& table, const Options& options);

inline constexpr int kMaxDepth = 4000;  // nodes are visited by recursion

}  // namespace rarewood::c45

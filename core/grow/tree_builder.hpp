// Writes a tree node by node.
#pragma once

#include <vector>

#include "model/tree.hpp"
#include "search/cut.hpp"
#include "search/node.hpp"

namespace rarewood {

class TreeBuilder {
 public:
  TreeBuilder(std::int64_t n_features, int n_classes, bool is_weighted);

  // Adds a leaf with the node's counts and returns its number.
  NodeId add_node(const Node& node);

  // Numbers the children and makes their parent an inner node.
  void add_split(const Node& node, const Split& split, std::vector<Node>& children);

  // Puts a tree that was grown elsewhere in the place of a leaf.
  void graft(NodeId leaf, const Tree& branch);

  Tree finish();

 private:
  struct CategoricalNode {
    NodeId id;
    std::vector<CategoryRoute> categories;
  };

  struct PlaneNode {
    NodeId id;
    std::vector<PlaneTerm> terms;
  };

  void write_planes();

  Tree tree_;
  bool is_weighted_;
  std::vector<CategoricalNode>
      categorical_;                // in the order of splitting; the tree wants them by number
  std::vector<PlaneNode> planes_;  // likewise
};

}  // namespace rarewood

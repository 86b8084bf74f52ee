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

  // The same in two steps: children are numbered before they are known. If the second one is left
  // out, no node leads to them.
  NodeId add_leaves(std::int32_t n);
  void set_split(const Node& node, const Split& split, const std::vector<Node>& children);

  // What has been built so far, and a return to it: an inner node that was split since, and whose
  // children were the next nodes, becomes a leaf again.
  struct Mark {
    std::size_t n_nodes, n_categorical, n_planes;
  };
  Mark mark() const { return {tree_.n_nodes(), categorical_.size(), planes_.size()}; }
  void return_to(const Mark& mark, NodeId id);

  // Puts a tree that was grown elsewhere in the place of a leaf.
  void graft(NodeId leaf, const Tree& branch);

  Tree finish();

 private:
  // The list of a node; the tree wants these by number, and they come in the order of splitting.
  template <class Item>
  struct NodeList {
    NodeId id;
    std::vector<Item> items;
  };

  NodeId add_leaf();
  void set_counts(NodeId id, const Node& node);
  template <class Item, class Write>
  void write_lists(std::vector<NodeList<Item>>& lists, std::vector<std::int64_t>& offset,
                   Write&& write);

  Tree tree_;
  bool is_weighted_;
  std::vector<NodeList<CategoryRoute>> categorical_;
  std::vector<NodeList<PlaneTerm>> planes_;
};

}  // namespace rarewood

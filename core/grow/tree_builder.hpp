// Writes a tree node by node.
#pragma once

#include <span>
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
  Mark mark() const { return {tree_.n_nodes(), categorical_.heads.size(), planes_.heads.size()}; }
  void return_to(const Mark& mark, NodeId id);

  // Puts a tree that was grown elsewhere in the place of a leaf.
  void graft(NodeId leaf, const Tree& branch);

  Tree finish();

 private:
  // Items of nodes; the tree wants them by the number of the node, and they come in the order of
  // splitting.
  template <class Item>
  struct NodeLists {
    struct Head {
      NodeId id;
      std::size_t begin, end;  // of the items of the node
    };
    std::vector<Head> heads;
    std::vector<Item> items;

    void start(NodeId id) { heads.push_back({id, items.size(), items.size()}); }
    void push_back(const Item& item) {
      items.push_back(item);
      ++heads.back().end;
    }
    void add(NodeId id, std::span<const Item> own) {
      items.insert(items.end(), own.begin(), own.end());
      heads.push_back({id, items.size() - own.size(), items.size()});
    }
    // Keeps the first n nodes.
    void resize(std::size_t n) {
      heads.resize(n);
      items.resize(n > 0 ? heads.back().end : 0);
    }
  };

  NodeId add_leaf();
  void set_counts(NodeId id, const Node& node);
  template <class Item, class Write>
  void write_lists(NodeLists<Item>& lists, std::vector<std::int64_t>& offset, Write&& write);

  Tree tree_;
  bool is_weighted_;
  NodeLists<CategoryRoute> categorical_;
  NodeLists<PlaneTerm> planes_;
};

}  // namespace rarewood

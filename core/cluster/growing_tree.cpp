#include "cluster/growing_tree.hpp"

namespace rarewood {

// Simulates best-first growth with the known splits. The first candidate that comes up is surely
// split; those after it most probably, and requesting them now saves rounds.
std::vector<NodeId> GrowingTree::best_candidates(std::int64_t max_leaf_nodes) const {
  std::vector<NodeId> chosen;
  std::vector<NodeId> in_builder{0};  // by the numbers of nodes in this simulation
  Frontier frontier(true);
  auto push = [&](NodeId id) {
    const NodeId own = in_builder[id];
    if (own < 0) return;  // a child of a candidate: nothing is known of it
    const Known& node = known[own];
    if (node.n_children == 0) return;
    Waiting item;
    item.node.id = id;
    item.priority = node.priority;
    frontier.push(std::move(item));
  };
  push(0);
  for (std::int64_t n_leaves = 1; !frontier.is_empty();) {
    const NodeId own = in_builder[frontier.pop().node.id];
    const Known& node = known[own];
    if (n_leaves + node.n_children - 1 > max_leaf_nodes) continue;
    n_leaves += node.n_children - 1;
    if (node.first_child < 0) chosen.push_back(own);
    const auto first = static_cast<NodeId>(in_builder.size());
    for (std::int32_t i = 0; i < node.n_children; ++i) {
      in_builder.push_back(node.first_child < 0 ? -1 : node.first_child + i);
    }
    for (std::int32_t i = node.n_children; i-- > 0;) push(first + i);
  }
  return chosen;
}

}  // namespace rarewood

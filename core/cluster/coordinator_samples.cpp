// How the coordinator splits a node whose split is chosen on a sample of its rows: the shards
// divide all rows, and their classes in the children decide whether the split holds. If it does
// not, all rows of the node are sent.
#include "cluster/coordinator.hpp"
#include "grow/hopeless.hpp"
#include "grow/sampled_split.hpp"

namespace rarewood {

void Coordinator::commit_sample(GrowingTree& growing, Node node, const Plan& plan,
                                Outcome& outcome) {
  Family family;
  Split& split = outcome.found.split;
  if (outcome.lacks_rows) {
    family.nodes.push_back(std::move(node));
    family.plans.push_back({.way = Way::kSample, .n_doubled = plan.n_doubled + 1});
  } else if (!split.exists()) {
    family.nodes.push_back(std::move(node));
    family.plans.push_back({.way = Way::kGather});
  } else {
    const NodeId first = growing.builder.add_leaves(split.n_children);
    family.split = order_of(node.id, split, first);
    if (!split.is_categorical()) {
      family.split.plane = split.plane;
      if (!split.is_plane()) family.split.plane.push_back({split.cut.feature, 1.0});
      family.split.threshold = split.threshold;
    }
    for (NodeId i = 0; i < split.n_children; ++i) {
      family.nodes.emplace_back().id = first + i;
      family.plans.push_back({.is_counted = true});
    }
    family.trial = {std::move(node), std::move(split)};
  }
  growing.waiting.push_back(std::move(family));
}

void Coordinator::try_split(RequestedFamily& requested, const Response& response) const {
  const GrowingTree& growing = *growing_trees_[requested.growing];
  const std::vector<Node>& numbered = requested.family.nodes;
  auto& [node, split] = *requested.family.trial;
  std::vector<ClassTotal> sums(facts_.class_totals.size());
  std::vector<Node> children;
  for (std::size_t i = 0; i < numbered.size(); ++i) {
    const std::vector<ClassTotal> classes =
        read_classes(growing.is_weighted, response.histograms[requested.first_histogram + i]);
    for (std::size_t c = 0; c < classes.size(); ++c) {
      sums[c].rows += classes[c].rows;
      sums[c].units += classes[c].units;
    }
    Node& child = children.emplace_back(make_node(growing, classes));
    child.id = numbered[i].id;
    child.depth = node.depth + 1;
    child.key = child_key(node.key, i);
  }
  const Node sum = make_node(growing, sums);
  if (sum.totals != node.totals || sum.rows != node.rows) ByteReader::refuse_bytes();
  requested.children.clear();
  if (holds(growing.criterion, options_, node, children, split)) {
    requested.children = std::move(children);
  }
}

void Coordinator::commit_trial(RequestedFamily& requested) {
  GrowingTree& growing = *growing_trees_[requested.growing];
  auto& [node, split] = *requested.family.trial;
  Family family;
  if (!requested.children.empty()) {
    growing.builder.set_split(node, split, requested.children);
    set_probabilities(options_, node, n_classes(), requested.children);
    family.nodes = std::move(requested.children);
    return await(growing, std::move(family));
  }
  family.nodes.push_back(std::move(node));
  Plan& plan = family.plans.emplace_back(Plan{.way = Way::kGather});
  for (const Node& child : requested.family.nodes) plan.parts.push_back(child.id);
  growing.waiting.push_back(std::move(family));
}

}  // namespace rarewood

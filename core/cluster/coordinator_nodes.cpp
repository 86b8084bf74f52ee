// How the coordinator finds the split of a node and plans the counts of its children.
#include <algorithm>

#include "cluster/coordinator.hpp"
#include "cluster/sent_search.hpp"
#include "grow/hopeless.hpp"
#include "search/node_sample.hpp"

namespace rarewood {

void Coordinator::search(RequestedFamily& requested, const Response& response,
                         const std::vector<SentRows>& sent, Worker& worker) const {
  const Family& family = requested.family;
  const GrowingTree& growing = *growing_trees_[requested.growing];
  if (family.trial) return try_split(requested, response);
  if (!has_planes() && worker.criterion != &growing.criterion) {
    worker.criterion = &growing.criterion;
    worker.finder =
        std::make_unique<Finder>(facts_.columns, growing.criterion, options_, growing.is_weighted);
  }
  requested.outcomes.clear();
  requested.outcomes.resize(family.nodes.size());
  std::size_t at = requested.first_histogram, gather = requested.first_gather;
  std::vector<TalliedView> tallied(family.nodes.size());
  for (std::size_t i = 0; i < family.nodes.size(); ++i) {
    if (family.plans[i].is_counted) tallied[i] = response.histograms[at++];
  }
  for (std::size_t i = 0; i < family.nodes.size(); ++i) {
    const Node& node = family.nodes[i];
    const Plan& plan = family.plans[i];
    Outcome& outcome = requested.outcomes[i];
    if (plan.way == Way::kGather) {
      outcome.branch = std::make_unique<Tree>(grow_branch(
          sent[gather++], node, n_classes(), growing.grid, growing.criterion, options_));
    }
    if (plan.way == Way::kSample) {
      const SentRows& rows = sent[gather++];
      outcome.lacks_rows = !rows.has_sample(node, options_.split_samples);
      if (outcome.lacks_rows) continue;
      outcome.found.split =
          find_split(rows, node, n_classes(), growing.grid, growing.criterion, options_);
    }
    if (plan.way != Way::kCount && plan.way != Way::kDerive) continue;
    const bool is_derived_here = plan.way == Way::kDerive;
    NodeHistogram histogram(shape_of(growing, plan), node,
                            is_derived_here ? TalliedView(family.parent) : tallied[i],
                            is_derived_here);
    for (std::size_t j = 0; is_derived_here && j < family.nodes.size(); ++j) {
      if (j != i) histogram.subtract(tallied[j]);
    }
    histogram.check(node, growing.grid);
    outcome.found = worker.finder->find(node, histogram, growing.grid);
    std::vector<Node>& children = outcome.found.children;
    if (counts_all_ && !children.empty() && is_derived(*largest_of(children))) {
      outcome.cells = histogram.to_cells();
    }
  }
}

void Coordinator::commit(RequestedFamily& requested) {
  GrowingTree& growing = *growing_trees_[requested.growing];
  Family& family = requested.family;
  n_kept_bytes_ -= family.parent.cells.size();
  if (family.has_split()) growing.splits.push_back(family.split);
  if (family.trial) return commit_trial(requested);
  for (std::size_t i = 0; i < family.nodes.size(); ++i) {
    Outcome& outcome = requested.outcomes[i];
    Node& node = family.nodes[i];
    if (outcome.branch) {
      growing.builder.graft(node.id, *outcome.branch);
    } else if (family.plans[i].way == Way::kSample) {
      commit_sample(growing, std::move(node), family.plans[i], outcome);
    } else if (outcome.found.lacks_features) {
      Family again;
      again.nodes.push_back(std::move(node));
      again.plans.push_back({.way = Way::kCount, .is_counted = true});
      growing.waiting.push_back(std::move(again));
    } else if (outcome.found.split.exists()) {
      if (n_kept_bytes_ + outcome.cells.cells.size() > cluster_.max_kept_bytes) outcome.cells = {};
      n_kept_bytes_ += outcome.cells.cells.size();
      const NodeId id = node.id;
      if (options_.max_leaf_nodes > 0) {
        GrownNode& known = growing.known[id];
        known.priority = node.weight / growing.root_weight * outcome.found.split.gain;
        known.n_children = outcome.found.split.n_children;
      }
      growing.candidates.emplace(
          id, Candidate{std::move(node), std::move(outcome.found), std::move(outcome.cells)});
    }
  }
}

// Makes the splits that are decided, and ends a tree without open nodes.
void Coordinator::settle(GrowingTree& growing) {
  if (growing.stage != Stage::kGrowing) return;
  if (options_.max_leaf_nodes <= 0) {
    while (!growing.candidates.empty()) {
      split(growing, std::move(growing.candidates.extract(growing.candidates.begin()).mapped()));
    }
  }
  // Best-first growth waits until the splits of all open nodes are known. Where the children of the
  // best stay leaves, nothing is requested, and the next one follows at once.
  while (options_.max_leaf_nodes > 0 && growing.waiting.empty()) {
    const std::vector<NodeId> best = growing.best_candidates(options_.max_leaf_nodes);
    if (best.empty()) break;
    for (NodeId id : best) split(growing, std::move(growing.candidates.extract(id).mapped()));
  }
  if (growing.waiting.empty()) finish(growing);
}

void Coordinator::split(GrowingTree& growing, Candidate candidate) {
  const Split& split = candidate.found.split;
  Family family;
  family.nodes = std::move(candidate.found.children);
  growing.builder.add_split(candidate.node, split, family.nodes);
  set_probabilities(options_, candidate.node, n_classes(), family.nodes);
  family.split = order_of(candidate.node.id, split, family.nodes.front().id);
  if (options_.max_leaf_nodes > 0) {
    growing.known[candidate.node.id].first_child = family.split.first_child;
    growing.known.resize(growing.known.size() + family.nodes.size());
  }
  n_kept_bytes_ -= candidate.cells.cells.size();
  family.parent = std::move(candidate.cells);
  await(growing, std::move(family));
}

SplitOrder Coordinator::order_of(NodeId node, const Split& split, NodeId first_child) {
  SplitOrder order;
  order.node = node;
  order.first_child = first_child;
  order.feature = split.cut.feature;
  order.n_children = split.n_children;
  order.missing_child = split.missing_child;
  order.code = std::max(split.code, 0);
  order.categories = split.categories;
  return order;
}

void Coordinator::await(GrowingTree& growing, Family family) {
  choose_ways(family);
  const bool is_requested = std::any_of(family.plans.begin(), family.plans.end(),
                                        [](const Plan& plan) { return plan.way != Way::kNone; });
  if (!is_requested) return;
  n_kept_bytes_ += family.parent.cells.size();
  growing.waiting.push_back(std::move(family));
}

bool Coordinator::is_gathered(const Node& node) const {
  if (options_.max_leaf_nodes > 0) return false;
  const std::size_t n_bytes = node.n_rows * (facts_.columns.size() + 1);
  // The last level takes less as counts, unless rows are fewer than bins.
  const bool is_last =
      !has_planes() && options_.max_depth > 0 && node.depth + 1 >= options_.max_depth;
  return n_bytes <= cluster_.gather_bytes && (!is_last || node.n_rows <= kCodes);
}

// The features that a node tries, unless some of them are constant.
std::vector<std::int32_t> Coordinator::drawn_features(const Node& node) const {
  FeatureDraw draw(facts_.columns.size(), options_.max_features);
  draw.start(node.key);
  const std::span<const int> first = draw.first(draw.n_wanted());
  std::vector<std::int32_t> features(first.begin(), first.end());
  std::sort(features.begin(), features.end());
  return features;
}

void Coordinator::choose_ways(Family& family) const {
  const std::size_t n = family.nodes.size();
  family.plans.resize(n);
  std::size_t n_counted = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Node& node = family.nodes[i];
    Plan& plan = family.plans[i];
    if (!may_split(node, options_) || is_hopeless(options_, node)) continue;
    if (has_planes() && !is_gathered(node) && is_sampled(node, options_.split_samples)) {
      plan.way = Way::kSample;
      continue;
    }
    plan.way = has_planes() || is_gathered(node) ? Way::kGather : Way::kCount;
    plan.is_counted = plan.way == Way::kCount;
    n_counted += plan.is_counted;
    if (plan.is_counted && !counts_all_) plan.features = drawn_features(node);
  }
  // The largest child is its parent minus its siblings.
  Plan& largest = family.plans[largest_of(family.nodes) - family.nodes.begin()];
  if (family.parent.n_cells > 0 && largest.way == Way::kCount && n - 1 <= n_counted) {
    for (Plan& plan : family.plans) plan.is_counted = true;
    largest.is_counted = false;
    largest.way = Way::kDerive;
  } else {
    family.parent = {};
  }
}

void Coordinator::finish(GrowingTree& growing) {
  for (const auto& [id, candidate] : growing.candidates) {
    n_kept_bytes_ -= candidate.cells.cells.size();
  }
  Tree built = growing.builder.finish();
  built.monotonic = options_.monotonic;
  Tree tree = in_growth_order(built, options_.max_leaf_nodes);
  if (forest_.pruning.is_any()) tree = prune(tree, forest_.pruning);
  trees_[growing.number - forest_.first_tree] = std::make_shared<Tree>(std::move(tree));
  ended_.push_back(growing.number);
  growing.stage = Stage::kDone;
  ++n_done_;
}

}  // namespace rarewood

// How a conductor finds the split of a node, and what it will ask about its children.
#include <algorithm>

#include "cluster/coordinator.hpp"
#include "cluster/growth_order.hpp"

namespace rarewood {

void Conductor::search(Asked& asked, const Answer& answer, const std::vector<SentRows>& sent,
                       Worker& worker) const {
  const Family& family = asked.family;
  const Sapling& sapling = *saplings_[asked.sapling];
  if (worker.criterion != &sapling.criterion) {
    worker.criterion = &sapling.criterion;
    worker.finder =
        std::make_unique<Finder>(facts_.columns, sapling.criterion, options_, sapling.is_weighted);
  }
  asked.outcomes.clear();
  asked.outcomes.resize(family.nodes.size());
  std::size_t at = asked.first_tally, gather = asked.first_gather;
  std::vector<const Tallied*> tallied(family.nodes.size(), nullptr);
  for (std::size_t i = 0; i < family.nodes.size(); ++i) {
    if (family.is_counted[i]) tallied[i] = &answer.tallies[at++];
  }
  auto find = [&](std::size_t i, const NodeTally& tally) {
    tally.check(family.nodes[i], sapling.grid);
    Outcome& outcome = asked.outcomes[i];
    outcome.found = worker.finder->find(family.nodes[i], tally, sapling.grid);
    std::vector<Node>& children = outcome.found.children;
    if (tallies_all_ && !children.empty() && is_derived(*largest_of(children))) {
      outcome.cells = tally.to_cells();
    }
  };
  for (std::size_t i = 0; i < family.nodes.size(); ++i) {
    const Node& node = family.nodes[i];
    if (family.ways[i] == Way::kGather) {
      asked.outcomes[i].branch = std::make_unique<Tree>(
          sent[gather++].grow_branch(node, static_cast<int>(facts_.class_totals.size()),
                                     facts_.max_bins, sapling.grid, sapling.criterion, options_));
    } else if (family.ways[i] == Way::kCount) {
      const TallyShape shape = shape_of(sapling, family, i);
      find(i, NodeTally(shape, *tallied[i], shape.classes));
    } else if (family.ways[i] == Way::kDerive) {
      NodeTally tally(family.parent_shape, family.parent, shape_of(sapling, family, i).classes);
      for (std::size_t j = 0; j < family.nodes.size(); ++j) {
        if (j != i) tally.subtract(shape_of(sapling, family, j), *tallied[j]);
      }
      find(i, tally);
    }
  }
}

void Conductor::commit(Asked& asked) {
  Sapling& sapling = *saplings_[asked.sapling];
  Family& family = asked.family;
  n_kept_bytes_ -= family.parent.cells.size();
  if (family.has_split()) sapling.splits.push_back(family.split);
  for (std::size_t i = 0; i < family.nodes.size(); ++i) {
    Outcome& outcome = asked.outcomes[i];
    Node& node = family.nodes[i];
    if (outcome.branch) {
      sapling.builder.graft(node.id, *outcome.branch);
    } else if (outcome.found.lacks_features) {
      Family again;
      again.nodes.push_back(std::move(node));
      again.ways = {Way::kCount};
      again.is_counted = {1};
      again.features.resize(1);
      sapling.waiting.push_back(std::move(again));
    } else if (outcome.found.split.exists()) {
      if (n_kept_bytes_ + outcome.cells.cells.size() > spread_.max_kept_bytes) outcome.cells = {};
      n_kept_bytes_ += outcome.cells.cells.size();
      TallyShape shape = shape_of(sapling, family, i);
      const NodeId id = node.id;
      if (options_.max_leaf_nodes > 0) {
        Sapling::Known& known = sapling.known[static_cast<std::size_t>(id)];
        known.priority = node.weight / sapling.root_weight * outcome.found.split.gain;
        known.n_children = outcome.found.split.n_children;
      }
      sapling.candidates.emplace(id, Candidate{std::move(node), std::move(outcome.found),
                                               std::move(shape), std::move(outcome.cells)});
    }
  }
}

// Splits what is to be split, and ends a tree that has nothing left.
void Conductor::settle(Sapling& sapling) {
  if (sapling.stage != Stage::kGrowing) return;
  if (options_.max_leaf_nodes <= 0) {
    while (!sapling.candidates.empty()) {
      split(sapling, std::move(sapling.candidates.extract(sapling.candidates.begin()).mapped()));
    }
  }
  // Best-first growth waits until all is known. Where the children of the best stay leaves, nothing
  // is to be asked, and the next one follows at once.
  while (options_.max_leaf_nodes > 0 && sapling.waiting.empty()) {
    const std::vector<NodeId> best = sapling.best_candidates(options_.max_leaf_nodes);
    if (best.empty()) break;
    for (NodeId id : best) split(sapling, std::move(sapling.candidates.extract(id).mapped()));
  }
  if (sapling.waiting.empty()) finish(sapling);
}

void Conductor::split(Sapling& sapling, Candidate candidate) {
  const Split& split = candidate.found.split;
  Family family;
  family.nodes = std::move(candidate.found.children);
  sapling.builder.add_split(candidate.node, split, family.nodes);
  family.split.node = candidate.node.id;
  family.split.first_child = family.nodes.front().id;
  family.split.feature = split.cut.feature;
  family.split.n_children = split.n_children;
  family.split.missing_child = split.missing_child;
  family.split.code = std::max(split.code, 0);
  family.split.categories = split.categories;
  if (options_.max_leaf_nodes > 0) {
    sapling.known[static_cast<std::size_t>(candidate.node.id)].first_child =
        family.split.first_child;
    sapling.known.resize(sapling.known.size() + family.nodes.size());
  }
  n_kept_bytes_ -= candidate.cells.cells.size();
  family.parent_shape = std::move(candidate.shape);
  family.parent = std::move(candidate.cells);
  await(sapling, std::move(family));
}

void Conductor::await(Sapling& sapling, Family family) {
  choose_ways(family);
  const bool is_asked = std::any_of(family.ways.begin(), family.ways.end(),
                                    [](Way way) { return way != Way::kNone; });
  if (!is_asked) return;
  n_kept_bytes_ += family.parent.cells.size();
  sapling.waiting.push_back(std::move(family));
}

bool Conductor::is_gathered(const Node& node) const {
  if (options_.max_leaf_nodes > 0) return false;
  const std::size_t n_bytes = node.n_rows * (facts_.columns.size() + 1);
  // The last level takes less as counts, unless rows are fewer than bins.
  const bool is_last = options_.max_depth > 0 && node.depth + 1 >= options_.max_depth;
  return n_bytes <= spread_.gather_bytes && (!is_last || node.n_rows <= kCodes);
}

// The features that a node tries, unless some of them are constant.
std::vector<std::int32_t> Conductor::drawn_features(const Node& node) const {
  FeatureDraw draw(facts_.columns.size(), options_.max_features);
  draw.start(node.key);
  const std::span<const int> first = draw.first(draw.n_wanted());
  std::vector<std::int32_t> features(first.begin(), first.end());
  std::sort(features.begin(), features.end());
  return features;
}

void Conductor::choose_ways(Family& family) const {
  const std::size_t n = family.nodes.size();
  family.ways.assign(n, Way::kNone);
  family.is_counted.assign(n, 0);
  family.features.assign(n, {});
  std::size_t n_counted = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Node& node = family.nodes[i];
    if (!may_split(node, options_)) continue;
    family.ways[i] = is_gathered(node) ? Way::kGather : Way::kCount;
    family.is_counted[i] = family.ways[i] == Way::kCount;
    if (!family.is_counted[i]) continue;
    ++n_counted;
    if (!tallies_all_) family.features[i] = drawn_features(node);
  }
  // The largest is what its parent has without its siblings.
  const auto largest = static_cast<std::size_t>(largest_of(family.nodes) - family.nodes.begin());
  if (family.parent.n_cells > 0 && family.ways[largest] == Way::kCount && n - 1 <= n_counted) {
    family.is_counted.assign(n, 1);
    family.is_counted[largest] = 0;
    family.ways[largest] = Way::kDerive;
  } else {
    family.parent = {};
  }
}

void Conductor::finish(Sapling& sapling) {
  for (const auto& [id, candidate] : sapling.candidates) {
    n_kept_bytes_ -= candidate.cells.cells.size();
  }
  Tree tree = in_growth_order(sapling.builder.finish(), options_.max_leaf_nodes);
  if (forest_.pruning.kind != PruningKind::kNone) tree = prune(tree, forest_.pruning);
  trees_[sapling.number - forest_.first_tree] = std::make_shared<Tree>(std::move(tree));
  ended_.push_back(sapling.number);
  sapling.stage = Stage::kDone;
  ++n_done_;
}

}  // namespace rarewood

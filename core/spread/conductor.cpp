#include "spread/conductor.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <stdexcept>

#include "parallel.hpp"
#include "spread/cells.hpp"
#include "spread/growth_order.hpp"

namespace rarewood {

namespace {

constexpr std::uint64_t kRowBytes = std::uint64_t{2} << 30;  // for the rows of all growing trees
constexpr std::uint64_t kMaxAtOnce = 64;

std::uint64_t sum_of(std::span<const std::uint64_t> totals) {
  std::uint64_t n = 0;
  for (std::uint64_t total : totals) {
    if (total > (std::uint64_t{1} << 52) - n) {
      throw std::invalid_argument("the table has more rows than can be counted exactly.");
    }
    n += total;
  }
  return n;
}

std::size_t usual_at_once(std::uint64_t n_rows, bool is_balanced) {
  const std::uint64_t bytes = std::max<std::uint64_t>(n_rows, 1) * (is_balanced ? 12 : 4);
  return static_cast<std::size_t>(std::clamp<std::uint64_t>(kRowBytes / bytes, 1, kMaxAtOnce));
}

}  // namespace

Conductor::Conductor(TableFacts facts, Criteria criteria, const GrowOptions& options,
                     const ForestOptions& forest, const SpreadOptions& spread)
    : facts_(std::move(facts)),
      criteria_(std::move(criteria)),
      options_(options),
      forest_(forest),
      spread_(spread),
      trees_(forest.n_trees) {
  check(options, facts_.columns.size());
  if (criteria_.size() != 1 && criteria_.size() != forest.n_trees) {
    throw std::invalid_argument("there must be one criterion, or one for every tree.");
  }
  if (facts_.max_bins < 2) {
    throw std::invalid_argument("a table that is spread over shards needs max_bins.");
  }
  if (options.plane_dim > 1) {
    throw std::invalid_argument(
        "hyperplanes are drawn from the values of a table, which shards do not have: set "
        "hyperplane_dim to 1.");
  }
  const std::uint64_t n_rows = sum_of(facts_.class_totals);
  if (n_rows < 1) throw std::invalid_argument("a tree needs at least one row.");
  if (!facts_.weight_sizes.empty()) {
    grid_ = WeightGrid(facts_.weight_sizes, forest.draw, facts_.class_totals);
  }
  if (spread_.trees_at_once == 0) {
    spread_.trees_at_once = usual_at_once(n_rows, forest.balances_weights);
  }
  spread_.gather_bytes = std::min(spread_.gather_bytes, spread_.max_answer_bytes / 2);
  const auto n_features = static_cast<std::int64_t>(facts_.columns.size());
  tallies_all_ = 2 * options.max_features >= n_features;
}

Request Conductor::header() const {
  Request request;
  request.number = number_;
  request.seed = options_.seed;
  request.draw = forest_.draw;
  request.is_weighted = !facts_.weight_sizes.empty();
  request.grid = grid_.exponent();
  return request;
}

void Conductor::start_saplings() {
  while (n_started_ < forest_.n_trees && saplings_.size() < spread_.trees_at_once) {
    const std::size_t i = n_started_++;
    saplings_.push_back(
        std::make_unique<Sapling>(forest_.first_tree + i, *criteria_[criteria_.size() == 1 ? 0 : i],
                                  static_cast<std::int64_t>(facts_.columns.size()),
                                  static_cast<int>(facts_.class_totals.size()),
                                  !facts_.weight_sizes.empty() || forest_.balances_weights));
    saplings_.back()->grid = grid_;
  }
}

std::optional<std::string> Conductor::request() {
  if (pending_) return pending_bytes_;
  start_saplings();
  if (saplings_.empty()) return std::nullopt;
  ++number_;
  pending_ = header();
  pending_->ended = std::move(ended_);
  ended_.clear();
  std::size_t n_bytes = 0;
  for (std::size_t place = 0; place < saplings_.size(); ++place) ask(place, n_bytes);
  pending_bytes_ = pending_->to_bytes();
  return pending_bytes_;
}

// Asks about as many families of a sapling as the answer has room for, one at least.
void Conductor::ask(std::size_t place, std::size_t& n_bytes) {
  Sapling& sapling = *saplings_[place];
  TreeOrders orders;
  orders.tree = sapling.number;
  orders.starts = sapling.stage == Stage::kStarting;
  orders.is_balanced = sapling.stage == Stage::kBalancing;
  if (orders.is_balanced) {
    orders.factors = sapling.factors;
    orders.grid = sapling.grid.exponent();
  }
  std::size_t n_tallies = 0, n_gathers = 0;
  for (const TreeOrders& tree : pending_->trees) {
    n_tallies += tree.counts.size() + (tree.starts || tree.is_balanced);
    n_gathers += tree.gathers.size();
  }
  while (!sapling.waiting.empty()) {
    const std::size_t more = answer_bytes(sapling.waiting.front());
    if (n_bytes > 0 && n_bytes + more > spread_.max_answer_bytes) break;
    n_bytes += more;
    Asked asked{place,
                std::move(sapling.waiting.front()),
                n_tallies + orders.counts.size(),
                n_gathers + orders.gathers.size(),
                {}};
    sapling.waiting.pop_front();
    const Family& family = asked.family;
    if (family.has_split()) orders.splits.push_back(family.split);
    for (std::size_t i = 0; i < family.nodes.size(); ++i) {
      std::vector<std::int32_t> classes;
      for (const Segment& segment : family.nodes[i].segments) classes.push_back(segment.of_class);
      const NodeId id = family.nodes[i].id;
      if (family.is_counted[i]) orders.counts.push_back({id, classes, family.features[i]});
      if (family.ways[i] == Way::kGather) orders.gathers.push_back({id, classes});
    }
    asked_.push_back(std::move(asked));
  }
  if (orders.starts || orders.is_balanced || !orders.counts.empty() || !orders.gathers.empty()) {
    pending_->trees.push_back(std::move(orders));
  }
}

TallyShape Conductor::shape_of(const Sapling& sapling, const Family& family, std::size_t i) const {
  TallyShape shape{facts_.columns, family.features[i], {}, sapling.is_weighted};
  if (shape.features.empty()) {
    shape.features.resize(facts_.columns.size());
    std::iota(shape.features.begin(), shape.features.end(), 0);
  }
  for (const Segment& segment : family.nodes[i].segments) shape.classes.push_back(segment.of_class);
  return shape;
}

namespace {

// Bytes of a number of this size.
std::size_t bytes_of(double n) { return n < 128 ? 1 : 1 + bytes_of(n / 128); }

}  // namespace

std::size_t Conductor::answer_bytes(const Family& family) const {
  const bool is_weighted = !facts_.weight_sizes.empty() || forest_.balances_weights;
  std::size_t n_bytes = 64;
  for (std::size_t i = 0; i < family.nodes.size(); ++i) {
    const auto n_rows = static_cast<double>(family.nodes[i].n_rows);
    const std::size_t per_weight = is_weighted ? 8 : 0;
    if (family.is_counted[i]) {
      const std::size_t n_features =
          family.features[i].empty() ? facts_.columns.size() : family.features[i].size();
      const double n_cells = std::min<double>(n_rows, kCodes * family.nodes[i].n_classes());
      const std::size_t per_cell = bytes_of(n_rows / n_cells) + (n_rows < n_cells ? 2 : 0);
      n_bytes += n_features * static_cast<std::size_t>(n_cells) * (per_cell + per_weight);
    }
    if (family.ways[i] == Way::kGather) {
      n_bytes += family.nodes[i].n_rows * (facts_.columns.size() + 1 + per_weight);
    }
  }
  return n_bytes;
}

std::string Conductor::recap() const {
  Request request = header();
  request.is_recap = true;
  if (pending_) request.number = number_ - 1;
  for (const auto& sapling : saplings_) {
    if (sapling->stage == Stage::kStarting) continue;
    TreeOrders orders;
    orders.tree = sapling->number;
    orders.starts = true;
    orders.is_balanced = sapling->stage == Stage::kGrowing && forest_.balances_weights;
    orders.factors = sapling->factors;
    orders.grid = sapling->grid.exponent();
    orders.splits = sapling->splits;
    request.trees.push_back(std::move(orders));
  }
  return request.to_bytes();
}

std::vector<std::shared_ptr<Tree>> Conductor::trees() const {
  if (n_done_ < forest_.n_trees) {
    throw std::invalid_argument(
        "the trees are not grown yet: answer requests until there is none.");
  }
  return trees_;
}

// --------------------------------------------------------------------------- answers

// Each worker keeps the rooms of one criterion.
struct Conductor::Worker {
  const Criterion* criterion = nullptr;
  std::unique_ptr<Finder> finder;
};

void Conductor::receive(std::string_view bytes, int n_threads) {
  if (!pending_) throw std::invalid_argument("there is no request that waits for an answer.");
  const Answer answer = Answer::from_bytes(bytes);
  std::size_t n_tallies = 0;
  for (const TreeOrders& tree : pending_->trees) {
    n_tallies += tree.counts.size() + (tree.starts || tree.is_balanced);
  }
  if (answer.number != number_ || answer.tallies.size() != n_tallies) {
    throw std::invalid_argument("this is not an answer to the last request.");
  }
  if (n_shards_ > 0 && answer.n_shards != n_shards_) {
    throw std::invalid_argument("answers of " + std::to_string(answer.n_shards) +
                                " shards were combined; before it were " +
                                std::to_string(n_shards_) + ".");
  }
  const std::vector<SentRows> sent = read_rows(answer.rows);
  std::vector<std::vector<std::uint64_t>> roots;
  std::size_t at = 0;
  for (const TreeOrders& orders : pending_->trees) {
    const bool is_root = orders.starts || orders.is_balanced;
    if (is_root) roots.push_back(read_classes(orders, answer.tallies[at]));
    at += orders.counts.size() + is_root;
  }

  std::atomic<std::size_t> next{0};
  const std::size_t n_workers = std::min<std::size_t>(asked_.size(), n_threads < 1 ? 1 : n_threads);
  parallel_for(n_workers, n_threads, [&](std::size_t) {
    Worker worker;
    for (std::size_t i; (i = next.fetch_add(1)) < asked_.size();) {
      search(asked_[i], answer, sent, worker);
    }
  });

  // Nothing is thrown from here on, but for want of memory.
  n_shards_ = answer.n_shards;
  auto root = roots.begin();
  for (const auto& sapling : saplings_) {
    if (sapling->stage == Stage::kStarting || sapling->stage == Stage::kBalancing) {
      plant(*sapling, *root++);
    }
  }
  pending_.reset();
  std::vector<Asked> asked = std::move(asked_);
  asked_.clear();
  for (Asked& one : asked) commit(one);
  for (const auto& sapling : saplings_) settle(*sapling);
  std::erase_if(saplings_, [](const auto& one) { return one->stage == Stage::kDone; });
}

std::vector<SentRows> Conductor::read_rows(std::string_view rows) const {
  std::vector<SentRows> sent;
  std::vector<const Node*> nodes;
  for (const Asked& asked : asked_) {
    for (std::size_t i = 0; i < asked.family.nodes.size(); ++i) {
      if (asked.family.ways[i] != Way::kGather) continue;
      nodes.push_back(&asked.family.nodes[i]);
      sent.emplace_back(facts_.columns, saplings_[asked.sapling]->is_weighted);
    }
  }
  ByteReader in(rows);
  while (!in.is_at_end()) {
    const std::size_t at = in.number_below(sent.size());
    sent[at].read(in, *nodes[at]);
  }
  return sent;
}

std::vector<std::uint64_t> Conductor::read_classes(const TreeOrders& orders,
                                                   const Tallied& tallied) const {
  const std::size_t k = facts_.class_totals.size();
  const bool has_units = !facts_.weight_sizes.empty() || orders.is_balanced;
  std::vector<std::uint64_t> classes(has_units ? 2 * k : k, 0);
  if (tallied.n_cells != classes.size()) ByteReader::refuse();
  for (CellReader cells(tallied.cells, tallied.n_cells); !cells.is_at_end(); cells.next()) {
    classes[static_cast<std::size_t>(cells.position())] = cells.value();
  }
  if (!forest_.draw.is_random() &&
      !std::equal(facts_.class_totals.begin(), facts_.class_totals.end(), classes.begin())) {
    throw std::invalid_argument(
        "the shards together do not have as many rows of each class as class_totals says: is one "
        "missing, or combined twice?");
  }
  return classes;
}

// The root has what shards have drawn. Where classes are balanced, it is asked for twice.
void Conductor::plant(Sapling& sapling, const std::vector<std::uint64_t>& classes) {
  const std::size_t k = facts_.class_totals.size();
  std::vector<double> rows(classes.begin(), classes.begin() + static_cast<std::ptrdiff_t>(k));
  std::vector<double> totals = rows;
  for (std::size_t c = 0; c + k < classes.size(); ++c) {
    totals[c] = classes[c + k] > 0 ? sapling.grid.to_weight(classes[c + k]) : 0;
  }
  if (sapling.stage == Stage::kStarting && forest_.balances_weights) {
    sapling.factors = balancing_factors(totals);
    sapling.grid = WeightGrid::of_total(std::accumulate(totals.begin(), totals.end(), 0.0));
    sapling.stage = Stage::kBalancing;
    return;
  }
  sapling.stage = Stage::kGrowing;
  Node root;
  root.key = root_key(options_.seed, sapling.number);
  for (std::size_t c = 0; c < k; ++c) {
    if (rows[c] == 0) continue;
    root.segments.push_back({static_cast<int>(c), 0, 0});
    root.totals.push_back(totals[c]);
    if (sapling.is_weighted) root.rows.push_back(rows[c]);
    root.n_rows += static_cast<std::size_t>(rows[c]);
    root.weight += totals[c];
  }
  root.id = sapling.builder.add_node(root);
  sapling.root_weight = root.weight;
  if (options_.max_leaf_nodes > 0) sapling.known.resize(1);
  Family family;
  family.nodes.push_back(std::move(root));
  await(sapling, std::move(family));
}

// --------------------------------------------------------------------------- nodes

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
    for (auto& [id, candidate] : sapling.candidates) split(sapling, std::move(candidate));
    sapling.candidates.clear();
  } else if (sapling.waiting.empty()) {
    for (NodeId id : sapling.best_candidates(options_.max_leaf_nodes)) {
      auto candidate = sapling.candidates.extract(id);
      split(sapling, std::move(candidate.mapped()));
    }
  }
  if (!sapling.waiting.empty()) return;
  // Best-first growth may have made splits whose children stay leaves: there may be more to do.
  if (options_.max_leaf_nodes > 0 && !sapling.best_candidates(options_.max_leaf_nodes).empty()) {
    return settle(sapling);
  }
  finish(sapling);
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
  if (n_kept_bytes_ + candidate.cells.cells.size() <= spread_.max_kept_bytes) {
    family.parent_shape = std::move(candidate.shape);
    family.parent = std::move(candidate.cells);
  }
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
  Tree tree = in_growth_order(sapling.builder.finish(), options_.max_leaf_nodes);
  if (forest_.pruning.kind != PruningKind::kNone) tree = prune(tree, forest_.pruning);
  trees_[sapling.number - forest_.first_tree] = std::make_shared<Tree>(std::move(tree));
  ended_.push_back(sapling.number);
  sapling.stage = Stage::kDone;
  ++n_done_;
}

}  // namespace rarewood

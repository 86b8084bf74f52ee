#include "cluster/coordinator.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

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
  forest.sampling.check(static_cast<int>(facts_.class_totals.size()));
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
    grid_ = WeightGrid(facts_.weight_sizes, forest.sampling.bounds(facts_.class_totals));
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
  request.sampling = forest_.sampling;
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

}  // namespace rarewood

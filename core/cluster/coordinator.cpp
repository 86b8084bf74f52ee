#include "cluster/coordinator.hpp"

#include <algorithm>
#include <numeric>

#include "base/throw_if.hpp"
#include "search/node_sample.hpp"

namespace rarewood {

namespace {

constexpr std::uint64_t kRowBytes = std::uint64_t{2} << 30;  // for the rows of all growing trees
constexpr std::uint64_t kMaxAtOnce = 64;

std::uint64_t sum_of(std::span<const std::uint64_t> totals) {
  std::uint64_t n = 0;
  for (std::uint64_t total : totals) {
    throw_if(total > (std::uint64_t{1} << 52) - n,
             "the table has more rows than can be counted exactly.");
    n += total;
  }
  return n;
}

std::size_t usual_at_once(std::uint64_t n_rows, bool is_balanced) {
  const std::uint64_t bytes = std::max<std::uint64_t>(n_rows, 1) * (is_balanced ? 12 : 4);
  return static_cast<std::size_t>(std::clamp<std::uint64_t>(kRowBytes / bytes, 1, kMaxAtOnce));
}

// Bytes of a number of this size.
std::size_t bytes_of(double n) { return n < 128 ? 1 : 1 + bytes_of(n / 128); }

}  // namespace

Coordinator::Coordinator(TableFacts facts, Criteria criteria, const GrowOptions& options,
                         const ForestOptions& forest, const ClusterOptions& cluster)
    : facts_(std::move(facts)),
      criteria_(std::move(criteria)),
      options_(options),
      forest_(forest),
      cluster_(cluster),
      trees_(forest.n_trees) {
  check(options, facts_.columns.size());
  throw_if(!options.monotonic.empty() && n_classes() != 2,
           "monotonic constraints need two classes.");
  forest.sampling.check(n_classes());
  throw_if(criteria_.size() != 1 && criteria_.size() != forest.n_trees,
           "there must be one criterion, or one for every tree.");
  throw_if(facts_.max_bins < 2 && !has_planes(),
           "a table that is divided into shards needs max_bins.");
  throw_if(
      has_planes() != facts_.has_coordinates(),
      "hyperplanes are drawn over coordinates, for which columns must be from_row_codes; other "
      "cuts need columns from_codes.");
  throw_if(has_planes() && (options.split_samples < 1 || options.max_leaf_nodes > 0),
           "hyperplanes over the rows of shards are chosen on samples of nodes, depth first: "
           "split_samples must be at least 1, and max_leaf_nodes 0.");
  set_collapse(forest.pruning, options_);
  const std::uint64_t n_rows = sum_of(facts_.class_totals);
  throw_if(n_rows < 1, "a tree needs at least one row.");
  if (is_weighted()) {
    grid_ = WeightGrid(facts_.weight_sizes, forest.sampling.bounds(facts_.class_totals));
  }
  if (cluster_.trees_at_once == 0) {
    cluster_.trees_at_once = usual_at_once(n_rows, forest.balances_weights);
  }
  cluster_.gather_bytes = std::min(cluster_.gather_bytes, cluster_.max_response_bytes / 2);
  const auto n_features = static_cast<std::int64_t>(facts_.columns.size());
  counts_all_ = 2 * options.max_features >= n_features;
}

Request Coordinator::header() const {
  Request request;
  request.number = number_;
  request.seed = options_.seed;
  request.sampling = forest_.sampling;
  request.is_weighted = is_weighted();
  request.grid = grid_.exponent();
  return request;
}

void Coordinator::start_trees() {
  while (n_started_ < forest_.n_trees && growing_trees_.size() < cluster_.trees_at_once) {
    const std::size_t i = n_started_++;
    growing_trees_.push_back(std::make_unique<GrowingTree>(
        forest_.first_tree + i, *criteria_[criteria_.size() == 1 ? 0 : i],
        static_cast<std::int64_t>(facts_.columns.size()), n_classes(),
        is_weighted() || forest_.balances_weights));
    growing_trees_.back()->grid = grid_;
  }
}

std::optional<std::string> Coordinator::request() {
  if (pending_) return pending_bytes_;
  start_trees();
  if (growing_trees_.empty()) return std::nullopt;
  ++number_;
  pending_ = header();
  pending_->ended = std::move(ended_);
  ended_.clear();
  std::size_t n_bytes = 0;
  for (std::size_t place = 0; place < growing_trees_.size(); ++place)
    request_families(place, n_bytes);
  pending_bytes_ = pending_->to_bytes();
  return pending_bytes_;
}

// Requests as many families of a growing tree as fit into the response, at least one.
void Coordinator::request_families(std::size_t place, std::size_t& n_bytes) {
  GrowingTree& growing = *growing_trees_[place];
  TreeOrders orders;
  orders.tree = growing.number;
  orders.starts = growing.stage == Stage::kStarting;
  orders.grid = growing.grid.exponent();
  if (growing.stage == Stage::kBalancing) orders.factors = growing.factors;
  std::size_t n_histograms = 0, n_gathers = 0;
  for (const TreeOrders& tree : pending_->trees) {
    n_histograms += tree.counts.size() + tree.counts_root();
    n_gathers += tree.gathers.size();
  }
  while (!growing.waiting.empty()) {
    const std::size_t more = response_bytes(growing.waiting.front());
    if (n_bytes > 0 && n_bytes + more > cluster_.max_response_bytes) break;
    n_bytes += more;
    RequestedFamily requested{place,
                              std::move(growing.waiting.front()),
                              n_histograms + orders.counts.size(),
                              n_gathers + orders.gathers.size(),
                              {}};
    growing.waiting.pop_front();
    const Family& family = requested.family;
    if (family.has_split()) orders.splits.push_back(family.split);
    for (std::size_t i = 0; i < family.nodes.size(); ++i) {
      const NodeId id = family.nodes[i].id;
      const Plan& plan = family.plans[i];
      if (plan.is_counted) {
        orders.counts.push_back({id, plan.features, family.trial.has_value()});
      }
      if (plan.is_sent()) orders.gathers.push_back(gather_order(family.nodes[i], plan));
    }
    requested_.push_back(std::move(requested));
  }
  if (orders.counts_root() || !orders.counts.empty() || !orders.gathers.empty()) {
    pending_->trees.push_back(std::move(orders));
  }
}

HistogramShape Coordinator::shape_of(const GrowingTree& growing, const Plan& plan) const {
  HistogramShape shape{facts_.columns, plan.features, n_classes(), growing.is_weighted};
  if (shape.features.empty()) {
    shape.features.resize(facts_.columns.size());
    std::iota(shape.features.begin(), shape.features.end(), 0);
  }
  return shape;
}

std::size_t Coordinator::response_bytes(const Family& family) const {
  std::size_t n_bytes = 64;
  for (std::size_t i = 0; i < family.nodes.size(); ++i) {
    const auto n_rows = static_cast<double>(family.nodes[i].n_rows);
    const std::size_t per_weight = is_weighted() || forest_.balances_weights ? 8 : 0;
    const Plan& plan = family.plans[i];
    if (plan.is_counted && !family.trial) {
      const std::size_t n_features =
          plan.features.empty() ? facts_.columns.size() : plan.features.size();
      const double n_cells = std::min<double>(n_rows, kCodes * family.nodes[i].n_classes());
      const std::size_t per_cell = bytes_of(n_rows / n_cells) + (n_rows < n_cells ? 2 : 0);
      n_bytes += n_features * static_cast<std::size_t>(n_cells) * (per_cell + per_weight);
    }
    if (plan.is_sent()) {
      double n_sent = 0;
      for (std::size_t s = 0; s < family.nodes[i].segments.size(); ++s) {
        const double n = family.nodes[i].rows_in(s);
        const auto n_most = static_cast<double>(options_.split_samples);
        n_sent += plan.way == Way::kSample ? std::min(n, n_most) : n;
      }
      const std::size_t per_number = has_planes() ? 2 : 0;
      n_bytes +=
          static_cast<std::size_t>(n_sent) * (facts_.columns.size() + 1 + per_number + per_weight);
    }
  }
  return n_bytes;
}

// The limits leave a little more than the sample of each class, whatever the number of shards.
GatherOrder Coordinator::gather_order(const Node& node, const Plan& plan) const {
  GatherOrder order;
  order.nodes = plan.parts;
  if (order.nodes.empty()) order.nodes.push_back(node.id);
  if (plan.way != Way::kSample) return order;
  order.n_most = static_cast<std::uint64_t>(options_.split_samples);
  order.limits.assign(facts_.class_totals.size(), 0);
  for (std::size_t s = 0; s < node.segments.size(); ++s) {
    using Selection = HashSelection<double>;
    std::uint32_t limit = Selection::expected_limit(node.rows_in(s), order.n_most);
    for (int i = 0; i < plan.n_doubled; ++i) limit = Selection::twice(limit | 1);
    order.limits[static_cast<std::size_t>(node.segments[s].of_class)] = limit;
  }
  return order;
}

std::string Coordinator::replay() const {
  Request request = header();
  request.is_replay = true;
  if (pending_) request.number = number_ - 1;
  for (const auto& growing : growing_trees_) {
    if (growing->stage == Stage::kStarting) continue;
    TreeOrders orders;
    orders.tree = growing->number;
    orders.starts = true;
    if (growing->stage == Stage::kGrowing) orders.factors = growing->factors;
    orders.grid = growing->grid.exponent();
    orders.splits = growing->splits;
    request.trees.push_back(std::move(orders));
  }
  return request.to_bytes();
}

std::vector<std::shared_ptr<Tree>> Coordinator::trees() const {
  throw_if(n_done_ < forest_.n_trees,
           "the trees are not grown yet: continue until request() returns None.");
  return trees_;
}

}  // namespace rarewood

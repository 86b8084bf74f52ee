// How the coordinator uses a response: roots of new trees, and splits of the requested nodes.
#include <algorithm>
#include <atomic>
#include <numeric>

#include "base/parallel.hpp"
#include "base/throw_if.hpp"
#include "cluster/coordinator.hpp"
#include "grow/hopeless.hpp"

namespace rarewood {

void Coordinator::receive(std::string_view bytes, int n_threads) {
  throw_if(!pending_, "there is no request without a response.");
  const Response response = Response::from_bytes(bytes);
  std::size_t n_histograms = 0;
  for (const TreeOrders& tree : pending_->trees) {
    n_histograms += tree.counts.size() + tree.counts_root();
  }
  throw_if(response.number != number_ || response.histograms.size() != n_histograms,
           "this is not a response to the last request.");
  throw_if(n_shards_ > 0 && response.n_shards != n_shards_, "responses of ", response.n_shards,
           " shards were combined; before it were ", n_shards_, ".");
  const std::vector<SentRows> sent = read_rows(response.rows);
  std::vector<std::vector<ClassTotal>> roots;
  std::size_t at = 0;
  for (const TreeOrders& orders : pending_->trees) {
    const bool is_root = orders.counts_root();
    if (is_root) {
      const bool has_units = is_weighted() || orders.is_balanced();
      roots.push_back(read_classes(has_units, response.histograms[at]));
      check_root(roots.back());
    }
    at += orders.counts.size() + is_root;
  }

  std::atomic<std::size_t> next{0};
  const std::size_t n_workers =
      std::min<std::size_t>(requested_.size(), n_threads < 1 ? 1 : n_threads);
  parallel_for(n_workers, n_threads, [&](std::size_t) {
    Worker worker;
    for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < requested_.size();) {
      search(requested_[i], response, sent, worker);
    }
  });

  // From here on only a lack of memory throws.
  n_shards_ = response.n_shards;
  auto root = roots.begin();
  for (const auto& growing : growing_trees_) {
    if (growing->stage == Stage::kStarting || growing->stage == Stage::kBalancing) {
      start_root(*growing, *root++);
    }
  }
  pending_.reset();
  std::vector<RequestedFamily> requested = std::move(requested_);
  requested_.clear();
  for (RequestedFamily& one : requested) commit(one);
  for (const auto& growing : growing_trees_) settle(*growing);
  std::erase_if(growing_trees_, [](const auto& one) { return one->stage == Stage::kDone; });
}

std::vector<SentRows> Coordinator::read_rows(std::string_view rows) const {
  std::vector<SentRows> sent;
  std::vector<const Node*> nodes;
  for (const RequestedFamily& requested : requested_) {
    for (std::size_t i = 0; i < requested.family.nodes.size(); ++i) {
      if (!requested.family.plans[i].is_sent()) continue;
      nodes.push_back(&requested.family.nodes[i]);
      sent.emplace_back(facts_, growing_trees_[requested.growing]->is_weighted);
    }
  }
  ByteReader in(rows);
  while (!in.is_at_end()) {
    const std::size_t at = in.read_number(sent.size());
    sent[at].read(in, *nodes[at]);
  }
  return sent;
}

std::vector<Coordinator::ClassTotal> Coordinator::read_classes(bool has_units,
                                                               const TalliedView& tallied) const {
  std::vector<ClassTotal> classes(facts_.class_totals.size());
  if (tallied.n_cells != classes.size() || tallied.is_weighted != has_units) {
    ByteReader::refuse_bytes();
  }
  constexpr std::uint64_t kMost = std::uint64_t{1} << 53;
  std::uint64_t n_rows = 0, n_units = 0;
  for (CellReader cells(tallied); !cells.is_at_end(); cells.next()) {
    if (cells.rows() > kMost - n_rows || cells.units() > kMost - n_units) {
      ByteReader::refuse_bytes();
    }
    n_rows += cells.rows();
    n_units += cells.units();
    classes[cells.position()] = {cells.rows(), cells.units()};
  }
  return classes;
}

void Coordinator::check_root(const std::vector<ClassTotal>& classes) const {
  const bool is_empty = std::all_of(classes.begin(), classes.end(),
                                    [](const ClassTotal& own) { return own.rows == 0; });
  if (is_empty) ByteReader::refuse_bytes();
  throw_if(
      !forest_.sampling.is_random() &&
          !std::equal(classes.begin(), classes.end(), facts_.class_totals.begin(),
                      [](const ClassTotal& own, std::uint64_t all) { return own.rows == all; }),
      "the shards together do not have as many rows of each class as class_totals: one may "
      "be missing, or combined twice.");
}

Node Coordinator::make_node(const GrowingTree& growing, const std::vector<ClassTotal>& classes) {
  Node node;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const auto [rows, units] = classes[c];
    if (rows == 0) continue;
    node.segments.push_back({static_cast<int>(c), 0, 0});
    node.totals.push_back(units > 0 ? growing.grid.to_weight(units) : static_cast<double>(rows));
    if (growing.is_weighted) node.rows.push_back(static_cast<double>(rows));
    node.n_rows += rows;
    node.weight += node.totals.back();
  }
  return node;
}

// The root has the rows that the shards have drawn. Where classes are balanced, it is counted
// twice.
void Coordinator::start_root(GrowingTree& growing, const std::vector<ClassTotal>& classes) {
  std::vector<double> totals;
  for (const ClassTotal& own : classes) {
    totals.push_back(own.units > 0 ? growing.grid.to_weight(own.units)
                                   : static_cast<double>(own.rows));
  }
  if (growing.stage == Stage::kStarting && forest_.balances_weights) {
    growing.factors = balancing_factors(totals);
    growing.grid = WeightGrid::of_total(std::accumulate(totals.begin(), totals.end(), 0.0));
    growing.stage = Stage::kBalancing;
    return;
  }
  growing.stage = Stage::kGrowing;
  Node root = make_node(growing, classes);
  root.key = root_key(options_.seed, growing.number);
  if (options_.skips()) root.p = class_fractions(root, n_classes());
  root.id = growing.builder.add_node(root);
  growing.root_weight = root.weight;
  if (options_.max_leaf_nodes > 0) growing.known.resize(1);
  Family family;
  family.nodes.push_back(std::move(root));
  await(growing, std::move(family));
}

}  // namespace rarewood

// What a conductor makes of an answer: new trees, and splits of the nodes it asked about.
#include <algorithm>
#include <atomic>
#include <numeric>
#include <stdexcept>

#include "base/parallel.hpp"
#include "cluster/cells.hpp"
#include "cluster/coordinator.hpp"

namespace rarewood {

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
  std::uint64_t n_rows = 0, n_units = 0;
  for (std::size_t c = 0; c < k; ++c) {
    const std::uint64_t units = has_units ? classes[c + k] : classes[c];
    constexpr std::uint64_t kMost = std::uint64_t{1} << 53;
    const bool is_odd = (units > 0) != (classes[c] > 0);
    if (is_odd || classes[c] > kMost - n_rows || units > kMost - n_units) ByteReader::refuse();
    n_rows += classes[c];
    n_units += units;
  }
  if (n_rows == 0) ByteReader::refuse();
  if (!forest_.sampling.is_random() &&
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

}  // namespace rarewood

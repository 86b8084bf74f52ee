// A shard counts the classes of nodes, several nodes together.
#include <algorithm>
#include <map>
#include <numeric>

#include "base/parallel.hpp"
#include "cluster/cells.hpp"
#include "cluster/shard.hpp"

namespace rarewood {

namespace {

constexpr std::size_t kPartRows = 1 << 16;    // that are worth a thread
constexpr std::size_t kBatchCells = 1 << 19;  // counts that stay in the cache

// The i-th of n parts of a node's rows.
Node part_of(const Node& node, std::size_t i, std::size_t n) {
  Node part;
  for (const Segment& segment : node.segments) {
    const auto begin = static_cast<Row>(std::uint64_t{segment.count} * i / n);
    const auto end = static_cast<Row>(std::uint64_t{segment.count} * (i + 1) / n);
    if (begin == end) continue;
    part.segments.push_back({segment.of_class, segment.begin + begin, end - begin});
    part.n_rows += end - begin;
  }
  return part;
}

}  // namespace

// What is to be counted, in the order of the response; large nodes in parts that are added up.
std::vector<Shard::Task> Shard::plan_counts(const Request& request, int n_threads) {
  const auto most_parts = static_cast<std::size_t>(std::max(n_threads, 1));
  std::vector<std::int32_t> every(columns_.n_features());
  std::iota(every.begin(), every.end(), 0);
  std::vector<Task> tasks;
  for (const TreeOrders& orders : request.trees) {
    const Growing& tree = find(orders.tree);
    const bool is_root = (orders.starts || orders.is_balanced) && !request.is_replay;
    if (is_root) tasks.push_back({&tree, nullptr, 0, find(tree, 0), {}, {}});
    for (const CountOrder& order : orders.counts) {
      const Node& node = find(tree, order.node);
      const std::vector<std::int32_t>& features = order.features.empty() ? every : order.features;
      std::vector<std::int32_t> narrow;
      std::copy_if(features.begin(), features.end(), std::back_inserter(narrow),
                   [&](int f) { return !columns_.column(f).is_wide(); });
      const auto n_parts = std::clamp<std::size_t>(node.n_rows / kPartRows, 1, most_parts);
      for (std::size_t i = 0; i < n_parts; ++i) {
        tasks.push_back({&tree, &order, i, part_of(node, i, n_parts), features, narrow});
      }
    }
  }
  return tasks;
}

// Batches are counted side by side. A batch has tasks of one tree, and of the same part of nodes:
// these lie in the same blocks of rows.
std::vector<Tallied> Shard::count_all(const Request& request, int n_threads) {
  const std::vector<Task> tasks = plan_counts(request, n_threads);
  std::size_t n_cells = 0;
  for (const Task& task : tasks) n_cells += task.n_cells();
  const std::size_t most =
      std::min(kBatchCells, n_cells / static_cast<std::size_t>(std::max(n_threads, 1)));
  struct Batch {
    std::vector<const Task*> tasks;
    std::size_t n_cells = 0;
  };
  std::vector<Batch> batches;
  std::map<std::pair<const Growing*, std::size_t>, std::size_t> open;  // the last one of its kind
  for (const Task& task : tasks) {
    auto [at, is_new] = open.try_emplace({task.tree, task.part}, batches.size());
    if (is_new || batches[at->second].n_cells + task.n_cells() > most) {
      at->second = batches.size();
      batches.emplace_back();
    }
    batches[at->second].tasks.push_back(&task);
    batches[at->second].n_cells += task.n_cells();
  }
  std::vector<Tallied> parts(tasks.size());
  parallel_for(batches.size(), n_threads, [&](std::size_t i) {
    const std::vector<const Task*>& batch = batches[i].tasks;
    std::vector<Tallied> counted = count_batch(batch);
    for (std::size_t j = 0; j < batch.size(); ++j) {
      parts[batch[j] - tasks.data()] = std::move(counted[j]);
    }
  });
  std::vector<Tallied> histograms;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i].part == 0) {
      histograms.push_back(std::move(parts[i]));
    } else {
      histograms.back() = add(histograms.back(), parts[i]);
    }
  }
  return histograms;
}

std::vector<Tallied> Shard::count_batch(std::span<const Task* const> batch) {
  const Growing& tree = *batch.front()->tree;
  std::unique_ptr<Desk> desk = take_desk();
  desk->rows.clear();
  desk->weights.clear();
  for (const Task* task : batch) {
    // All features of a node are counted row by row, which is done when they are written.
    const bool is_apart = !task->order || counts_rows(*task, *desk);
    const auto features = is_apart ? std::span<const std::int32_t>() : std::span(task->narrow);
    desk->rows.add(task->node, features);
    if (tree.is_weighted) desk->weights.add(task->node, features);
  }
  desk->rows.count(tree.source);
  desk->weights.count(tree.source);
  std::vector<Tallied> histograms;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    histograms.push_back(batch[i]->order ? write_counts(*batch[i], i, *desk) : count_classes(tree));
  }
  give_back(std::move(desk));
  return histograms;
}

// Rows of each class, and their weight.
Tallied Shard::count_classes(const Growing& tree) const {
  const Node& root = find(tree, 0);
  std::vector<std::uint64_t> cells(static_cast<std::size_t>(target_.n_classes), 0);
  if (tree.is_weighted) cells.resize(2 * cells.size(), 0);
  for (std::size_t s = 0; s < root.segments.size(); ++s) {
    const auto c = static_cast<std::size_t>(root.segments[s].of_class);
    cells[c] = root.segments[s].count;
    if (tree.is_weighted) {
      cells[c + static_cast<std::size_t>(target_.n_classes)] = tree.grid.to_units(root.totals[s]);
    }
  }
  CellWriter out;
  for (std::uint64_t n : cells) out.add(n);
  return {cells.size(), out.finish()};
}

std::unique_ptr<Shard::Desk> Shard::take_desk() {
  const std::lock_guard lock(mutex_);
  if (desks_.empty()) return std::make_unique<Desk>(columns_, target_.n_classes);
  std::unique_ptr<Desk> desk = std::move(desks_.back());
  desks_.pop_back();
  return desk;
}

void Shard::give_back(std::unique_ptr<Desk> desk) {
  const std::lock_guard lock(mutex_);
  desks_.push_back(std::move(desk));
}

}  // namespace rarewood

// A shard counts the classes of nodes, several nodes together.
#include <algorithm>
#include <map>
#include <numeric>

#include "base/parallel.hpp"
#include "cluster/node_histogram.hpp"
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
    const bool is_root = orders.counts_root() && !request.is_replay;
    if (is_root) tasks.push_back({&tree, nullptr, 0, find(tree, 0), {}, {}});
    for (const CountOrder& order : orders.counts) {
      const Node& node = find(tree, order.node);
      if (order.only_classes) {
        tasks.push_back({&tree, &order, 0, node, {}, {}});
        continue;
      }
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
    const bool is_apart = task->counts_classes() || counts_rows(*task, *desk);
    const auto features = is_apart ? std::span<const std::int32_t>() : std::span(task->narrow);
    desk->rows.add(task->node, features);
    if (tree.is_weighted) desk->weights.add(task->node, features);
  }
  desk->rows.count(tree.source);
  desk->weights.count(tree.source);
  std::vector<Tallied> histograms;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const Task& task = *batch[i];
    histograms.push_back(task.counts_classes() ? count_classes(tree, task.node)
                                               : write_counts(task, i, *desk));
  }
  give_back(std::move(desk));
  return histograms;
}

// Rows of each class, and their weight.
Tallied Shard::count_classes(const Growing& tree, const Node& node) const {
  CellWriter out(tree.is_weighted);
  for (std::size_t s = 0; s < node.segments.size(); ++s) {
    out.skip(node.segments[s].of_class - out.position());
    out.add(node.segments[s].count, tree.grid.to_units(node.totals[s]));
  }
  out.skip(target_.n_classes - out.position());
  return out.finish();
}

Tallied Shard::write_counts(const Task& task, std::size_t place, Desk& desk) const {
  const Growing& tree = *task.tree;
  const Node& node = task.node;
  const bool by_row = counts_rows(task, desk);
  if (by_row) {
    if (desk.histogram < 0) desk.histogram = desk.store.take();
    desk.store.count(desk.histogram, tree.source.rows.data(), node.segments);
  }
  CellWriter out(tree.is_weighted);
  std::size_t n_narrow = 0;  // features so far that codes determine
  for (std::int32_t f : task.features) {
    const Column& column = columns_.column(f);
    const bool is_wide = column.is_wide();
    FeatureHistogram<RowCount> rows;
    FeatureHistogram<double> weights;
    if (!is_wide) {
      rows = by_row ? desk.store.feature(desk.histogram, f, node.segments.data())
                    : desk.rows.feature(place, n_narrow);
      if (tree.is_weighted) weights = desk.weights.feature(place, n_narrow);
      ++n_narrow;
    }
    auto own = node.segments.begin();  // a shard may have no rows of a class that others have
    for (int c = 0; c < target_.n_classes; ++c) {
      const std::uint64_t end = out.position() + HistogramShape::n_codes(column);
      if (own != node.segments.end() && own->of_class == c) {
        const auto s = static_cast<std::size_t>(own - node.segments.begin());
        if (is_wide) {
          write_categories(tree, *own, f, desk, out);
        } else {
          write_codes(tree, column, rows.bins(s), weights.base ? weights.bins(s) : nullptr, out);
        }
        ++own;
      }
      out.skip(end - out.position());
    }
  }
  return out.finish();
}

void Shard::write_codes(const Growing& tree, const Column& column, const RowCount* rows,
                        const double* weights, CellWriter& out) const {
  auto write = [&](int code) {
    out.add(rows[code], weights && rows[code] > 0 ? tree.grid.to_units(weights[code]) : 0);
  };
  for (int b = 0; b < column.n_bins; ++b) write(b);
  if (column.has_missing) write(kMissingCode);
}

// The categories of a wide feature are many more than the rows of most nodes.
void Shard::write_categories(const Growing& tree, const Segment& segment, int f, Desk& desk,
                             CellWriter& out) const {
  const std::uint64_t first = out.position();
  const std::uint64_t missing = HistogramShape::n_codes(columns_.column(f)) - 1;
  std::vector<std::pair<std::uint64_t, double>>& cells = desk.categories;
  cells.clear();
  visit_categories(tree.source, f, [&](auto&& category_of) {
    for (Row row : tree.source.rows_of(segment)) {
      const std::int32_t category = category_of(row);
      cells.push_back(
          {category < 0 ? missing : static_cast<std::uint64_t>(category), tree.source.weight(row)});
    }
  });
  std::sort(cells.begin(), cells.end());
  for (auto at = cells.begin(); at != cells.end();) {
    const std::uint64_t category = at->first;
    std::uint64_t n_rows = 0;
    double weight = 0;
    for (; at != cells.end() && at->first == category; ++at) {
      ++n_rows;
      weight += at->second;
    }
    out.skip(first + category - out.position());
    out.add(n_rows, tree.grid.to_units(weight));
  }
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

#include "grow/forest.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <numeric>
#include <thread>

#include "base/interrupt.hpp"
#include "base/parallel.hpp"
#include "base/throw_if.hpp"
#include "table/weight_grid.hpp"

namespace rarewood {

namespace {

// Row weights of one tree that give every drawn class the same total weight. `copies`: how often
// each row was drawn; none: once. Their sums are exact as those of the target's weights are.
std::vector<double> balance_weights(const Target& target,
                                    const std::vector<std::uint32_t>& copies) {
  std::vector<double> of_class(target.n_classes, 0.0);
  auto weight = [&](std::size_t row) { return target.weights.empty() ? 1.0 : target.weights[row]; };
  auto class_of = [&](std::size_t row) { return static_cast<std::size_t>(target.classes[row]); };
  for (std::size_t row = 0; row < target.classes.size(); ++row) {
    of_class[class_of(row)] += weight(row) * (copies.empty() ? 1.0 : copies[row]);
  }
  const std::vector<double> factors = balancing_factors(of_class);
  const auto grid = WeightGrid::of_total(std::accumulate(of_class.begin(), of_class.end(), 0.0));
  std::vector<double> weights(target.classes.size());
  for (std::size_t row = 0; row < weights.size(); ++row) {
    weights[row] = grid.round(weight(row) * factors[class_of(row)]);
  }
  return weights;
}

// The target's weights on a grid where all sums are exact, unless they are on it already.
std::vector<double> exact_weights(const Target& target, const RowSampling& sampling,
                                  const ClassRows& by_class) {
  if (target.weights.empty()) return {};
  DrawBounds bounds;
  if (sampling.is_random()) bounds = sampling.bounds(Place(by_class).class_totals);
  return WeightGrid(weight_sizes(target.weights), bounds).round_all(target.weights);
}

// Runs pieces of work on threads of their own while the caller's thread keeps watch.
template <class Work>
void work_and_watch(std::size_t n, int n_threads, std::atomic<bool>& stop, const Watch& watch,
                    Work&& work) {
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t n_done = 0;
  bool is_over = false;
  std::exception_ptr error;
  Interrupt interrupt([] { return false; });  // requested below
  std::jthread crew([&] {
    const InterruptScope scope(&interrupt, false);
    try {
      parallel_for(n, n_threads, [&](std::size_t i) {
        work(i);
        const std::lock_guard lock(mutex);
        ++n_done;
      });
    } catch (...) {
      error = std::current_exception();
    }
    {
      const std::lock_guard lock(mutex);
      is_over = true;
    }
    changed.notify_one();
  });
  std::unique_lock lock(mutex);
  while (!changed.wait_for(lock, std::chrono::milliseconds(50), [&] { return is_over; })) {
    const std::size_t done = n_done;
    lock.unlock();
    if (!stop && !watch(done)) {
      stop = true;
      interrupt.request();
    }
    lock.lock();
  }
  lock.unlock();
  crew.join();
  if (error) std::rethrow_exception(error);
  watch(n);
}

}  // namespace

std::vector<std::shared_ptr<Tree>> grow_forest(const Columns& columns, const Target& given,
                                               std::span<const Criterion* const> criteria,
                                               const GrowOptions& options,
                                               const ForestOptions& forest, const Watch& watch) {
  throw_if(criteria.size() != 1 && criteria.size() != forest.n_trees,
           "there must be one criterion, or one for every tree.");
  check(columns, given);
  forest.sampling.check(given.n_classes);
  std::vector<std::shared_ptr<Tree>> trees(forest.n_trees);
  // Rows are drawn from a common list; without sampling every tree makes one of its own.
  const bool is_drawn = forest.sampling.is_random();
  const ClassRows by_class = is_drawn ? ClassRows(given.classes, given.n_classes) : ClassRows();
  Target target = given;
  const std::vector<double> rounded = exact_weights(given, forest.sampling, by_class);
  if (!rounded.empty()) target.weights = rounded;
  std::atomic<bool> stop{false};
  work_and_watch(forest.n_trees, forest.n_threads, stop, watch, [&](std::size_t i) {
    GrowOptions own = options;
    own.tree_index = forest.first_tree + i;
    own.stop = &stop;
    set_collapse(forest.pruning, own);
    Target weighted = target;
    std::vector<double> weights;
    if (forest.balances_weights) {
      weights = balance_weights(
          target, draw_copies(forest.sampling, by_class, own.seed, own.tree_index, &stop));
      weighted.weights = weights;
    }
    const Criterion& criterion = *criteria[criteria.size() == 1 ? 0 : i];
    ClassRows rows = is_drawn ? draw_rows(forest.sampling, by_class, Place(by_class), own.seed,
                                          own.tree_index, &stop)
                              : ClassRows(given.classes, given.n_classes);
    throw_if(rows.rows.empty(), "a tree needs at least one row.");
    Tree tree = grow(columns, weighted, std::move(rows), criterion, own);
    if (forest.pruning.is_any()) tree = prune(tree, forest.pruning);
    trees[i] = std::make_shared<Tree>(std::move(tree));
  });
  return trees;
}

}  // namespace rarewood

#include "forest.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "parallel.hpp"

namespace rarewood {

namespace {

// Row weights of one tree: every class that was drawn weighs the same in all. `copies`: how often
// each row was drawn; none: once.
std::vector<double> balance_weights(const Target& target,
                                    const std::vector<std::uint32_t>& copies) {
  std::vector<double> of_class(static_cast<std::size_t>(target.n_classes), 0.0);
  double total = 0;
  auto weight = [&](std::size_t row) { return target.weights.empty() ? 1.0 : target.weights[row]; };
  for (std::size_t row = 0; row < target.classes.size(); ++row) {
    const double w = weight(row) * (copies.empty() ? 1.0 : copies[row]);
    of_class[static_cast<std::size_t>(target.classes[row])] += w;
    total += w;
  }
  const auto n_present =
      std::count_if(of_class.begin(), of_class.end(), [](double w) { return w > 0; });
  std::vector<double> weights(target.classes.size());
  for (std::size_t row = 0; row < weights.size(); ++row) {
    const double of_own = of_class[static_cast<std::size_t>(target.classes[row])];
    const double factor = of_own > 0 ? total / (static_cast<double>(n_present) * of_own) : 1.0;
    weights[row] = weight(row) * factor;
  }
  return weights;
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
  std::jthread crew([&] {
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
    if (!stop && !watch(done)) stop = true;
    lock.lock();
  }
  lock.unlock();
  crew.join();
  if (error) std::rethrow_exception(error);
  watch(n);
}

}  // namespace

std::vector<std::shared_ptr<Tree>> grow_forest(const Columns& columns, const Target& target,
                                               std::span<const Criterion* const> criteria,
                                               const GrowOptions& options,
                                               const ForestOptions& forest, const Watch& watch) {
  if (criteria.size() != 1 && criteria.size() != forest.n_trees) {
    throw std::invalid_argument("there must be one criterion, or one for every tree.");
  }
  if (forest.draw.n_drawn < 0) throw std::invalid_argument("n_drawn must not be negative.");
  check(columns, target);
  std::vector<std::shared_ptr<Tree>> trees(forest.n_trees);
  const ClassRows by_class(target.classes, target.n_classes);
  std::atomic<bool> stop{false};
  work_and_watch(forest.n_trees, forest.n_threads, stop, watch, [&](std::size_t i) {
    GrowOptions own = options;
    own.tree_index = forest.first_tree + i;
    own.stop = &stop;
    Target weighted = target;
    std::vector<double> weights;
    if (forest.balances_weights) {
      weights =
          balance_weights(target, draw_copies(forest.draw, by_class, own.seed, own.tree_index));
      weighted.weights = weights;
    }
    const Criterion& criterion = *criteria[criteria.size() == 1 ? 0 : i];
    Tree tree = grow(columns, weighted, draw_rows(forest.draw, by_class, own.seed, own.tree_index),
                     criterion, own);
    if (forest.pruning.kind != PruningKind::kNone) tree = prune(tree, forest.pruning);
    trees[i] = std::make_shared<Tree>(std::move(tree));
  });
  return trees;
}

}  // namespace rarewood

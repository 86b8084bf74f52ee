// The nodes that wait to be split, and which of them is next.
#pragma once

#include <algorithm>
#include <vector>

#include "search/cut.hpp"
#include "search/grow_options.hpp"
#include "search/node.hpp"

namespace rarewood {

// Is a node with these rows worth a search?
inline bool may_split(const Node& node, const GrowOptions& options) {
  return !node.is_pure() && static_cast<std::int64_t>(node.n_rows) >= options.min_samples_split &&
         static_cast<std::int64_t>(node.n_rows) >= 2 * options.min_samples_leaf &&
         (options.max_depth <= 0 || node.depth < options.max_depth) &&
         node.weight >= 2 * options.min_weight_leaf;
}

struct Waiting {
  Node node;
  Split split;          // best-first only: known when the node is pushed
  double priority = 0;  // best-first only
};

// Depth-first takes the last one pushed; best-first the one of highest priority, and among equals
// the one that was pushed first.
class Frontier {
 public:
  explicit Frontier(bool is_best_first) : is_best_first_(is_best_first) {}

  bool is_best_first() const { return is_best_first_; }
  bool is_empty() const { return waiting_.empty(); }
  std::size_t size() const { return waiting_.size(); }

  void push(Waiting item) {
    waiting_.push_back(std::move(item));
    if (is_best_first_) std::push_heap(waiting_.begin(), waiting_.end(), comes_later);
  }

  Waiting pop() {
    if (is_best_first_) std::pop_heap(waiting_.begin(), waiting_.end(), comes_later);
    Waiting item = std::move(waiting_.back());
    waiting_.pop_back();
    return item;
  }

 private:
  static bool comes_later(const Waiting& a, const Waiting& b) {
    return a.priority != b.priority ? a.priority < b.priority : a.node.id > b.node.id;
  }

  bool is_best_first_;
  std::vector<Waiting> waiting_;
};

}  // namespace rarewood

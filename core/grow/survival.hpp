// Which nodes of a growing tree cannot survive its collapse (model/prune/collapse.hpp).
//
// Changes of the class fractions along a path are uncorrelated. With `keep`, the part of a change
// that children keep, the leaves of a subtree therefore explain, about the probabilities p of its
// root or of a node above,
//   the sum over its splits of keep^2 * (variance of the fractions of the children) * weight / p,
// and each split costs `collapse`. A node that waits explains at most what pure children would,
// since keep falls along a path. So there is always a bound of what the subtree of a node can gain:
// if that is nothing, the node will be a leaf, and what waits below it need not be searched. Nor
// is a node below too many weak splits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "grow/hopeless.hpp"
#include "grow/tree_builder.hpp"
#include "model/prune/collapse.hpp"
#include "search/grow_options.hpp"
#include "search/node.hpp"

namespace rarewood {

// Follows the path from the root to the node that grows, depth first.
class Survival {
 public:
  // Where the growth of a node began.
  struct Start {
    NodeId id;
    std::size_t n_waiting;  // other nodes, that waited then
    TreeBuilder::Mark built;
  };

  Survival(const GrowOptions& options, int n_classes)
      : options_(options),
        is_used_(options.skips() && options.max_leaf_nodes == 0),
        n_classes_(static_cast<std::size_t>(n_classes)),
        n_sums_(n_classes == 2 ? 1 : n_classes_) {}  // both classes vary alike

  // The node that was added last waits no longer.
  void take() {
    if (!pending_.empty()) pending_.resize(pending_.size() - n_sums_);
    n_weak_above_ = steps_.empty() ? 0 : steps_.back().n_weak;
  }

  // It was split.
  void add_split(const Node& node, const std::vector<Node>& children, const Start& start) {
    if (!is_used_) return;
    Step step{start, pending_.size(), static_cast<double>(children.size() - 1), 0.0, true, 0};
    int n_present = 0;
    for (double p : node.p) n_present += is_present(p);
    step.cost = options_.collapse * (n_present - 1);
    for (const Segment& segment : node.segments) {
      step.has_bound &= is_present(node.p[static_cast<std::size_t>(segment.of_class)]);
    }
    add_inverse(node);
    const double keep = options_.keep(node.weight, options_.leaf_strength);
    const std::size_t at = explained_.size();
    explained_.resize(at + n_sums_, 0.0);
    const ShortVector<double> raw = class_fractions(node, static_cast<int>(n_classes_));
    for (const Node& child : children) {
      const ShortVector<double> own = class_fractions(child, static_cast<int>(n_classes_));
      for (std::size_t j = 0; j < n_sums_; ++j) {
        const double change = keep * (own[j] - raw[j]);
        explained_[at + j] += kUpwards * child.weight * change * change;
      }
    }
    steps_.push_back(step);
    const bool is_weak =
        step.has_bound && gain(&explained_[at], step.n_splits, steps_.size() - 1) <= 0;
    steps_.back().n_weak = is_weak ? n_weak_above_ + 1 : 0;
  }

  // Are the children of the last split leaves, whatever they have?
  bool are_leaves() const { return !steps_.empty() && steps_.back().n_weak >= kMostWeak; }

  // A child of the last split waits; of several the one added last is taken first.
  void add_waiting(const Node& child) {
    if (!is_used_) return;
    const double keep = options_.keep(child.weight, options_.leaf_strength);
    const ShortVector<double> raw = class_fractions(child, static_cast<int>(n_classes_));
    for (std::size_t j = 0; j < n_sums_; ++j) {
      pending_.push_back(kUpwards * keep * keep * child.weight * raw[j] * (1 - raw[j]));
    }
  }

  // The uppermost node that is now known to become a leaf, if any. It is one from then on, and
  // there may be another.
  std::optional<Start> next_leaf() {
    while (!steps_.empty()) {
      if (const std::size_t last = find_doomed(); last < steps_.size()) {
        const Step step = steps_[last];
        pending_.resize(step.first_pending);
        remove_steps(last);
        return step.start;
      }
      if (pending_.size() > steps_.back().first_pending) return {};
      close();
    }
    return {};
  }

 private:
  static constexpr double kRounding = 1e-6;  // relative error of what is explained, and more
  static constexpr double kUpwards = 1 + kRounding;
  static constexpr std::size_t kLevels = 4;  // upwards, in which a leaf is looked for

  struct Step {
    Start start;
    std::size_t first_pending;  // explained by the first child that waits
    double n_splits;            // of the node and of finished subtrees below
    double cost;                // of a split
    bool has_bound;
    int n_weak;  // splits in succession, the own one included
  };

  void add_inverse(const Node& node) {
    if (n_sums_ == 1) return inverse_.push_back(1 / node.p[0] + 1 / node.p[1]);
    for (double p : node.p) inverse_.push_back(is_present(p) ? 1 / p : 0.0);
  }

  // What splits can gain, about the probabilities of a step.
  double gain(const double* explained, double n_splits, std::size_t about) const {
    const double* const inverse = inverse_.data() + about * n_sums_;
    double sum = 0;
    for (std::size_t j = 0; j < n_sums_; ++j) sum += explained[j] * inverse[j];
    return sum - n_splits * steps_[about].cost;
  }

  // What the subtree of a step can gain about the probabilities of a step above or of its own.
  double most_gained(std::size_t about) const {
    double sum = 0;
    std::size_t end = pending_.size();
    for (std::size_t i = steps_.size(); i-- > about;) {
      sum = std::max(sum, 0.0) + gain(explained_.data() + i * n_sums_, steps_[i].n_splits, about);
      for (std::size_t at = steps_[i].first_pending; at < end; at += n_sums_) {
        sum += std::max(0.0, gain(pending_.data() + at, 1, about));
      }
      end = steps_[i].first_pending;
    }
    return sum;
  }

  std::size_t find_doomed() const {
    std::size_t doomed = steps_.size();
    const std::size_t first = steps_.size() - std::min(steps_.size(), kLevels);
    for (std::size_t i = steps_.size(); i-- > first;) {
      if (steps_[i].has_bound && most_gained(i) <= 0) doomed = i;
    }
    return doomed;
  }

  // The last step is finished. If rounding could still make it a leaf, its splits may cost nothing.
  void close() {
    const std::size_t last = steps_.size() - 1;
    const double* const explained = explained_.data() + last * n_sums_;
    if (last > 0) {
      const double n_splits = steps_[last].n_splits, total = gain(explained, 0, last);
      const bool survives = total * (1 - 3 * kRounding) > n_splits * steps_[last].cost;
      if (survives) steps_[last - 1].n_splits += n_splits;
      for (std::size_t j = 0; j < n_sums_; ++j) {
        explained_[(last - 1) * n_sums_ + j] += explained[j];
      }
    }
    remove_steps(last);
  }

  void remove_steps(std::size_t first) {
    steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(first), steps_.end());
    explained_.resize(first * n_sums_);
    inverse_.resize(first * n_sums_);
  }

  const GrowOptions& options_;
  bool is_used_;
  std::size_t n_classes_, n_sums_;
  int n_weak_above_ = 0;  // splits in succession above the node that was taken
  std::vector<Step> steps_;
  std::vector<double> explained_, inverse_;  // steps x sums
  std::vector<double> pending_;              // nodes that wait x sums
};

}  // namespace rarewood

// Options of growing a tree.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/interrupt.hpp"

namespace rarewood {

// How the candidate hyperplanes of a node are drawn, in the box that its rows fill.
enum class PlaneKind {
  kPoints,     // through points drawn uniformly in the box
  kDirection,  // a direction drawn uniformly, and a cut drawn uniformly along it
  kBetween,    // a direction drawn uniformly, and a cut between two rows of different classes
};

enum class CategoricalSplit { kSubset, kMultiway, kOneHot };

struct GrowOptions {
  int max_depth = 0;  // 0: no limit
  std::int64_t min_samples_split = 2;
  std::int64_t min_samples_leaf = 1;
  double min_weight_leaf = 0;
  std::int64_t max_features = 1;    // features tried at each node
  std::int64_t max_leaf_nodes = 0;  // 0: no limit
  double min_gain = 0;
  int n_cuts = 0;     // 0: every cut
  int plane_dim = 1;  // features of a hyperplane; 1: cuts of one feature
  PlaneKind plane_kind = PlaneKind::kPoints;
  std::int64_t split_samples = 0;  // rows of a class that a split is chosen on; 0: all
  CategoricalSplit categorical_split = CategoricalSplit::kSubset;
  // Nodes whose subtrees would all be collapsed (model/prune/collapse.hpp) are not split; known
  // where leaves are shrunk: `keep` is the part of a change of class fractions that children keep.
  double collapse = 0;
  double leaf_strength = 0;
  double (*keep)(double weight, double strength) = nullptr;
  std::vector<std::int32_t> monotonic;  // -1, 0 or 1 for each feature; empty: no constraints
  std::uint64_t seed = 0;
  std::uint64_t tree_index = 0;
  bool sort_only = false;                   // the plain search: sort, score every cut
  const std::atomic<bool>* stop = nullptr;  // growing ends early when it becomes true

  void check_stop() const { throw_if_stopped(stop); }

  // Is a child of this size allowed?
  bool allows(double rows, double weight) const {
    return rows >= static_cast<double>(min_samples_leaf) && rows > 0 && weight >= min_weight_leaf;
  }
  // The bound does not hold for values that constraints have changed.
  bool skips() const { return collapse > 0 && keep && monotonic.empty(); }
  bool uses_landmarks() const { return plane_dim > 1 && plane_kind == PlaneKind::kBetween; }
  bool limits_leaves() const { return min_samples_leaf > 1 || min_weight_leaf > 0; }
};

}  // namespace rarewood

// A candidate way to split a node, and the split that is made of the best one.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/types.hpp"

namespace rarewood {

enum class CutKind : std::uint8_t {
  kNumeric,      // left: code < bin, or code == bin and x below `value`
  kThreshold,    // left: x <= value, as drawn
  kPlane,        // left: the sum of the `bin`-th hyperplane of the node <= value
  kPresent,      // left: every present value; right: the missing ones
  kOneCategory,  // left: category `bin`
  kOrdered,      // left: the first `value` categories in the order of class `bin`
  kSubset,       // left: the `bin`-th random subset
  kMultiway,     // a child for each category
};

struct Cut {
  std::int32_t feature = -1;
  std::int32_t bin = 0;
  double value = std::numeric_limits<double>::infinity();
  CutKind kind = CutKind::kNumeric;
  bool includes_value = true;  // x == value goes left
  bool missing_left = false;
  std::int8_t order = 0;  // of the children of a hyperplane (search/monotonic.hpp)

  // Lowest feature, then lowest cut; missing values go right when both sides are as good.
  friend bool operator<(const Cut& a, const Cut& b) {
    if (a.feature != b.feature) return a.feature < b.feature;
    const bool a_last = a.kind == CutKind::kPresent, b_last = b.kind == CutKind::kPresent;
    if (a_last != b_last) return b_last;
    if (a.bin != b.bin) return a.bin < b.bin;
    if (a.value != b.value) return a.value < b.value;
    if (a.includes_value != b.includes_value) return b.includes_value;
    return b.missing_left && !a.missing_left;
  }
};

struct CategoryRoute {
  std::int32_t category;
  std::int32_t child;
};

// Part of a hyperplane: left is where the sum of weight * x[feature] <= threshold.
struct PlaneTerm {
  std::int32_t feature;
  double weight;
};

// The chosen split, ready for partition and for the tree.
struct Split {
  Cut cut;
  double gain = 0;
  double threshold = std::numeric_limits<double>::quiet_NaN();
  int code = -1;            // found by codes: those below go left, those above right
  bool is_edge = false;     // the code itself goes left as a whole; else its values are compared
  int n_children = 0;       // 0: the node stays a leaf
  bool is_sampled = false;  // chosen on a sample of the node: gain and children are estimates
  int missing_child = -1;   // -1: none seen, the larger child will take them
  std::vector<CategoryRoute> categories;  // categorical: sorted by category
  std::vector<PlaneTerm> plane;           // hyperplane: its terms
  const double* keys = nullptr;  // what to compare with the threshold, of the node's rows in their
                                 // order, where the search has it at hand; valid until the next

  bool exists() const { return n_children > 0; }
  bool is_categorical() const { return !categories.empty(); }
  bool is_plane() const { return !plane.empty(); }
};

}  // namespace rarewood

// Monotonic constraints in the search: a split is a candidate only if the class fractions of its
// children have the order that its features ask for.
//
// Of two classes. Fractions are not smoothed: the strength may be chosen after growth, and the
// values of nodes are bounded in any case (model/monotonic.hpp). The fast search stays exact: a
// convex criterion is least where both children have the same fractions, so along a run of rows of
// one class the best of the cuts in order is at an end of the run, and the bounds of boxes hold for
// fewer cuts.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/monotonic.hpp"
#include "search/cut.hpp"
#include "search/node.hpp"

namespace rarewood {

// Does a cut with these counts of the two classes on the left have the order? Quotients, unlike
// products, do not overflow, and those of equal fractions are equal.
inline bool is_in_order(int order, const double* left, const double* totals) {
  if (order == 0) return true;
  const double of_first = left[0] / totals[0], of_second = left[1] / totals[1];
  return order > 0 ? of_second <= of_first : of_second >= of_first;
}

// The order of a cut of one feature.
inline int order_of(const std::vector<std::int32_t>& monotonic, const Cut& cut) {
  switch (cut.kind) {
    case CutKind::kNumeric:
    case CutKind::kThreshold:
      return monotonic[static_cast<std::size_t>(cut.feature)];
    case CutKind::kPlane:
      return cut.order;
    default:
      return 0;  // categories have none, and present values are all on one side
  }
}

// The order of a hyperplane whose terms agree; 0 without constraints.
inline std::int8_t order_of(const std::vector<std::int32_t>& monotonic,
                            std::span<const PlaneTerm> terms) {
  for (const PlaneTerm& term : terms) {
    if (monotonic.empty()) return 0;
    const int order = order_of(monotonic[static_cast<std::size_t>(term.feature)], term.weight);
    if (order != 0) return static_cast<std::int8_t>(order);
  }
  return 0;
}

// Flips the sign of the entries of a drawn normal that contradict the first constrained one.
// Directions are symmetric, so what is left is drawn as before among the planes that agree.
template <class ConstraintOf>
void align(ConstraintOf&& constraint_of, std::vector<double>& normal) {
  int first = 0;
  for (std::size_t j = 0; j < normal.size(); ++j) {
    const int order = order_of(constraint_of(j), normal[j]);
    if (first == 0) first = order;
    if (order != 0 && order != first) normal[j] = -normal[j];
  }
}

// Do the children of a split, which has been made, have its order?
inline bool is_in_order(const std::vector<std::int32_t>& monotonic, const Split& split,
                        const std::vector<Node>& children) {
  if (monotonic.empty()) return true;
  double counts[2][2] = {};
  for (std::size_t child = 0; child < 2; ++child) {
    const Node& node = children[child];
    for (std::size_t s = 0; s < node.segments.size(); ++s) {
      counts[child][node.segments[s].of_class] = node.totals[s];
    }
  }
  const double totals[2] = {counts[0][0] + counts[1][0], counts[0][1] + counts[1][1]};
  return is_in_order(order_of(monotonic, split.cut), counts[0], totals);
}

}  // namespace rarewood

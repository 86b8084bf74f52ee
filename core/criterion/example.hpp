// How to add a criterion: copy this file, change the three formulas, add one line to registry.cpp:
//
//   {"misclassification", "Decrease of the training error.", "where it comes from",
//    make<RuleCriterion<Misclassification>>},
//
// It then works in every tree, with any number of classes and children, with weights, missing
// values and nominal columns. Give its formula to tests/oracle too (criteria.py, bulk.py and
// cases.py), and every law in tests/laws is run on it. (This one is not in the registry because it
// is a poor criterion: it sees no gain where the majority stays the same.)
#pragma once

#include <algorithm>

#include "criterion/marginals.hpp"
#include "criterion/rule.hpp"

namespace rarewood {

struct Misclassification {
  // It is convex in the counts of a child, so the corners of a box bound it. It is also flat along
  // many runs of one class, where the rule for ties wants the first cut: so it must not skip the
  // inside of runs. Most criteria are strictly convex there and say {}. If yours is not convex, say
  // {.boundary = false, .bounded = false}: slower, and still exact.
  static constexpr CriterionTraits kTraits{.boundary = false, .bounded = true};

  // 1. The value of a table: careful, for any number of children and classes. No row and no column
  //    of the table is empty. `Marginals` has the sums, and differences that keep their digits.
  static double value(const CountTable& table) {
    const Marginals m(table);
    double right = 0, right_before = 0;  // rows that the majority vote gets right
    for (int v = 0; v < table.n_children; ++v) {
      right += *std::max_element(table.child(v), table.child(v) + table.n_classes);
    }
    for (int j = 0; j < table.n_classes; ++j) right_before = std::max(right_before, m.of_class(j));
    return (right - right_before) / m.total();
  }

  // 2. A quick stand-in for two-way cuts at one node, built once per node: any increasing function
  //    of the value, up to 1e-10. Here the value without the parent's constant part.
  struct Screen : AdditiveScreen<Screen> {
    double scale;
    Screen(const Misclassification&, const double* totals, int k) : scale(1.0 / sum(totals, k)) {}

    // 3. What one child adds. No branches: the loop over candidates becomes vector code.
    template <int K>
    double child(const ChildCounts<K>& c) const {
      double most = 0;
      for (int j = 0; j < c.size(); ++j) most = c[j] > most ? c[j] : most;
      return most * scale;
    }
  };
};

}  // namespace rarewood

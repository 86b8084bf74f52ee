// How to add a criterion: copy this file, change the formulas, add one line to registry.cpp:
//
//   entry<RuleCriterion<Tsallis>>("tsallis", "one sentence", "where it was published"),
//
// It then works in every tree, with any number of classes and children, with weights, missing
// values and categorical features; Python, model files and documentation read its parameters from
// the registry. Give its formula to tests/oracle too (criteria.py, bulk.py and cases.py), and every
// law of tests/criterion is run on it. (This one is compiled and tested, but not offered to users:
// order 2 is Gini, and order 1 is entropy.)
#pragma once

#include <cmath>

#include "criterion/fast_math.hpp"
#include "criterion/marginals.hpp"
#include "criterion/parameters.hpp"
#include "criterion/rule.hpp"

namespace rarewood {

// Decrease of the Tsallis entropy (1 - sum_j p_j^q) / (q - 1).
struct Tsallis {
  // 1. The parameters, checked before the constructor runs. A criterion without parameters has
  //    neither of these.
  static std::vector<Parameter> parameters() {
    return {number_parameter("order", "Order q of the entropy.", 2.0, 1.1, 4.0)};
  }
  explicit Tsallis(const ParameterValues& values) : q(values.number("order")) {}

  // 2. It is strictly convex in the counts of a child, so only cuts between classes matter, and the
  //    corners of a box bound it. If yours is flat along runs of one class, set {.boundary =
  //    false}; if it is not convex, also {.bounded = false}: slower, and still exact.
  static constexpr CriterionTraits kTraits{};

  // 3. The value of a table, for any number of children and classes. No row and no column of the
  //    table is empty. `Marginals` has the sums, and differences that keep their digits.
  double value(const CountTable& table) const {
    const Marginals m(table);
    double gain = 0;
    for (int j = 0; j < table.n_classes; ++j) {
      double in_children = 0;
      for (int v = 0; v < table.n_children; ++v) {
        in_children += m.fraction(v) * std::pow(table.at(v, j) / m.child(v), q);
      }
      gain += in_children - std::pow(m.of_class(j) / m.total(), q);
    }
    return gain / (q - 1);
  }

  // 4. A quick stand-in for two-way cuts of one node, built once per node: any increasing function
  //    of the value, up to 1e-10. Here the value without the parent's constant part.
  struct Screen : AdditiveScreen<Screen> {
    double q, scale;
    Screen(const Tsallis& rule, const double* totals, int k)
        : q(rule.q), scale(1.0 / sum(totals, k)) {}

    // 5. The contribution of one child. No branches: the loop over candidates becomes vector code.
    template <int K>
    double child(const ChildCounts<K>& c) const {
      const double inverse = 1.0 / (c.total > 1e-300 ? c.total : 1e-300);
      double powers = 0;
      for (int j = 0; j < c.size(); ++j) powers += fast::pow(c[j] * inverse, q);
      return scale * c.total * powers;
    }
  };

  double q;
};

}  // namespace rarewood

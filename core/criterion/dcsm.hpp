// Distinct class based splitting measure (Chandra, Kothari & Paul 2010), negated so that higher
// is better: - sum_v (N_v/N) D_v exp(D_v) sum_j p_vj exp((D_v/D_u)(1 - p_vj^2)), D = number of
// classes present in the child (v) and in the parent (u). An absent class contributes nothing.
// Not zero-based: a pure node has the value -e.
#pragma once

#include <cmath>

#include "criterion/fast_math.hpp"
#include "criterion/marginals.hpp"
#include "criterion/rule.hpp"

namespace rarewood {

struct Dcsm {
  // Convex while the classes present do not change, and losing one only raises it: the largest
  // value of a run and of a box is still found at their ends and corners.
  static constexpr CriterionTraits kTraits{};

  static double value(const CountTable& table) {
    const Marginals m(table);
    double value = 0;
    for (int v = 0; v < table.n_children; ++v) {
      double present = 0, inner = 0;
      for (int j = 0; j < table.n_classes; ++j) present += table.at(v, j) > 0;
      for (int j = 0; j < table.n_classes; ++j) {
        const CellView x = m.cell(v, j);
        const double total = x.a + x.b;
        const double impurity = (x.b / total) * (1 + x.a / total);  // 1 - p^2
        inner += x.a / total * std::exp(present / table.n_classes * impurity);
      }
      value -= m.fraction(v) * present * std::exp(present) * inner;
    }
    return value;
  }

  struct Screen : AdditiveScreen<Screen> {
    double scale;  // keeps the screening value within [-1, 0]
    double classes;

    Screen(const Dcsm&, const double* totals, int k)
        : scale(-1.0 / (sum(totals, k) * k)), classes(k) {}

    template <int K>
    double child(const ChildCounts<K>& c) const {
      double present = 0, inner = 0;
      for (int j = 0; j < c.size(); ++j) present += c[j] > 0 ? 1.0 : 0.0;
      const double inverse = 1.0 / (c.total > 1e-300 ? c.total : 1e-300);
      const double ratio = present / classes;
      for (int j = 0; j < c.size(); ++j) {
        const double p = c[j] * inverse;
        inner += p * fast::exp(ratio * (1 - p * p) - 1);
      }
      return scale * c.total * present * fast::exp(present - classes) * inner;
    }
  };
};

}  // namespace rarewood

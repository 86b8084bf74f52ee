// Gini gain: G(parent) - sum_v (N_v / N) G(v), G = 1 - sum_j p_j^2.
#pragma once

#include "criterion/marginals.hpp"
#include "criterion/rule.hpp"

namespace rarewood {

struct Gini {
  static constexpr CriterionTraits kTraits{};

  // The gain is the weighted squared distance of the children from the parent.
  static double value(const CountTable& table) {
    const Marginals m(table);
    double gain = 0;
    for (int v = 0; v < table.n_children; ++v) {
      for (int j = 0; j < table.n_classes; ++j) {
        const double difference = (m.of_class(j) / m.total()) * m.deviation(v, j);
        gain += m.fraction(v) * difference * difference;
      }
    }
    return gain;
  }

  struct Screen : AdditiveScreen<Screen> {
    double scale;
    Screen(const Gini&, const double* totals, int k) : scale(1.0 / sum(totals, k)) {}

    template <int K>
    double child(const ChildCounts<K>& c) const {
      double squares = 0;
      for (int j = 0; j < c.size(); ++j) squares += c[j] * c[j];
      return scale * squares / (c.total > 1e-300 ? c.total : 1e-300);
    }
  };
};

}  // namespace rarewood

// Inter-node Hellinger distance (iHD): sum_v (N_v / N) (1 - sum_j sqrt(p_vj p_j)), the distance of
// the children from the parent. Not invariant to scaling a class.
#pragma once

#include <cmath>

#include "criterion/marginals.hpp"
#include "criterion/rule.hpp"

namespace rarewood {

// 1 - sum_j sqrt(p_vj p_j) for one child, as half the squared distance of the roots.
inline double root_distance(const CountTable& table, const Marginals& m, int v) {
  double distance = 0;
  for (int j = 0; j < table.n_classes; ++j) {
    const double deviation = m.deviation(v, j);
    const double root = deviation / (1 + std::sqrt(1 + deviation));  // sqrt(1 + deviation) - 1
    distance += 0.5 * (m.of_class(j) / m.total()) * root * root;
  }
  return distance;
}

struct Ihd {
  static constexpr CriterionTraits kTraits{};

  static double value(const CountTable& table) {
    const Marginals m(table);
    double value = 0;
    for (int v = 0; v < table.n_children; ++v) value += m.fraction(v) * root_distance(table, m, v);
    return value;
  }

  struct Screen : AdditiveScreen<Screen> {
    double scale;   // 1 / N
    PerClass root;  // sqrt(N_j) / N

    Screen(const Ihd&, const double* totals, int k)
        : scale(1.0 / sum(totals, k)),
          root(k, [&](int j) { return std::sqrt(totals[j]) * scale; }) {}

    template <int K>
    double child(const ChildCounts<K>& c) const {
      double coefficient = 0;
      for (int j = 0; j < c.size(); ++j) coefficient += std::sqrt(c[j]) * root.at<K>(j);
      return c.total * scale - std::sqrt(c.total * scale) * coefficient;
    }
  };
};

}  // namespace rarewood

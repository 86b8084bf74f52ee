// CCP with the weights of Algorithm 2 of CCPDT, for reproduction: sum_v (N_v / N) (I(1/k, ...) -
// I(c_v)), where c_v are the class confidence proportions of child v as in ccp.hpp. Equation 3.16
// weights a child by its rates; the counts make the value depend on the sizes of the classes.
#pragma once

#include <vector>

#include "criterion/ccp.hpp"

namespace rarewood {

// I(uniform) - I(c) of a child, from the deviations k c_j - 1; every term is >= 0.
inline double below_uniform(const Entropy&, double deviation, int k) {
  return information(deviation) / k;
}
inline double below_uniform(const Gini&, double deviation, int k) {
  return deviation * deviation / (static_cast<double>(k) * k);
}

template <class Base>
struct CcpCounts {
  // The weight of a child is not the sum of its rates, so its term is not convex in its counts: a
  // cut inside a run of one class, or inside a bin, can be better than both ends.
  static constexpr CriterionTraits kTraits{.boundary = false, .bounded = false};

  static double value(const CountTable& table) {
    const int k = table.n_classes;
    const Marginals counts(table);
    const std::vector<double> rates = rates_of(table, counts);
    const Marginals m({rates.data(), table.n_children, k});
    double value = 0;
    for (int v = 0; v < table.n_children; ++v) {
      double term = 0;
      for (int j = 0; j < k; ++j) term += below_uniform(Base{}, m.deviation(v, j), k);
      value += counts.fraction(v) * term;
    }
    return value;
  }

  struct Screen : AdditiveScreen<Screen> {
    typename Ccp<Base>::Screen by_rates;
    double scale;

    Screen(const CcpCounts&, const double* totals, int k)
        : by_rates(Ccp<Base>{}, totals, k), scale(k / sum(totals, k)) {}

    // The term of equation 3.16 has the weight R_v / k, R_v the sum of the rates.
    template <int K>
    double child(const ChildCounts<K>& c) const {
      double rates = 0;
      for (int j = 0; j < c.size(); ++j) rates += c[j] * by_rates.inverse.template at<K>(j);
      return by_rates.child(c) * scale * c.total / (rates > 1e-300 ? rates : 1e-300);
    }
  };
};

}  // namespace rarewood

// Information gain: H(parent) - sum_v (N_v / N) H(v).
#pragma once

#include <cmath>

#include "criterion/fast_math.hpp"
#include "criterion/marginals.hpp"
#include "criterion/rule.hpp"

namespace rarewood {

// (1 + d) ln(1 + d) - d, accurate near 0 where its two terms cancel.
inline double information(double d) {
  if (d <= -1) return 1.0;
  if (std::abs(d) < 1e-2) {
    // sum_{i >= 2} (-1)^i d^i / (i (i - 1))
    double term = d * d, total = 0;
    for (int i = 2; i < 11; ++i, term *= -d) total += term / (i * (i - 1.0));
    return total;
  }
  return (1 + d) * std::log1p(d) - d;
}

struct Entropy {
  static constexpr CriterionTraits kTraits{};

  // Summed over the deviations from the parent, every term is >= 0: nothing cancels.
  static double value(const CountTable& table) {
    const Marginals m(table);
    double gain = 0;
    for (int v = 0; v < table.n_children; ++v) {
      for (int j = 0; j < table.n_classes; ++j) {
        gain += m.share(v) * (m.of_class(j) / m.total()) * information(m.deviation(v, j));
      }
    }
    return gain;
  }

  // minus the weighted entropy of the children
  struct Screen : AdditiveScreen<Screen> {
    double scale;
    Screen(const Entropy&, const double* totals, int k) : scale(1.0 / sum(totals, k)) {}

    template <int K>
    double child(const ChildCounts<K>& c) const {
      double value = -fast::xlogx(c.total * scale);
      for (int j = 0; j < c.size(); ++j) value += fast::xlogx(c[j] * scale);
      return value;
    }
  };
};

}  // namespace rarewood

// DKM gain (Dietterich, Kearns & Mansour 1996): K(parent) - sum_v (N_v / N) K(v),
// K = sum_j sqrt(p_j (1 - p_j)).
//
// One class against the rest contributes sqrt(p (1 - p)) / 2 times its squared Hellinger
// distance, so for two classes DKM and Hellinger always choose the same split.
#pragma once

#include "criterion/hellinger.hpp"

namespace rarewood {

struct Dkm {
  static constexpr CriterionTraits kTraits{};

  static double value(const CountTable& table) {
    const Marginals m(table);
    double gain = 0;
    for (int j = 0; j < table.n_classes; ++j) {
      const CellView x = m.cell(0, j);
      const double spread = std::sqrt((x.a + x.c) * (x.b + x.d)) / m.total();
      gain += 0.5 * spread * squared_hellinger(table, m, j);
    }
    return gain;
  }

  struct Screen : AdditiveScreen<Screen> {
    double scale;
    Screen(const Dkm&, const double* totals, int k) : scale(-1.0 / sum(totals, k)) {}

    template <int K>
    double child(const ChildCounts<K>& c) const {
      if constexpr (K == 2) return 2 * scale * std::sqrt(c[0] * c[1]);
      double spread = 0;
      for (int j = 0; j < c.size(); ++j) spread += std::sqrt(c[j] * (c.total - c[j]));
      return scale * spread;
    }
  };
};

}  // namespace rarewood

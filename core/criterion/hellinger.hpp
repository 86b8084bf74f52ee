// Hellinger distance between the classes' distributions over the children (HDDT, eq. 3):
// sqrt(sum_v (sqrt(N_v+ / N_+) - sqrt(N_v- / N_-))^2); with more classes the largest distance of
// one class from the rest. Invariant to scaling the counts of a class (two classes).
#pragma once

#include <algorithm>
#include <cmath>

#include "criterion/marginals.hpp"
#include "criterion/rule.hpp"

namespace rarewood {

// Squared distance of class j from the rest.
inline double squared_hellinger(const CountTable& table, const Marginals& m, int j) {
  double squared = 0;
  for (int v = 0; v < table.n_children; ++v) {
    const CellView x = m.cell(v, j);
    const double own = x.a + x.c, rest = x.b + x.d;
    if (!(own > 0) || !(rest > 0)) return 0.0;
    const double rates = std::sqrt(x.a / own) + std::sqrt(x.b / rest);
    if (!(rates > 0)) continue;
    const double difference = determinant(x.a, x.b, x.c, x.d) / own / rest / rates;
    squared += difference * difference;
  }
  return squared;
}

struct Hellinger {
  static constexpr CriterionTraits kTraits{};

  static double value(const CountTable& table) {
    const Marginals m(table);
    const int n_pairs = table.n_classes == 2 ? 1 : table.n_classes;  // both views are the same
    double largest = 0;
    for (int j = 0; j < n_pairs; ++j) largest = std::max(largest, squared_hellinger(table, m, j));
    return std::sqrt(largest);
  }

  // Minus the smallest Bhattacharyya coefficient: the squared distance is 2 - 2 * coefficient.
  struct Screen {
    PerClass scale;  // 1 / sqrt(N_j (N - N_j))

    Screen(const Hellinger&, const double* totals, int k)
        : scale(k, [total = sum(totals, k), totals](int j) {
            return 1.0 / std::sqrt(totals[j] * (total - totals[j]));
          }) {}

    template <int K>
    double cut(const ChildCounts<K>& left, const ChildCounts<K>& right) const {
      if constexpr (K == 2) {
        return -scale.at<2>(0) * (std::sqrt(left[0] * left[1]) + std::sqrt(right[0] * right[1]));
      } else {
        double best = -1e300;
        for (int j = 0; j < left.size(); ++j) {
          const double coefficient = std::sqrt(left[j] * (left.total - left[j])) +
                                     std::sqrt(right[j] * (right.total - right[j]));
          const double value = -coefficient * scale.at<K>(j);
          best = value > best ? value : best;
        }
        return best;
      }
    }
  };
};

}  // namespace rarewood

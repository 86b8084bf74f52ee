// Weighted iHD (iHDw): sum_v (N_v / N) (1 - sum_j sqrt(p_vj p_j)) w_v, w_v = 1 - prod_j N_vj/N_j
// over the classes present. Only w_v is invariant to scaling a class; the whole is not.
#pragma once

#include "criterion/ihd.hpp"

namespace rarewood {

struct Ihdw {
  // The weight makes it non-convex: every cut must be looked at, and a box is bounded with each
  // child's weight taken where it is largest.
  static constexpr CriterionTraits kTraits{.boundary = false, .bounded = true};

  static double value(const CountTable& table) {
    const Marginals m(table);
    double value = 0;
    for (int v = 0; v < table.n_children; ++v) {
      double log_product = 0;  // of the rates N_vj / N_j
      bool has_all = true;
      for (int j = 0; j < table.n_classes; ++j) {
        const CellView x = m.cell(v, j);
        if (x.a > 0) {
          log_product += log_fraction(x.a, x.c);
        } else {
          has_all = false;
        }
      }
      const double weight = has_all ? -std::expm1(log_product) : 1.0;
      value += m.fraction(v) * root_distance(table, m, v) * weight;
    }
    return value;
  }

  struct Screen : AdditiveScreen<Screen> {
    Ihd::Screen distance;
    PerClass inverse;  // 1 / N_j

    Screen(const Ihdw&, const double* totals, int k)
        : distance(Ihd{}, totals, k), inverse(k, [&](int j) { return 1.0 / totals[j]; }) {}

    template <int K>
    double weight(const ChildCounts<K>& c) const {
      double product = 1;
      for (int j = 0; j < c.size(); ++j) product *= c[j] * inverse.at<K>(j);
      return 1 - product;
    }

    template <int K>
    double child(const ChildCounts<K>& c) const {
      return distance.child(c) * weight(c);
    }

    // The left child's weight falls as it grows, so it is largest at the lower end of the box;
    // the right child's is largest at the upper end.
    template <int K>
    double bound(const ChildCounts<K>& left, const ChildCounts<K>& right,
                 const ChildCounts<K>& lower_left, const ChildCounts<K>& upper_right) const {
      return distance.child(left) * weight(lower_left) +
             distance.child(right) * weight(upper_right);
    }
  };
};

}  // namespace rarewood

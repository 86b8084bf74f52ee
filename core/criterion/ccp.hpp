// Class confidence proportion (CCPDT): a plain gain on the node reweighted to equal class
// totals. Rates r_vj = N_vj / N_j, so the parent is uniform, child v has the weight sum_j r_vj / k
// and has the fractions r_vj / sum_i r_vi. Exactly invariant to scaling the counts of a class.
#pragma once

#include <vector>

#include "criterion/entropy.hpp"
#include "criterion/gini.hpp"
#include "criterion/hellinger.hpp"

namespace rarewood {

// N_vj / N_j, child by child.
inline std::vector<double> rates_of(const CountTable& table, const Marginals& m) {
  std::vector<double> rates(table.cells, table.cells + table.n_children * table.n_classes);
  for (int v = 0; v < table.n_children; ++v) {
    for (int j = 0; j < table.n_classes; ++j) rates[v * table.n_classes + j] /= m.of_class(j);
  }
  return rates;
}

template <class Base>
struct Ccp {
  static constexpr CriterionTraits kTraits{};

  static double value(const CountTable& table) {
    const std::vector<double> rates = rates_of(table, Marginals(table));
    return Base::value({rates.data(), table.n_children, table.n_classes});
  }

  struct Screen {
    typename Base::Screen base;
    PerClass inverse;  // 1 / N_j

    Screen(const Ccp&, const double* totals, int k)
        : base(Base{}, std::vector<double>(static_cast<std::size_t>(k), 1.0).data(), k),
          inverse(k, [&](int j) { return 1.0 / totals[j]; }) {}

    template <int K>
    double child(const ChildCounts<K>& c) const {
      double rates[K ? K : 1];
      std::vector<double> many(K ? 0 : static_cast<std::size_t>(c.k));
      double* r = K ? rates : many.data();
      double total = 0;
      for (int j = 0; j < c.size(); ++j) {
        r[j] = c[j] * inverse.at<K>(j);
        total += r[j];
      }
      return base.child(ChildCounts<K>{r, c.k, total});
    }

    template <int K>
    double cut(const ChildCounts<K>& left, const ChildCounts<K>& right) const {
      return child(left) + child(right);
    }
  };
};

// CCPDT breaks ties by the larger Hellinger distance.
template <class Rule>
class CcpCriterion final : public RuleCriterion<Rule> {
 protected:
  double tie_value(const CountTable& table) const override { return Hellinger::value(table); }
};

}  // namespace rarewood

// Turns a rule, a small struct of formulas, into a Criterion.
//
// A rule has `value(table)` and a `Screen`, built once per node from the class totals, whose
// `child<K>(counts, k, total)` gives the contribution of one child to the screening value. The
// loops over candidates are written here once.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/multiversion.hpp"
#include "criterion/criterion.hpp"
#include "criterion/parameters.hpp"

namespace rarewood {

// The counts of one child. K is the number of classes when the compiler knows it, otherwise 0.
template <int K>
struct ChildCounts {
  const double* n;
  int k;
  double total;

  int size() const { return K ? K : k; }
  double operator[](int j) const { return n[j]; }
};

// A constant for each class of the node. Few classes stay inside the object, where the compiler
// can keep them in registers; many go to the heap.
class PerClass {
 public:
  template <class Formula>
  PerClass(int k, Formula&& formula) {
    if (k > 3) many_.resize(k);
    for (int j = 0; j < k; ++j) (k > 3 ? many_.data() : few_.data())[j] = formula(j);
  }

  template <int K>
  double at(int j) const {
    return K || many_.empty() ? few_[j] : many_[j];
  }

 private:
  std::array<double, 3> few_{};
  std::vector<double> many_;
};

// A rule whose screening value is the sum over the two children inherits from this.
template <class Derived>
struct AdditiveScreen {
  template <int K>
  double cut(const ChildCounts<K>& left, const ChildCounts<K>& right) const {
    const auto& self = static_cast<const Derived&>(*this);
    return self.child(left) + self.child(right);
  }
};

template <class Screen>
concept HasOwnBound = requires(const Screen& s, const ChildCounts<2>& c) { s.bound(c, c, c, c); };

namespace detail {

// Counts of K classes in the loop's own variables, or of k classes in borrowed space.
template <int K>
struct Counts {
  double own[K];
  explicit Counts(double*) {}
  double* n() { return own; }
};
template <>
struct Counts<0> {
  double* borrowed;
  explicit Counts(double* space) : borrowed(space) {}
  double* n() { return borrowed; }
};

template <int K>
ChildCounts<K> load_child(const double* at, std::size_t stride, int k, double* n) {
  double total = 0;
  for (int j = 0; j < (K ? K : k); ++j) {
    n[j] = at[static_cast<std::size_t>(j) * stride];
    total += n[j];
  }
  return {n, k, total};
}

// The other side of a cut. Weighted counts may leave a rounding error below zero: an empty class.
template <int K>
ChildCounts<K> load_rest(const double* totals, const ChildCounts<K>& left, double* n) {
  double total = 0;
  for (int j = 0; j < left.size(); ++j) {
    const double rest = totals[j] - left[j];
    n[j] = rest > 0 ? rest : 0;
    total += n[j];
  }
  return {n, left.k, total};
}

// The screen is taken by value: a local object cannot be changed through `out`, so its constants
// stay in registers. Flattened, so that the loop has no call and can become vector code; without
// contraction the vector width does not change a result.
template <int K, class Screen>
RAREWOOD_MULTIVERSION [[gnu::flatten]] void screen_loop(const Screen screen, const CutBatch batch,
                                                        double* scratch, double* __restrict out) {
  const int k = batch.n_classes;
  for (std::size_t i = 0; i < batch.n; ++i) {
    Counts<K> left(scratch), right(scratch + k);
    const ChildCounts<K> on_left = load_child<K>(batch.left + i, batch.stride, k, left.n());
    out[i] = screen.cut(on_left, load_rest<K>(batch.totals, on_left, right.n()));
  }
}

// As above for corners of boxes, with the counts at the box's two ends beside the corner.
template <int K, class Screen>
[[gnu::flatten]] void bound_loop(const Screen screen, const CutBatch batch, double* scratch,
                                 double* __restrict out) {
  const int k = batch.n_classes;
  for (std::size_t i = 0; i < batch.n; ++i) {
    Counts<K> left(scratch), right(scratch + k), lower(scratch + 2 * k), upper(scratch + 3 * k),
        beyond(scratch + 4 * k);
    const ChildCounts<K> on_left = load_child<K>(batch.left + i, batch.stride, k, left.n());
    const ChildCounts<K> at_upper = load_child<K>(batch.upper + i, batch.stride, k, upper.n());
    out[i] = screen.bound(on_left, load_rest<K>(batch.totals, on_left, right.n()),
                          load_child<K>(batch.lower + i, batch.stride, k, lower.n()),
                          load_rest<K>(batch.totals, at_upper, beyond.n()));
  }
}

}  // namespace detail

// Runs one screen over a batch, with the number of classes fixed for the common cases.
template <class Screen>
void run_screen(const Screen& screen, const CutBatch& batch, double* out) {
  auto run = [&]<int K>(double* scratch) {
    if constexpr (HasOwnBound<Screen>) {
      if (batch.lower) return detail::bound_loop<K>(screen, batch, scratch, out);
    }
    detail::screen_loop<K>(screen, batch, scratch, out);
  };
  switch (batch.n_classes) {
    case 2:
      return run.template operator()<2>(nullptr);
    case 3:
      return run.template operator()<3>(nullptr);
    default: {
      std::vector<double> scratch(5 * static_cast<std::size_t>(batch.n_classes));
      return run.template operator()<0>(scratch.data());
    }
  }
}

// A rule that has several screens chooses one itself.
template <class Rule>
concept ChoosesScreen =
    requires(const Rule& r, const CutBatch& b, double* out) { r.screen(b, out); };

// A rule with parameters declares them in `parameters()` and is constructed from their values.
template <class Rule>
class RuleCriterion : public Criterion {
 public:
  RuleCriterion() = default;
  explicit RuleCriterion(const ParameterValues& values)
    requires(!std::is_default_constructible_v<Rule>)
      : rule_(values) {}

  static std::vector<Parameter> parameters()
    requires(!std::is_default_constructible_v<Rule>)
  {
    return Rule::parameters();
  }

  CriterionTraits traits() const override { return Rule::kTraits; }

 protected:
  double value(const CountTable& table) const override { return rule_.value(table); }
  void screen_values(const CutBatch& batch, double* out) const override {
    if constexpr (ChoosesScreen<Rule>) {
      rule_.screen(batch, out);
    } else {
      run_screen(typename Rule::Screen(rule_, batch.totals, batch.n_classes), batch, out);
    }
  }

 private:
  Rule rule_;
};

inline double sum(const double* n, int k) {
  double total = 0;
  for (int j = 0; j < k; ++j) total += n[j];
  return total;
}

}  // namespace rarewood

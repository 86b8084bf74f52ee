// Alpha divergence of the children from a reference (BEAT): sum_v (N_v/N) D_a(p_v || q),
// D_a = sum_j (a p + (1-a) q - p^a q^(1-a)) / (a (1-a)), with its limits at a = 0 and a = 1.
// The reference q is the parent's distribution (`prior`), the uniform one over the classes
// present, or the `complement` (1 - p_vj) / (k - 1).
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "criterion/entropy.hpp"

namespace rarewood {

enum class Reference { kPrior, kUniform, kComplement };

// One class's term of D_a for p = q (1 + d); `log_ratio` is ln(p / q).
// Written through expm1, since the plain difference cancels near p = q and near a = 0 or 1.
inline double alpha_term(double a, double p, double q, double d, double log_ratio) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (p <= 0 && q <= 0) return 0.0;
  if (p <= 0) return a > 0 ? q / a : kInfinity;
  if (q <= 0) return a < 1 ? p / (1 - a) : kInfinity;
  if (a > 0.5) {  // D_a(p || q) = D_(1-a)(q || p)
    d *= -q / p;  // q = p (1 + d'); dividing by 1 + d would cancel
    std::swap(p, q);
    log_ratio = -log_ratio;
    a = 1 - a;
  }
  const double l = log_ratio;
  if (std::abs(d) < 1e-3) {  // series in d of (a d + 1 - (1 + d)^a) / (a (1 - a))
    double term = 0.5 * d * d, total = 0;
    for (int i = 2; i < 9; ++i) {
      total += term;
      term *= d * (a - i) / (i + 1);
    }
    return q * total;
  }
  if (std::abs(a) < 1e-9) return q * (d - l - 0.5 * a * l * l) / (1 - a);
  return q * (a * d - std::expm1(a * l)) / (a * (1 - a));
}

struct Alpha {
  double a;
  Reference reference;

  double value(const CountTable& table) const {
    const Marginals m(table);
    const int k = table.n_classes;
    if (k == 1) return 0.0;
    double value = 0;
    for (int v = 0; v < table.n_children; ++v) {
      double divergence = 0;
      for (int j = 0; j < k; ++j) divergence += term(m, v, j, k);
      value += m.fraction(v) * divergence;
    }
    return value;
  }

  double term(const Marginals& m, int v, int j, int k) const {
    const CellView x = m.cell(v, j);
    const double p = x.a / (x.a + x.b);
    double q = 0, d = 0;
    switch (reference) {
      case Reference::kPrior:
        q = m.of_class(j) / m.total();
        d = m.deviation(v, j);
        break;
      case Reference::kUniform:
        q = 1.0 / k;
        d = ((k - 1) * x.a - x.b) / (x.a + x.b);
        break;
      case Reference::kComplement:
        q = x.b / (x.a + x.b) / (k - 1);
        d = x.b > 0 ? ((k - 1) * x.a - x.b) / x.b : 0.0;
        break;
    }
    const double log_ratio = d > -0.5 ? std::log1p(d) : (p > 0 ? std::log(p) - std::log(q) : 0.0);
    return alpha_term(a, p, q, d, log_ratio);
  }

  // A pure child makes the value infinite.
  bool can_be_infinite() const { return a == 0 || (reference == Reference::kComplement && a >= 1); }

  // The part of the value that differs between cuts: - sum_v (N_v/N) sum_j p^a q^(1-a), times
  // the sign of a (1 - a).
  struct Screen : AdditiveScreen<Screen> {
    double a, scale;
    bool complement;
    PerClass reference_power;  // q_j^(1-a)

    Screen(const Alpha& rule, const double* totals, int k)
        : a(rule.a),
          scale((rule.a < 1 ? -1.0 : 1.0) / sum(totals, k)),
          complement(rule.reference == Reference::kComplement),
          reference_power(k, [&](int j) {
            const double q = rule.reference == Reference::kPrior ? totals[j] / sum(totals, k)
                             : complement                        ? 1.0 / (k - 1)
                                                                 : 1.0 / k;
            return std::pow(q, 1 - rule.a);
          }) {}

    template <int K>
    double child(const ChildCounts<K>& c) const {
      const double inverse = 1.0 / (c.total > 1e-300 ? c.total : 1e-300);
      double affinity = 0;
      for (int j = 0; j < c.size(); ++j) {
        const double p = c[j] * inverse;
        const double q_power = complement ? fast::pow((c.total - c[j]) * inverse, 1 - a) : 1.0;
        affinity += fast::pow(p, a) * q_power * reference_power.at<K>(j);
      }
      return scale * c.total * affinity;
    }
  };
};

class AlphaCriterion final : public Criterion {
 public:
  static std::vector<Parameter> parameters() {
    return {number_parameter("alpha",
                             "Order of the divergence; 1 is the Kullback-Leibler divergence (the "
                             "information gain, with the reference 'prior'), 1/2 the Hellinger "
                             "distance.",
                             0.5, 0.0, 2.0),
            choice_parameter("reference",
                             "Distribution that a child is compared with: that of its parent, the "
                             "uniform one, or the complement of its own.",
                             {"prior", "uniform", "complement"})};
  }
  explicit AlphaCriterion(const ParameterValues& values)
      : rule_{values.number("alpha"), values.choice("reference") == "prior" ? Reference::kPrior
                                      : values.choice("reference") == "uniform"
                                          ? Reference::kUniform
                                          : Reference::kComplement} {}

  CriterionTraits traits() const override {
    const bool is_finite = !rule_.can_be_infinite();  // infinities tie everywhere: skip nothing
    return {.boundary = is_finite, .bounded = is_finite};
  }

 protected:
  double value(const CountTable& table) const override { return rule_.value(table); }

  void screen_values(const CutBatch& batch, double* out) const override {
    if (rule_.can_be_infinite()) return screen_by_score(batch, out);
    if (rule_.a == 1) return Entropy::screen(batch, out);
    run_screen(Alpha::Screen(rule_, batch.totals, batch.n_classes), batch, out);
  }

 private:
  void screen_by_score(const CutBatch& batch, double* out) const {
    const auto k = static_cast<std::size_t>(batch.n_classes);
    std::vector<double> cells(2 * k);
    for (std::size_t i = 0; i < batch.n; ++i) {
      for (std::size_t j = 0; j < k; ++j) {
        cells[j] = batch.left[j * batch.stride + i];
        const double rest = batch.totals[j] - cells[j];
        cells[k + j] = rest > 0 ? rest : 0;
      }
      out[i] = score({cells.data(), 2, batch.n_classes});
    }
  }

  Alpha rule_;
};

}  // namespace rarewood

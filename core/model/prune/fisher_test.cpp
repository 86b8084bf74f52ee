#include "model/prune/fisher_test.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace rarewood {

namespace {

// Logarithms of factorials of 1e9 have an absolute error of 1e-6, which would be the relative error
// of a probability made of them. So probabilities are made of what factorials differ by from
// Stirling's formula, and of deviances, which are small where the probability is not (C. Loader,
// "Fast and accurate computation of binomial probabilities", 2000).

// ln z! - ln(sqrt(2 pi z) (z / e)^z) for whole numbers.
constexpr std::array<double, 16> kStirlingErrors{0,
                                                 0.08106146679532725822,
                                                 0.041340695955409294094,
                                                 0.027677925684998339149,
                                                 0.020790672103765093112,
                                                 0.016644691189821192163,
                                                 0.013876128823070747999,
                                                 0.011896709945891770095,
                                                 0.010411265261972096497,
                                                 0.0092554621827127329177,
                                                 0.0083305634333628712565,
                                                 0.007573675487951840795,
                                                 0.0069428401072095298657,
                                                 0.0064089941880042070684,
                                                 0.0059513701127588477356,
                                                 0.005554733551962801371};

// ... for any z. std::lgamma would write to a global variable, whatever thread calls it.
double stirling_error(double z) {
  constexpr auto kSmall = static_cast<double>(kStirlingErrors.size());
  if (z < kSmall && z == std::floor(z)) return kStirlingErrors[static_cast<std::size_t>(z)];
  double steps = 0;  // from z to one above the small ones
  for (; z < kSmall; ++z) steps += (z + 0.5) * std::log1p(1 / z) - 1;
  const double y = 1 / (z * z);
  return steps + (1.0 / 12 - y * (1.0 / 360 - y * (1.0 / 1260 - y * (1.0 / 1680 - y / 1188)))) / z;
}

// x ln(x / m) + m - x, without cancellation where x is near m.
double deviance(double x, double m) {
  if (x == 0) return m;
  const double difference = x - m, v = difference / (x + m);
  if (std::abs(v) >= 0.1) return x * std::log(x / m) - difference;
  double sum = difference * v, term = 2 * x * v;
  for (int j = 3;; j += 2) {
    term *= v * v;
    const double next = sum + term / j;
    if (next == sum) return sum;
    sum = next;
  }
}

// The distribution of the cell a with the margins of a table, also between whole numbers.
class Hypergeometric {
 public:
  explicit Hypergeometric(const RuleTable& t)
      : of_class_(static_cast<double>(t.a + t.b)),
        others_(static_cast<double>(t.c + t.d)),
        covered_(static_cast<double>(t.a + t.c)),
        all_(of_class_ + others_) {}

  double mean() const { return covered_ * (of_class_ / all_); }

  double variance() const {
    return mean() * (others_ / all_) * ((all_ - covered_) / std::max(all_ - 1, 1.0));
  }

  double highest() const { return std::min(of_class_, covered_); }

  // p(x + 1) / p(x).
  double ratio(double x) const {
    return (of_class_ - x) * (covered_ - x) / ((x + 1) * (others_ - covered_ + x + 1));
  }

  // d ln p / dx where all four cells are large.
  double slope(double x) const {
    const double a = x, b = of_class_ - x, c = covered_ - x, d = others_ - c;
    return std::log(b / a * (c / d)) - (1 / a - 1 / b - 1 / c + 1 / d) / 2;
  }

  double density(double x) const { return std::exp(log_density(x)); }

  double log_density(double x) const {
    if (covered_ == 0 || covered_ == all_) return 0;
    const double p = covered_ / all_, q = (all_ - covered_) / all_;
    return log_binomial(x, of_class_, p, q) + log_binomial(covered_ - x, others_, p, q) -
           log_binomial(covered_, all_, p, q);
  }

 private:
  static double log_binomial(double x, double n, double p, double q) {
    if (n == 0) return 0;
    if (x == 0) return -deviance(n, n * q) - n * p;
    if (x == n) return -deviance(n, n * p) - n * q;
    constexpr double kLogTwoPi = 1.837877066409345483560659472811;
    const double rest = n - x;
    return stirling_error(n) - stirling_error(x) - stirling_error(rest) - deviance(x, n * p) -
           deviance(rest, n * q) - 0.5 * (kLogTwoPi + std::log(x) + std::log1p(-x / n));
  }

  double of_class_, others_, covered_, all_;
};

// Sum of p(x), p(x + 1), ... term by term.
double sum_terms(const Hypergeometric& p, double x) {
  double term = 1, sum = 1;
  for (const double highest = p.highest(); x < highest; ++x) {
    term *= p.ratio(x);
    sum += term;
    if (term < 1e-18 * sum) break;
  }
  return sum;
}

// Nodes and weights of Gauss and Legendre on [-1, 1], those above zero.
constexpr std::array<double, 4> kNode{
    0.183434642495649804939476142360, 0.525532409916328985817739049189,
    0.796666477413626739591553936476, 0.960289856497536231683560868569};
constexpr std::array<double, 4> kWeight{
    0.362683783378361982965150449277, 0.313706645877887287337962201987,
    0.222381034453374470544355994426, 0.101228536290376259152531354310};

// The same sum, where it has many terms that change slowly, by the formula of Euler and Maclaurin.
// With terms that fall by a factor e over `length` places, what it leaves out is length^-4 / 720.
// The sum is that of terms divided by exp(log_unit).
double sum_smooth(const Hypergeometric& p, double x, double deviation, double log_unit) {
  const double slope = p.slope(x), steepness = std::max(0.0, -slope) * deviation;
  // ln p falls by at least steepness * s + s^2 / 2 over s deviations, so by 42 over this many.
  const double reach = deviation * 84 / (steepness + std::sqrt(steepness * steepness + 84));
  constexpr int kPanels = 24;
  const double half = std::min(reach, p.highest() - x) / (2 * kPanels);
  auto density = [&](double at) { return std::exp(p.log_density(at) - log_unit); };
  const double first = density(x);
  double integral = 0;
  for (int panel = 0; panel < kPanels; ++panel) {
    const double middle = x + half * (2 * panel + 1);
    for (std::size_t i = 0; i < kNode.size(); ++i) {
      const double step = half * kNode[i];
      integral += kWeight[i] * (density(middle - step) + density(middle + step));
    }
  }
  return integral * half + first / 2 - first * slope / 12;
}

// Whether the terms from x on change slowly.
bool is_smooth(const Hypergeometric& p, double x, double deviation) {
  constexpr double kSmooth = 64;
  return deviation > kSmooth && p.ratio(x) > 1 - 1 / kSmooth;
}

// P(A >= a) where a is not below the mean.
double upper_tail(const RuleTable& table) {
  const Hypergeometric p(table);
  const double x = static_cast<double>(table.a), deviation = std::sqrt(p.variance());
  if (is_smooth(p, x, deviation)) return sum_smooth(p, x, deviation, 0);
  return p.density(x) * sum_terms(p, x);
}

double log_upper_tail(const RuleTable& table) {
  const Hypergeometric p(table);
  const double x = static_cast<double>(table.a), deviation = std::sqrt(p.variance());
  const double log_first = p.log_density(x);
  const double sum =
      is_smooth(p, x, deviation) ? sum_smooth(p, x, deviation, log_first) : sum_terms(p, x);
  return log_first + std::log(sum);
}

}  // namespace

double fisher_p_value(const RuleTable& t) {
  if (t.a == 0 || t.d == 0) return 1;  // no table with these margins has a smaller a
  if (static_cast<double>(t.a) >= Hypergeometric(t).mean()) return std::min(1.0, upper_tail(t));
  // Below the mean the other tail is the smaller one: P(A <= a - 1), seen from the other column.
  return 1 - upper_tail({t.b + 1, t.a - 1, t.d - 1, t.c + 1});
}

double log_fisher_p_value(const RuleTable& t) {
  if (t.a == 0 || t.d == 0) return 0;
  if (static_cast<double>(t.a) >= Hypergeometric(t).mean()) return std::min(0.0, log_upper_tail(t));
  return std::log1p(-upper_tail({t.b + 1, t.a - 1, t.d - 1, t.c + 1}));
}

}  // namespace rarewood

#include "model/prune/error.hpp"

#include <algorithm>
#include <cmath>

namespace rarewood {

namespace {

// The z with a probability `tail` above it, for a standard normal variable; tail <= 1/2.
double normal_quantile(double tail) {
  // The tail falls and is convex for z > 0, so Newton's steps from 0 never pass the root.
  constexpr double kSqrtTwoPi = 2.506628274631000502415765284811;
  double z = 0;
  for (int step = 0; step < 10000; ++step) {
    const double excess = 0.5 * std::erfc(z / std::sqrt(2.0)) - tail;
    const double next = z + excess * kSqrtTwoPi * std::exp(z * z / 2);
    if (!(next > z + 1e-15 * z)) break;
    z = next;
  }
  return z;
}

class Pessimist {
 public:
  explicit Pessimist(double confidence)
      : confidence_(confidence), z_(normal_quantile(confidence)) {}

  // Errors to expect of n rows of which e were wrong: n times the upper end of a confidence
  // interval for the error rate, by Quinlan's approximation.
  double errors(double n, double e) const { return n > 0 ? e + more(n, e) : 0; }

 private:
  double more(double n, double e) const {
    if (e < 1) {
      // Exact for no error; between none and one, a straight line.
      const double base = n * (1 - std::pow(confidence_, 1 / n));
      return e == 0 ? base : base + e * (more(n, 1) - base);
    }
    if (e + 0.5 >= n) return std::max(n - e, 0.0);
    // The normal approximation of the binomial distribution, corrected for continuity.
    const double f = (e + 0.5) / n, zz = z_ * z_;
    const double rate =
        (f + zz / (2 * n) + z_ * std::sqrt(f / n - f * f / n + zz / (4 * n * n))) / (1 + zz / n);
    return rate * n - e;
  }

  double confidence_, z_;
};

}  // namespace

std::vector<char> error_leaves(const Tree& tree, double confidence) {
  const Pessimist pessimist(confidence);
  std::vector<char> becomes_leaf(tree.n_nodes(), 0);
  std::vector<double> expected(tree.n_nodes());
  for (std::size_t v = tree.n_nodes(); v-- > 0;) {  // children come after their parent
    double n = 0, most = 0;
    for (int j = 0; j < tree.n_classes; ++j) {
      n += tree.class_weight(v, j);
      most = std::max(most, tree.class_weight(v, j));
    }
    expected[v] = pessimist.errors(n, n - most);
    if (tree.is_leaf(v)) continue;
    double of_branch = 0;
    for (int i = 0; i < tree.n_children[v]; ++i) {
      of_branch += expected[tree.first_child[v] + i];
    }
    becomes_leaf[v] =
        expected[v] <= of_branch + 0.1;  // C4.5 prefers the leaf by a tenth of an error
    if (!becomes_leaf[v]) expected[v] = of_branch;
  }
  return becomes_leaf;
}

}  // namespace rarewood

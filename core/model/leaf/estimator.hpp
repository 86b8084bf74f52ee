// What a leaf estimator is: a formula that turns the class counts of a tree into probabilities.
//
// Most estimators look at one class of one node: a struct with
//   static double probability(const ClassCount&, double strength).
// One that looks at several nodes has
//   static std::vector<double> probabilities(const Tree&, double strength)   (nodes x classes).
//
// To add an estimator, copy `example.hpp` and add one line to `registry.cpp`.
#pragma once

#include <vector>

#include "model/tree.hpp"

namespace rarewood {

// Counts are weighted where the tree is.
struct ClassCount {
  double n;      // of the class in the node
  double total;  // of all classes in the node
  double prior;  // fraction of the class in the root
  double n_classes;
};

// Fractions are the same in any unit of weight. The unit is 1, unless the samples of a node and
// those that an estimator adds are so many, or so few, that their sums or products would overflow
// or vanish; then it is a power of two, by which numbers are multiplied without rounding.
inline double safe_unit(double total, double strength, double n_classes) {
  constexpr double kFew = 0x1p-900, kMany = 0x1p900, kStep = 0x1p100;
  const double sum = total + strength * n_classes;
  if (sum > kMany) return 1 / kStep;
  return sum > 0 && sum < kFew ? kStep : 1.0;
}

template <class Estimator>
std::vector<double> estimate_nodes(const Tree& tree, double strength) {
  if constexpr (requires { Estimator::probabilities(tree, strength); }) {
    return Estimator::probabilities(tree, strength);
  } else {
    const auto k = static_cast<std::size_t>(tree.n_classes);
    const auto n_classes = static_cast<double>(k);
    std::vector<double> p(tree.n_nodes() * k);
    const double root = tree.node_weight(0);
    for (std::size_t v = 0; v < tree.n_nodes(); ++v) {
      const double total = tree.node_weight(v);
      const double unit = safe_unit(total, strength, n_classes);
      for (int j = 0; j < tree.n_classes; ++j) {
        const double prior = root > 0 ? tree.class_weight(0, j) / root : 1.0 / n_classes;
        const ClassCount count{unit * tree.class_weight(v, j), unit * total, prior, n_classes};
        p[v * k + static_cast<std::size_t>(j)] = Estimator::probability(count, unit * strength);
      }
    }
    return p;
  }
}

}  // namespace rarewood

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

template <class Estimator>
std::vector<double> estimate_nodes(const Tree& tree, double strength) {
  if constexpr (requires { Estimator::probabilities(tree, strength); }) {
    return Estimator::probabilities(tree, strength);
  } else {
    const auto k = static_cast<std::size_t>(tree.n_classes);
    std::vector<double> p(tree.n_nodes() * k);
    const double root = tree.node_weight(0);
    for (std::size_t v = 0; v < tree.n_nodes(); ++v) {
      const double total = tree.node_weight(v);
      for (int j = 0; j < tree.n_classes; ++j) {
        const auto n_classes = static_cast<double>(k);
        const double prior = root > 0 ? tree.class_weight(0, j) / root : 1.0 / n_classes;
        p[v * k + static_cast<std::size_t>(j)] =
            Estimator::probability({tree.class_weight(v, j), total, prior, n_classes}, strength);
      }
    }
    return p;
  }
}

}  // namespace rarewood

// How to add a leaf estimator: copy this file, change the formula, add one line to registry.cpp:
//
//   entry<Krichevsky>("krichevsky", "one sentence", "where it was published",
//                     [](int n_classes) { return 0.5; }),
//
// The function gives the default of the strength; leave it out when the formula has none. Python,
// model files and documentation read the registry. Give the formula to tests/oracle too (tree.py
// and model_file.py), and every law of tests/model is run on it. (This one is compiled and tested,
// but not offered to users: with two classes it is Laplace with the strength 1/2.)
#pragma once

#include "model/leaf/estimator.hpp"

namespace rarewood {

// `strength` rows are added to a node, divided evenly among the classes.
struct Krichevsky {
  static double probability(const ClassCount& c, double strength) {
    return c.total + strength > 0 ? (c.n + strength / c.n_classes) / (c.total + strength) : c.prior;
  }
};

}  // namespace rarewood

// `strength` rows of every class are added to a node.
#pragma once

#include "model/leaf/estimator.hpp"

namespace rarewood {

struct Laplace {
  static double probability(const ClassCount& c, double strength) {
    return c.total + strength > 0 ? (c.n + strength) / (c.total + strength * c.n_classes) : c.prior;
  }
};

}  // namespace rarewood

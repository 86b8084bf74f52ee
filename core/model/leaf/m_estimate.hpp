// `strength` rows, divided among the classes as those of the root are, are added to a node.
#pragma once

#include "model/leaf/estimator.hpp"

namespace rarewood {

struct MEstimate {
  static double probability(const ClassCount& c, double strength) {
    return c.total + strength > 0 ? (c.n + strength * c.prior) / (c.total + strength) : c.prior;
  }
};

}  // namespace rarewood

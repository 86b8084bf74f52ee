// The fraction of the class.
#pragma once

#include "model/leaf/estimator.hpp"

namespace rarewood {

struct Raw {
  static double probability(const ClassCount& c, double) {
    return c.total > 0 ? c.n / c.total : c.prior;
  }
};

}  // namespace rarewood

// A criterion as Python holds it.
#pragma once

#include <memory>

#include "criterion/registry.hpp"

namespace rarewood {

struct CriterionHandle {
  CriterionSpec spec;
  std::shared_ptr<const Criterion> criterion;
};

}  // namespace rarewood

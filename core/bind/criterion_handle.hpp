// A criterion as Python holds it.
#pragma once

#include <memory>
#include <string>

#include "criterion/registry.hpp"

namespace rarewood {

struct CriterionHandle {
  std::string name;
  ParameterValues parameters;
  std::shared_ptr<const Criterion> criterion;

  CriterionHandle(const CriterionEntry& entry, std::map<std::string, ParameterValue> given)
      : name(entry.name),
        parameters("criterion '" + name + "'", entry.parameters, std::move(given)),
        criterion(entry.make(parameters)) {}
};

}  // namespace rarewood

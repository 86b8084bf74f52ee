// The list of criteria.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "criterion/criterion.hpp"
#include "criterion/parameters.hpp"

namespace rarewood {

struct CriterionEntry {
  std::string name;
  std::string summary;
  std::string source;  // where it was published
  std::vector<Parameter> parameters;
  std::shared_ptr<const Criterion> (*make)(const ParameterValues&);
};

const std::vector<CriterionEntry>& criterion_registry();

// Compiled and tested, but not offered to users: shows how a criterion is added.
const CriterionEntry& example_criterion();

// Throws std::invalid_argument, with the known names, for an unknown criterion.
const CriterionEntry& find_criterion(const std::string& name);

}  // namespace rarewood

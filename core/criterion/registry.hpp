// The list of criteria.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "criterion/criterion.hpp"

namespace rarewood {

// What a user may say about a criterion; the last two matter to `alpha` only.
struct CriterionSpec {
  std::string name;
  double alpha = 0.5;
  std::string reference = "prior";
};

struct CriterionEntry {
  const char* name;
  const char* summary;
  const char* source;
  std::shared_ptr<const Criterion> (*make)(const CriterionSpec&);
};

const std::vector<CriterionEntry>& criterion_registry();

// Throws std::invalid_argument, with the names there are, when there is no such criterion.
std::shared_ptr<const Criterion> make_criterion(const CriterionSpec& spec);

}  // namespace rarewood

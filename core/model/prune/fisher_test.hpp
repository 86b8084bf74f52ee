// Fisher's exact test of a 2 x 2 table, one-sided.
#pragma once

#include <cstdint>

namespace rarewood {

// The cells of the table: a rule and a class, crossed.
struct RuleTable {
  std::int64_t a;  // rows of the class that the rule covers
  std::int64_t b;  // rows of the class that it does not cover
  std::int64_t c;  // other rows that it covers
  std::int64_t d;  // other rows that it does not cover
};

// The probability of at least `a` covered rows of the class, if the rule covered a + c rows drawn
// at random. Relative error below 1e-9 down to 1e-300 for cells up to 1e9; 1 for an empty table.
double fisher_p_value(const RuleTable& table);

// Its natural logarithm, which is finite where the p-value itself would be rounded to zero.
double log_fisher_p_value(const RuleTable& table);

}  // namespace rarewood

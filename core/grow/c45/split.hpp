// The split of a node by the rules of C4.5 release 8, as Weka's J48 has them.
//
// Every feature has at most one candidate:
// - categorical: one child per category of the table, if at least two children have the minimum
//   weight;
// - numeric: the cut of largest gain among those with max(minimum, min(W_known / (10 k), 25)) on
//   both sides, k the classes of the table. Values closer than 1e-5 are not separated. The gain is
//   reduced by log2(number of such cuts) / W, and must stay above zero.
// The gain is that of the cases with a known value, times their fraction of the weight; the split
// information has the cases with a missing value as a child of their own. The candidate of largest
// gain ratio is chosen among those whose gain is at least the average less 1e-3. Categorical
// features with at least 0.3 times as many categories as the table has weight are left out of the
// average, unless all features are such; if no feature is in the average, the node is a leaf.
// A later candidate must be better by more than 1e-6.
#pragma once

#include <optional>
#include <vector>

#include "grow/c45/cases.hpp"

namespace rarewood::c45 {

struct SplitOptions {
  double min_weight = 2;
  bool penalty = true;       // log2(number of cuts) / W
  bool at_midpoint = false;  // otherwise the largest value of the table that is not above it
};

struct Split {
  std::size_t feature = 0;
  std::int64_t n_children = 2;
  double threshold = 0;  // numeric: values up to it go to the first child
  double gain = 0;       // in bits, less the penalty
};

std::optional<Split> choose_split(const Table& table, const Cases& cases,
                                  const SplitOptions& options);

// The cases of each child; a case with a missing value goes to every child, in proportion to the
// weights of the known cases.
std::vector<Cases> divide(const Table& table, const Split& split, const Cases& cases);

}  // namespace rarewood::c45

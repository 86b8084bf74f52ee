// Grows one tree from coded columns.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/short_vector.hpp"
#include "criterion/criterion.hpp"
#include "grow/row_sampling.hpp"
#include "model/tree.hpp"
#include "search/grow_options.hpp"
#include "table/columns.hpp"

namespace rarewood {

// The class of every row (0 ... n_classes-1) and, if given, its positive weight.
struct Target {
  std::span<const std::int32_t> classes;
  int n_classes = 0;
  std::span<const double> weights;  // empty: every row counts once, in integers
};

// Throws std::invalid_argument when the target does not fit the columns.
void check(const Columns& columns, const Target& target);

// The first node of a subtree.
struct SubtreeRoot {
  std::uint64_t key;  // of its random numbers
  int depth;
  ShortVector<double> p;                // probabilities of the classes; none: their fractions
  std::span<const Row> global_numbers;  // of the rows, if they are a part of a table
};

// Grows from the given rows of the target, some of which may be repeated. The target must have
// passed the check above. A subtree only: the rows are those of its first node.
Tree grow(const Columns& columns, const Target& target, ClassRows rows, const Criterion& criterion,
          const GrowOptions& options, std::optional<SubtreeRoot> subtree = {});

// Throws std::invalid_argument when an option makes no sense.
void check(const GrowOptions& options, std::size_t n_features);

}  // namespace rarewood

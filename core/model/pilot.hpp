// Held-out probabilities for many strengths of the leaf estimator and limits of the collapse: both
// change the leaves of trees that have been grown, not their splits.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/leaf/registry.hpp"
#include "model/tree.hpp"
#include "table/columns.hpp"

namespace rarewood {

struct PilotGrid {
  std::vector<double> strengths;
  std::vector<double> limits;
};

// The mean probability that the trees give to the class of each row, for every pair of the grid:
// strengths x limits x rows.
template <class T>
std::vector<double> pilot_probabilities(const std::vector<std::shared_ptr<Tree>>& trees,
                                        const LeafEntry& leaf, const PilotGrid& grid,
                                        const Matrix<T>& x, std::span<const std::int32_t> classes,
                                        int n_threads);

}  // namespace rarewood

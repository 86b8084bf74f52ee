// What held-out rows say about the strength of the leaf estimator and the limit of the collapse:
// both change the leaves of trees that have been grown, not their splits.
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

  std::size_t size() const { return strengths.size() * limits.size(); }
};

// The mean probability that the trees give to the class of each row, for every pair of the grid:
// rows x strengths x limits.
template <class T>
std::vector<double> pilot_probabilities(const std::vector<std::shared_ptr<Tree>>& trees,
                                        const LeafEntry& leaf, const PilotGrid& grid,
                                        const Matrix<T>& x, std::span<const std::int32_t> classes,
                                        int n_threads);

}  // namespace rarewood

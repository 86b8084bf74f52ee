// Shapley values of the features, and their interactions, in the game of a tree.
#pragma once

#include "explain/path_game.hpp"
#include "table/columns.hpp"

namespace rarewood {

// Values of the nodes of a tree (nodes x width), which leaves give to rows.
struct NodeValues {
  const double* values;
  std::size_t width;
};

// Adds the Shapley values of every row to `out` (rows x features x width). The value of a player is
// divided equally among its features. Throws std::invalid_argument for an infinite value.
template <class T>
void add_shapley_values(const PathGame& game, const Matrix<T>& x, const NodeValues& nodes,
                        int n_threads, double* out);

// Adds half the Shapley interaction index of every pair of features to `out` (rows x features x
// features x width), on both sides of the diagonal. Throws std::invalid_argument for a tree with
// hyperplanes, and for an infinite value.
template <class T>
void add_shapley_interactions(const PathGame& game, const Matrix<T>& x, const NodeValues& nodes,
                              int n_threads, double* out);

}  // namespace rarewood

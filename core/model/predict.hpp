// From raw values to leaves.
#pragma once

#include <cstdint>
#include <vector>

#include "model/tree.hpp"
#include "table/columns.hpp"

namespace rarewood {

// The leaf of every row.
template <class T>
void apply_tree(const Tree& tree, const Matrix<T>& x, int n_threads, std::int64_t* leaves);

// values[leaf] (k numbers) of every row, written to out (rows x k).
template <class T>
void predict_tree(const Tree& tree, const Matrix<T>& x, const double* values, int k, int n_threads,
                  double* out);

// The nodes that every row passes: row i passes nodes[offsets[i]] ... nodes[offsets[i+1] - 1].
template <class T>
void decision_path(const Tree& tree, const Matrix<T>& x, std::vector<std::int64_t>& offsets,
                   std::vector<std::int64_t>& nodes);

}  // namespace rarewood

// From raw values to leaves.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "model/walker.hpp"

namespace rarewood {

// Calls consume(first row, number of rows, leaves) for groups of rows, on n_threads threads.
template <class T, class Consume>
void walk(const Tree& tree, const Matrix<T>& x, int n_threads, Consume&& consume) {
  const Walker<T> walker(tree);
  for_each_walk(x, n_threads, [&](std::size_t begin, std::size_t n) {
    std::array<NodeId, kWalkedRows> leaves;
    walker.find_leaves(x, begin, n, may_miss(x, begin, n), leaves.data());
    consume(begin, n, leaves.data());
  });
}

// The leaf of every row.
template <class T>
void apply_tree(const Tree& tree, const Matrix<T>& x, int n_threads, std::int64_t* leaves) {
  walk(tree, x, n_threads, [&](std::size_t begin, std::size_t n, const NodeId* found) {
    std::copy_n(found, n, leaves + begin);
  });
}

// values[leaf] (k numbers) of every row, written to out (rows x k).
template <class T>
void predict_tree(const Tree& tree, const Matrix<T>& x, const double* values, std::size_t k,
                  int n_threads, double* out) {
  walk(tree, x, n_threads, [&](std::size_t begin, std::size_t n, const NodeId* found) {
    for (std::size_t i = 0; i < n; ++i) {
      const double* from = values + static_cast<std::size_t>(found[i]) * k;
      double* to = out + (begin + i) * k;
      for (std::size_t j = 0; j < k; ++j) to[j] = from[j];
    }
  });
}

// The nodes that every row passes: row i passes nodes[offsets[i]] ... nodes[offsets[i+1] - 1].
template <class T>
void decision_path(const Tree& tree, const Matrix<T>& x, std::vector<std::int64_t>& offsets,
                   std::vector<std::int64_t>& nodes) {
  offsets.assign(1, 0);
  offsets.reserve(x.n_rows + 1);
  nodes.clear();
  for (std::size_t row = 0; row < x.n_rows; ++row) {
    NodeId node = 0;
    nodes.push_back(node);
    while (!tree.is_leaf(node)) {
      node = step(tree, node, x, row);
      nodes.push_back(node);
    }
    offsets.push_back(static_cast<std::int64_t>(nodes.size()));
  }
}

}  // namespace rarewood

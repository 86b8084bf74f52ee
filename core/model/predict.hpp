// From raw values to leaves.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/walk_blocks.hpp"

namespace rarewood {

// The leaf of every row.
template <class T>
void apply_tree(const Tree& tree, const Matrix<T>& x, int n_threads, std::int64_t* leaves) {
  const Walk walk{1, tree.n_nodes()};
  for_each_block(x, walk, n_threads, [&](auto& walker, std::size_t begin, const Matrix<T>& block) {
    walker.walk(tree, block, [&](NodeId leaf, const BlockRow* rows, std::size_t n) {
      for (std::size_t i = 0; i < n; ++i) leaves[begin + rows[i]] = leaf;
    });
  });
}

// values[leaf] (k numbers) of every row, written to out (rows x k).
template <class T>
void predict_tree(const Tree& tree, const Matrix<T>& x, const double* values, std::size_t k,
                  int n_threads, double* out) {
  const Walk walk{1, tree.n_nodes()};
  for_each_block(x, walk, n_threads, [&](auto& walker, std::size_t begin, const Matrix<T>& block) {
    walker.walk(tree, block, [&](NodeId leaf, const BlockRow* rows, std::size_t n) {
      const double* const value = values + static_cast<std::size_t>(leaf) * k;
      for (std::size_t i = 0; i < n; ++i) std::copy_n(value, k, out + (begin + rows[i]) * k);
    });
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

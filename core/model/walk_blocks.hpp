// Blocks of rows that walk down trees, in parallel.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/finite.hpp"
#include "base/parallel.hpp"
#include "base/throw_if.hpp"
#include "model/walker.hpp"
#include "table/columns.hpp"

namespace rarewood {

// Throws std::invalid_argument for an infinite value.
template <class T>
void check_finite_or_missing(const Matrix<T>& x) {
  const bool is_dense =
      x.column_stride == 1 && x.row_stride == static_cast<std::ptrdiff_t>(x.n_columns);
  if (is_dense && all_finite(x.data, x.n_rows * x.n_columns)) return;
  bool is_infinite = false;
  for (std::size_t f = 0; f < x.n_columns; ++f) {
    is_infinite |= any_infinite(&x.at(0, f), x.n_rows, x.row_stride);
  }
  throw_if(is_infinite, "X holds an infinite value.");
}

// What walks: so many trees, with so many nodes in all.
struct Walk {
  std::size_t n_trees, n_nodes;
};

// Rows of a block. Nodes are read once for all of its rows, so deep trees need more of them, but
// their values should stay in a cache; and each thread gets as many blocks.
template <class T>
std::size_t block_size(const Matrix<T>& x, const Walk& walk, int n_threads) {
  constexpr std::size_t kFewest = 1024, kMost = 8192, kMostOfDeep = 32768, kPerNode = 8;
  constexpr std::size_t kBytes = std::size_t{8} << 20;
  const std::size_t n_nodes = walk.n_nodes / std::max<std::size_t>(walk.n_trees, 1);
  const std::size_t row_bytes = std::max<std::size_t>(x.n_columns, 1) * sizeof(T);
  const std::size_t wanted = std::min({kPerNode * n_nodes, kBytes / row_bytes, kMostOfDeep});
  const std::size_t most = std::max(wanted, kMost);
  const auto threads = static_cast<std::size_t>(std::max(n_threads, 1));
  const std::size_t n_rounds = (x.n_rows + threads * most - 1) / (threads * most);
  const std::size_t n_blocks = std::max<std::size_t>(threads * n_rounds, 1);
  return std::max((x.n_rows + n_blocks - 1) / n_blocks, kFewest);
}

// A copy of a block, column after column, in `values`.
template <class T>
Matrix<T> copy_columns(const Matrix<T>& block, std::vector<T>& values) {
  constexpr std::size_t kTile = 16;  // rows of which every cache line is read once
  const std::size_t n = block.n_rows;
  values.resize(n * block.n_columns);
  for (std::size_t begin = 0; begin < n; begin += kTile) {
    const std::size_t end = std::min(begin + kTile, n);
    for (std::size_t f = 0; f < block.n_columns; ++f) {
      for (std::size_t row = begin; row < end; ++row) values[f * n + row] = block.at(row, f);
    }
  }
  return {values.data(), n, block.n_columns, 1, static_cast<std::ptrdiff_t>(n)};
}

// Calls work(walker, first row, block) for blocks of rows. Throws std::invalid_argument for an
// infinite value.
template <class T, class Work>
void for_each_block(const Matrix<T>& x, const Walk& walk, int n_threads, const Work& work) {
  constexpr std::size_t kManyTrees = 8;  // the values of a column are read together: a copy pays
  const std::size_t size = block_size(x, walk, n_threads);
  parallel_for((x.n_rows + size - 1) / size, n_threads, [&](std::size_t i) {
    const std::size_t begin = i * size;
    Matrix<T> block = x;
    block.data = &x.at(begin, 0);
    block.n_rows = std::min(size, x.n_rows - begin);
    check_finite_or_missing(block);
    std::vector<T> values;
    if (walk.n_trees >= kManyTrees && x.row_stride != 1) block = copy_columns(block, values);
    Walker<T> walker(block.n_rows);
    work(walker, begin, block);
  });
}

}  // namespace rarewood

// From the values of rows to their leaves: the rows of a block are divided, node by node.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "base/finite.hpp"
#include "base/parallel.hpp"
#include "base/throw_if.hpp"
#include "model/divide.hpp"
#include "model/tree.hpp"
#include "table/columns.hpp"
#include "table/edge_search.hpp"

namespace rarewood {

template <class T>
double sum_of(const Tree& tree, std::size_t v, const Matrix<T>& x, std::size_t row) {
  auto term = [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    return tree.plane_weight[at] * static_cast<double>(x.at(row, tree.plane_feature[at]));
  };
  double sum = term(tree.plane_offset[v]);
  for (std::int64_t i = tree.plane_offset[v] + 1; i < tree.plane_offset[v + 1]; ++i) sum += term(i);
  return sum;
}

// One step down the tree, for a row.
template <class T>
NodeId step(const Tree& tree, NodeId node, const Matrix<T>& x, std::size_t row) {
  const auto v = static_cast<std::size_t>(node);
  const double value =
      tree.is_plane(v) ? sum_of(tree, v, x, row) : static_cast<double>(x.at(row, tree.feature[v]));
  std::int32_t child;
  if (value != value) {  // huge terms of a plane may cancel to NaN: also routed as missing
    child = tree.missing_child[v];
  } else if (tree.is_categorical(v)) {
    child = tree.child_of_category(v, value);
  } else {
    child = value <= tree.threshold[v] ? 0 : 1;
  }
  return tree.first_child[v] + child;
}

// What numeric nodes compare with their threshold, for four rows. Vectors are not returned: how to
// do so depends on the instruction set. Terms of a plane are added in their order.

template <class T, class V>
[[gnu::always_inline]] inline void take(const T* column, std::ptrdiff_t stride,
                                        const TestedRows& rows, V& values) {
  const Four<T> taken = {column[rows[0] * stride], column[rows[1] * stride],
                         column[rows[2] * stride], column[rows[3] * stride]};
  values = __builtin_convertvector(taken, V);
}

template <class T>
struct OneValue {
  using Value = T;
  const T* column;
  std::ptrdiff_t stride;

  OneValue(const Tree& tree, std::size_t v, const Matrix<T>& block)
      : column(&block.at(0, tree.feature[v])), stride(block.row_stride) {}

  [[gnu::always_inline]] void evaluate(const TestedRows& rows, Four<T>& values) const {
    take(column, stride, rows, values);
  }
};

template <class T>
struct SumOfTwo {
  using Value = double;
  const T *x, *y;
  double x_weight, y_weight;
  std::ptrdiff_t stride;

  SumOfTwo(const Tree& tree, std::size_t v, const Matrix<T>& block) : stride(block.row_stride) {
    const auto at = static_cast<std::size_t>(tree.plane_offset[v]);
    x = &block.at(0, tree.plane_feature[at]);
    y = &block.at(0, tree.plane_feature[at + 1]);
    x_weight = tree.plane_weight[at];
    y_weight = tree.plane_weight[at + 1];
  }

  [[gnu::always_inline]] void evaluate(const TestedRows& rows, Four<double>& sums) const {
    Four<double> xs, ys;
    take(x, stride, rows, xs);
    take(y, stride, rows, ys);
    sums = x_weight * xs + y_weight * ys;
  }
};

template <class T>
struct SumOfMany : SumOfTwo<T> {
  const Tree& tree;
  std::size_t v;
  const Matrix<T>& block;

  SumOfMany(const Tree& of, std::size_t node, const Matrix<T>& rows)
      : SumOfTwo<T>(of, node, rows), tree(of), v(node), block(rows) {}

  void evaluate(const TestedRows& rows, Four<double>& sums) const {
    SumOfTwo<T>::evaluate(rows, sums);
    for (std::int64_t i = tree.plane_offset[v] + 2; i < tree.plane_offset[v + 1]; ++i) {
      const auto at = static_cast<std::size_t>(i);
      Four<double> xs;
      take(&block.at(0, tree.plane_feature[at]), block.row_stride, rows, xs);
      sums += tree.plane_weight[at] * xs;
    }
  }
};

// Walks the rows of blocks down trees, depth first. All rows that reach a node are tested together,
// so a node is read once for many of them; a subtree works on few rows, which stay in the cache.
template <class T>
class Walker {
 public:
  explicit Walker(std::size_t n_rows)
      : near_(n_rows + kTestedRows), far_(n_rows + kTestedRows), child_(n_rows) {}

  // Calls on_leaf(node, rows, number of rows) for every leaf that a row of the block reaches.
  template <class OnLeaf>
  void walk(const Tree& tree, const Matrix<T>& block, const OnLeaf& on_leaf) {
    std::iota(far_.begin(), far_.begin() + static_cast<std::ptrdiff_t>(block.n_rows), BlockRow{0});
    waiting_.assign(1, {0, 0, block.n_rows});
    while (!waiting_.empty()) {
      const Group group = waiting_.back();
      waiting_.pop_back();
      walk_first(tree, block, group, on_leaf);
    }
  }

 private:
  // Rows of far_ that wait at a node. The groups follow each other; the last one is walked next, so
  // what is behind it is free.
  struct Group {
    NodeId node;
    std::size_t begin, n;
  };

  static constexpr std::size_t kFewRows = 3;        // walk one by one
  static constexpr std::size_t kTablePerRow = 128;  // size of a table of categories

  // Follows the first children. Those rows move to near_, the others remain in far_ and wait.
  template <class OnLeaf>
  void walk_first(const Tree& tree, const Matrix<T>& block, Group group, const OnLeaf& on_leaf) {
    const BlockRow* rows = far_.data() + group.begin;
    auto [node, begin, n] = group;
    for (;;) {
      const auto v = static_cast<std::size_t>(node);
      if (tree.is_leaf(v)) return on_leaf(node, rows, n);
      if (n <= kFewRows) return walk_singly(tree, block, node, rows, n, on_leaf);
      if (tree.is_categorical(v)) return divide_categories(tree, block, v, rows, {node, begin, n});
      const NodeId first_child = tree.first_child[v];
      prefetch(tree, static_cast<std::size_t>(first_child));
      const std::size_t n_first = divide_at(tree, block, v, rows, n, far_.data() + begin);
      if (n_first == 0) {
        rows = far_.data() + begin;
        node = first_child + 1;
        continue;
      }
      if (n_first < n) {
        waiting_.push_back({first_child + 1, begin, n - n_first});
        begin += n - n_first;
      }
      rows = near_.data();
      node = first_child;
      n = n_first;
    }
  }

  template <class OnLeaf>
  static void walk_singly(const Tree& tree, const Matrix<T>& block, NodeId from,
                          const BlockRow* rows, std::size_t n, const OnLeaf& on_leaf) {
    for (std::size_t i = 0; i < n; ++i) {
      NodeId node = from;
      while (!tree.is_leaf(node)) node = step(tree, node, block, rows[i]);
      on_leaf(node, rows + i, std::size_t{1});
    }
  }

  // Fetches a node that is read as soon as the rows of its parent are divided.
  static void prefetch(const Tree& tree, std::size_t v) {
    __builtin_prefetch(&tree.feature[v]);
    __builtin_prefetch(&tree.threshold[v]);
    __builtin_prefetch(&tree.first_child[v]);
    __builtin_prefetch(&tree.missing_child[v]);
    if (tree.plane_offset.empty()) return;
    const auto at = static_cast<std::size_t>(tree.plane_offset[v]);
    __builtin_prefetch(tree.plane_feature.data() + at);
    __builtin_prefetch(tree.plane_weight.data() + at);
  }

  // The rows of a numeric node: those of the first child move to near_, the others to `second`.
  std::size_t divide_at(const Tree& tree, const Matrix<T>& block, std::size_t v,
                        const BlockRow* rows, std::size_t n, BlockRow* second) {
    if (!tree.is_plane(v)) {
      return divide_by(OneValue<T>(tree, v, block), tree, v, rows, n, second);
    }
    if (tree.plane_offset[v + 1] - tree.plane_offset[v] == 2) {
      return divide_by(SumOfTwo<T>(tree, v, block), tree, v, rows, n, second);
    }
    return divide_by(SumOfMany<T>(tree, v, block), tree, v, rows, n, second);
  }

  template <class Tested>
  std::size_t divide_by(const Tested& tested, const Tree& tree, std::size_t v, const BlockRow* rows,
                        std::size_t n, BlockRow* second) {
    using Value = typename Tested::Value;
    const auto threshold = round_down<Value>(tree.threshold[v]);
    // A comparison with a missing value is false.
    if (tree.missing_child[v] == 0) {
      return divide(rows, n, near_.data(), second, [&](const TestedRows& four) {
        Four<Value> values;
        tested.evaluate(four, values);
        return to_bits(values > threshold);
      });
    }
    return divide(rows, n, near_.data(), second, [&](const TestedRows& four) {
      Four<Value> values;
      tested.evaluate(four, values);
      return to_bits(~(values <= threshold));
    });
  }

  // The children of rows at a categorical node. For many rows a table of the children of all
  // categories is filled first; otherwise each category is searched.
  void find_children(const Tree& tree, const Matrix<T>& block, std::size_t v, const BlockRow* rows,
                     std::size_t n) {
    const auto begin = static_cast<std::size_t>(tree.category_offset[v]);
    const auto end = static_cast<std::size_t>(tree.category_offset[v + 1]);
    const auto n_numbers = static_cast<std::size_t>(tree.category[end - 1]) + 1;  // ascending
    auto value = [&](std::size_t i) { return block.at(rows[i], tree.feature[v]); };
    if (n_numbers + 8 * (end - begin) > kTablePerRow * n) {
      for (std::size_t i = 0; i < n; ++i) {
        child_[i] = tree.child_of_category(v, static_cast<double>(value(i)));
      }
      return;
    }
    child_of_category_.assign(n_numbers, tree.missing_child[v]);
    for (std::size_t i = begin; i < end; ++i) {
      child_of_category_[static_cast<std::size_t>(tree.category[i])] = tree.category_child[i];
    }
    for (std::size_t i = 0; i < n; ++i) {
      const T x = value(i);
      const bool is_known = x >= 0 && x < static_cast<T>(n_numbers) &&
                            static_cast<T>(static_cast<std::int32_t>(x)) == x;
      child_[i] =
          is_known ? child_of_category_[static_cast<std::size_t>(x)] : tree.missing_child[v];
    }
  }

  // The rows of a categorical node wait at its children.
  void divide_categories(const Tree& tree, const Matrix<T>& block, std::size_t v,
                         const BlockRow* rows, const Group& group) {
    find_children(tree, block, v, rows, group.n);
    begin_.assign(static_cast<std::size_t>(tree.n_children[v]) + 1, 0);
    for (std::size_t i = 0; i < group.n; ++i) ++begin_[static_cast<std::size_t>(child_[i]) + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    for (std::size_t c = 0; c + 1 < begin_.size(); ++c) {
      const std::size_t n = begin_[c + 1] - begin_[c];
      if (n > 0) {
        waiting_.push_back(
            {tree.first_child[v] + static_cast<NodeId>(c), group.begin + begin_[c], n});
      }
    }
    sorted_.resize(group.n);
    for (std::size_t i = 0; i < group.n; ++i) {
      sorted_[begin_[static_cast<std::size_t>(child_[i])]++] = rows[i];
    }
    std::copy(sorted_.begin(), sorted_.end(),
              far_.begin() + static_cast<std::ptrdiff_t>(group.begin));
  }

  std::vector<BlockRow> near_, far_;
  std::vector<Group> waiting_;
  std::vector<std::int32_t> child_;  // of each row of a categorical node
  std::vector<std::int32_t> child_of_category_;
  std::vector<std::size_t> begin_;  // of the rows of each child
  std::vector<BlockRow> sorted_;    // by child
};

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

// Rows of a block: many, so that nodes are read for many rows, but as many blocks for each thread.
inline std::size_t block_size(std::size_t n_rows, int n_threads) {
  constexpr std::size_t kFewest = 1024, kMost = 8192;
  const auto threads = static_cast<std::size_t>(std::max(n_threads, 1));
  const std::size_t n_rounds = (n_rows + threads * kMost - 1) / (threads * kMost);
  const std::size_t n_blocks = std::max<std::size_t>(threads * n_rounds, 1);
  return std::max((n_rows + n_blocks - 1) / n_blocks, kFewest);
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

// Calls work(walker, first row, block) for blocks of rows, which walk down `n_trees` trees. Throws
// std::invalid_argument for an infinite value.
template <class T, class Work>
void for_each_block(const Matrix<T>& x, std::size_t n_trees, int n_threads, const Work& work) {
  constexpr std::size_t kManyTrees = 8;  // the values of a column are read together: a copy pays
  const std::size_t size = block_size(x.n_rows, n_threads);
  parallel_for((x.n_rows + size - 1) / size, n_threads, [&](std::size_t i) {
    const std::size_t begin = i * size;
    Matrix<T> block = x;
    block.data = &x.at(begin, 0);
    block.n_rows = std::min(size, x.n_rows - begin);
    check_finite_or_missing(block);
    std::vector<T> values;
    if (n_trees >= kManyTrees && x.row_stride != 1) block = copy_columns(block, values);
    Walker<T> walker(block.n_rows);
    work(walker, begin, block);
  });
}

}  // namespace rarewood

// A tree packed for walking: from the values of rows to their leaves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/tree.hpp"
#include "table/columns.hpp"

namespace rarewood {

constexpr std::size_t kBlockRows =
    4096;  // walked together, so that a tree is fetched once for many

// Does a block of rows miss values? Throws std::invalid_argument for an infinite one: the block is
// about to be read anyway, so looking at all of it costs little.
template <class T>
bool may_miss(const Matrix<T>& x, std::size_t begin, std::size_t n);

// One step down the tree itself, for a row.
template <class T>
NodeId step(const Tree& tree, NodeId node, const Matrix<T>& x, std::size_t row);

template <class T>
class Walker {
 public:
  explicit Walker(const Tree& tree);

  // The leaves of n <= kBlockRows rows from `begin` on.
  void find_leaves(const Matrix<T>& x, std::size_t begin, std::size_t n, bool has_missing,
                   NodeId* leaves) const;

  // A numeric two-way node. A leaf leads to itself.
  struct Cut {
    T threshold;
    std::int32_t feature;
    NodeId first_child;
    std::int32_t missing_child;  // 0 or 1; with it a node of floats fills 16 bytes

    template <bool kMayMiss>
    NodeId next(const T* row, std::ptrdiff_t column_stride) const;
    bool is_leaf(NodeId self) const { return first_child == self; }
  };

  // A hyperplane over two features, or a cut of one, which then has twice the same feature and a
  // second weight of zero: 1 * x + 0 * x is x. Two of them fill a cache line.
  struct Line {
    double threshold;
    double weight[2];
    NodeId first_child;
    std::int16_t feature[2];  // the first with the top bit set when missing values go left

    template <bool kMayMiss>
    NodeId next(const T* row, std::ptrdiff_t column_stride) const;
    bool is_leaf(NodeId self) const { return first_child == self; }
  };

 private:
  const Tree& tree_;
  bool is_shallow_;          // few steps lead to most leaves
  std::vector<Cut> cuts_;    // every node is a numeric cut
  std::vector<Line> lines_;  // or a hyperplane of two features; both empty: neither is so

  static constexpr std::int64_t kMostLineFeatures = 1 << 15;  // that a line can name
};

}  // namespace rarewood

// A tree packed for walking: from the values of rows to their leaves.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/finite.hpp"
#include "base/parallel.hpp"
#include "base/throw_if.hpp"
#include "model/tree.hpp"
#include "table/columns.hpp"
#include "table/edge_search.hpp"

namespace rarewood {

inline constexpr std::size_t kWalkedRows =
    4096;  // together, so that a tree is fetched once for many

// Calls work(first row, number of rows) for groups of rows that are walked together.
template <class T, class Work>
void for_each_walk(const Matrix<T>& x, int n_threads, Work&& work) {
  const std::size_t n_groups = (x.n_rows + kWalkedRows - 1) / kWalkedRows;
  parallel_for(n_groups, n_threads, [&](std::size_t group) {
    const std::size_t begin = group * kWalkedRows;
    work(begin, std::min(kWalkedRows, x.n_rows - begin));
  });
}

// Does a group of rows miss values? Throws std::invalid_argument for an infinite one: the rows are
// about to be read anyway, so looking at all of them costs little.
template <class T>
bool may_miss(const Matrix<T>& x, std::size_t begin, std::size_t n) {
  const bool is_dense =
      x.column_stride == 1 && x.row_stride == static_cast<std::ptrdiff_t>(x.n_columns);
  if (is_dense && all_finite(&x.at(begin, 0), n * x.n_columns)) return false;
  bool is_infinite = false;
  for (std::size_t f = 0; f < x.n_columns; ++f) {
    is_infinite |= any_infinite(&x.at(begin, f), n, x.row_stride);
  }
  throw_if(is_infinite, "X holds an infinite value.");
  return true;
}

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

// One step down the tree itself, for a row.
template <class T>
NodeId step(const Tree& tree, NodeId node, const Matrix<T>& x, std::size_t row) {
  const auto v = static_cast<std::size_t>(node);
  const double value =
      tree.is_plane(v) ? sum_of(tree, v, x, row) : static_cast<double>(x.at(row, tree.feature[v]));
  std::int32_t child;
  if (value != value) {
    child = tree.missing_child[v];
  } else if (tree.is_categorical(v)) {
    child = tree.child_of_category(v, value);
  } else {
    child = value <= tree.threshold[v] ? 0 : 1;
  }
  return tree.first_child[v] + child;
}

template <class T>
class Walker {
 public:
  explicit Walker(const Tree& tree) : tree_(tree), is_shallow_(is_shallow(tree)) {
    if (!tree.category.empty()) return;
    bool is_flat = tree.n_features <= kMostLineFeatures;
    for (std::size_t v = 0; v + 1 < tree.plane_offset.size(); ++v) {
      is_flat &= tree.plane_offset[v + 1] - tree.plane_offset[v] <= 2;
    }
    if (tree.plane_offset.empty()) {
      cuts_ = pack_cuts(tree);
    } else if (is_flat) {
      lines_ = pack_lines(tree);
    }
  }

  // The leaves of n <= kWalkedRows rows from `begin` on.
  void find_leaves(const Matrix<T>& x, std::size_t begin, std::size_t n, bool has_missing,
                   NodeId* leaves) const {
    auto walk = [&](const auto& nodes) {
      if (is_shallow_) {
        walk_packed<4>(nodes, x, begin, n, has_missing, leaves);
      } else {
        walk_packed<8>(nodes, x, begin, n, has_missing, leaves);
      }
    };
    if (!cuts_.empty()) return walk(cuts_);
    if (!lines_.empty()) return walk(lines_);
    for (std::size_t i = 0; i < n; ++i) {
      NodeId node = 0;
      while (!tree_.is_leaf(node)) node = step(tree_, node, x, begin + i);
      leaves[i] = node;
    }
  }

 private:
  // Which child. A comparison with a missing value is false, so x > threshold keeps it left and
  // !(x <= threshold) sends it right. Joined by bits: a branch here would be guessed wrong half the
  // time.
  template <bool kMayMiss, class V>
  static int side(V x, V threshold, int missing_goes_right) {
    const int is_above = x > threshold;
    if constexpr (!kMayMiss) return is_above;
    const int is_not_below = !(x <= threshold);
    return is_above | (is_not_below & missing_goes_right);
  }

  // A numeric two-way node. A leaf leads to itself.
  struct Cut {
    T threshold;
    std::int32_t feature;
    NodeId first_child;
    std::int32_t missing_child;  // 0 or 1; with it a node of floats fills 16 bytes

    template <bool kMayMiss>
    NodeId next(const T* row, std::ptrdiff_t column_stride) const {
      const T x = row[feature * column_stride];
      return first_child + side<kMayMiss>(x, threshold, missing_child);
    }
    bool is_leaf(NodeId self) const { return first_child == self; }
  };

  static constexpr std::int16_t kLineFeatureMask = std::numeric_limits<std::int16_t>::max();
  static constexpr std::int16_t kLineMissingLeft = std::numeric_limits<std::int16_t>::min();
  static constexpr std::int64_t kMostLineFeatures = 1 << 15;  // that a line can name

  // A hyperplane over two features, or a cut of one, which then has twice the same feature and a
  // second weight of zero: 1 * x + 0 * x is x. Two of them fill a cache line.
  struct Line {
    double threshold;
    double weight[2];
    NodeId first_child;
    std::int16_t feature[2];  // the first with the top bit set when missing values go left

    template <bool kMayMiss>
    NodeId next(const T* row, std::ptrdiff_t column_stride) const {
      const auto x = static_cast<double>(row[(feature[0] & kLineFeatureMask) * column_stride]);
      const auto y = static_cast<double>(row[feature[1] * column_stride]);
      // Huge values may cancel to NaN without being missing: it is then routed as missing
      // everywhere.
      const int missing_goes_right = feature[0] >= 0;
      return first_child + side<true>(weight[0] * x + weight[1] * y, threshold, missing_goes_right);
    }
    bool is_leaf(NodeId self) const { return first_child == self; }
  };

  static std::vector<Cut> pack_cuts(const Tree& tree) {
    std::vector<Cut> nodes(tree.n_nodes());
    for (std::size_t v = 0; v < nodes.size(); ++v) {
      if (tree.is_leaf(v)) {
        nodes[v] = {std::numeric_limits<T>::infinity(), 0, static_cast<NodeId>(v), 0};
      } else {
        nodes[v] = {round_down<T>(tree.threshold[v]), tree.feature[v], tree.first_child[v],
                    tree.missing_child[v]};
      }
    }
    return nodes;
  }

  static std::vector<Line> pack_lines(const Tree& tree) {
    std::vector<Line> nodes(tree.n_nodes());
    for (std::size_t v = 0; v < nodes.size(); ++v) {
      auto& node = nodes[v];
      if (tree.is_leaf(v)) {
        node = {std::numeric_limits<double>::infinity(),
                {0, 0},
                static_cast<NodeId>(v),
                {kLineMissingLeft, 0}};
        continue;
      }
      const auto feature = static_cast<std::int16_t>(tree.feature[v]);
      node = {tree.threshold[v], {1, 0}, tree.first_child[v], {feature, feature}};
      if (tree.is_plane(v)) {
        const auto at = static_cast<std::size_t>(tree.plane_offset[v]);
        for (std::size_t j = 0; j < 2; ++j) {
          node.weight[j] = tree.plane_weight[at + j];
          node.feature[j] = static_cast<std::int16_t>(tree.plane_feature[at + j]);
        }
      }
      if (tree.missing_child[v] == 0) node.feature[0] |= kLineMissingLeft;
    }
    return nodes;
  }

  // A few rows walk side by side, which hides the latency of loads; every few steps those that have
  // arrived are taken out, so that a deep path of one row does not hold up the others.
  template <bool kMayMiss, int kSteps, class PackedNode>
  static void walk_packed(const std::vector<PackedNode>& nodes, const Matrix<T>& x,
                          std::size_t begin, std::size_t n, std::ptrdiff_t column_stride,
                          NodeId* leaves) {
    constexpr std::size_t kLanes = 16;
    std::array<NodeId, kWalkedRows + kLanes> at;           // of the rows that still walk
    std::array<std::uint32_t, kWalkedRows + kLanes> rows;  // which ones they are
    for (std::size_t i = 0; i < n; ++i) {
      at[i] = 0;
      rows[i] = static_cast<std::uint32_t>(i);
    }
    while (n > 0) {
      for (std::size_t lane = n; lane % kLanes != 0; ++lane) {  // fill up the last group
        rows[lane] = rows[n - 1];
        at[lane] = at[n - 1];
      }
      std::size_t n_left = 0;
      for (std::size_t group = 0; group < n; group += kLanes) {
        std::array<const T*, kLanes> row;
        std::array<NodeId, kLanes> node;
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          row[lane] = &x.at(begin + rows[group + lane], 0);
          node[lane] = at[group + lane];
        }
        for (int i = 0; i < kSteps; ++i) {
          for (std::size_t lane = 0; lane < kLanes; ++lane) {
            node[lane] = nodes[node[lane]].template next<kMayMiss>(row[lane], column_stride);
          }
        }
        const std::size_t n_here = std::min(kLanes, n - group);
        for (std::size_t lane = 0; lane < n_here; ++lane) {
          const std::uint32_t own = rows[group + lane];  // n_left <= group + lane: not overwritten
          const NodeId reached = node[lane];
          leaves[own] = reached;  // final only if it is a leaf
          rows[n_left] = own;
          at[n_left] = reached;
          n_left += !nodes[reached].is_leaf(reached);
        }
      }
      n = n_left;
    }
  }

  template <int kSteps, class PackedNode>
  static void walk_packed(const std::vector<PackedNode>& nodes, const Matrix<T>& x,
                          std::size_t begin, std::size_t n, bool has_missing, NodeId* leaves) {
    if (x.column_stride != 1) {
      walk_packed<true, kSteps>(nodes, x, begin, n, x.column_stride, leaves);
    } else if (has_missing) {
      walk_packed<true, kSteps>(nodes, x, begin, n, 1, leaves);
    } else {
      // Rows of a plain array: the usual case.
      walk_packed<false, kSteps>(nodes, x, begin, n, 1, leaves);
    }
  }

  // Do most training rows reach their leaf within a few steps?
  static bool is_shallow(const Tree& tree) {
    double visits = 0, rows = 0;
    const auto k = static_cast<std::size_t>(tree.n_classes);
    for (std::size_t v = 0; v < tree.n_nodes(); ++v) {
      double here = 0;
      for (std::size_t j = 0; j < k; ++j) here += static_cast<double>(tree.counts[v * k + j]);
      if (v == 0) rows = here;
      if (!tree.is_leaf(v)) visits += here;
    }
    return visits <= 8 * rows;
  }

  const Tree& tree_;
  bool is_shallow_;          // few steps lead to most leaves
  std::vector<Cut> cuts_;    // every node is a numeric cut
  std::vector<Line> lines_;  // or a hyperplane of two features; both empty: neither is so
};

}  // namespace rarewood

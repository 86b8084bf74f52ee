#include "predict.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "edge_search.hpp"
#include "finite.hpp"
#include "parallel.hpp"

namespace rarewood {

namespace {

constexpr std::size_t kBlockRows = 1024;  // stays in the second-level cache

template <class T>
NodeId step(const Tree& tree, NodeId node, const Matrix<T>& x, std::size_t row) {
  const auto v = static_cast<std::size_t>(node);
  const T value = x.at(row, static_cast<std::size_t>(tree.feature[v]));
  std::int32_t child;
  if (value != value) {
    child = tree.missing_child[v];
  } else if (tree.is_nominal(v)) {
    child = tree.child_of_category(v, static_cast<double>(value));
  } else {
    child = static_cast<double>(value) <= tree.threshold[v] ? 0 : 1;
  }
  return tree.first_child[v] + child;
}

template <class T>
NodeId find_leaf(const Tree& tree, const Matrix<T>& x, std::size_t row) {
  NodeId node = 0;
  while (!tree.is_leaf(static_cast<std::size_t>(node))) node = step(tree, node, x, row);
  return node;
}

// A tree of numeric two-way nodes, packed for walking. A leaf leads to itself.
template <class T>
struct PackedNode {
  T threshold;
  std::int32_t feature;  // with the top bit set when missing values go left
  NodeId first_child;
};

constexpr std::int32_t kFeatureMask = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t kMissingLeft = std::numeric_limits<std::int32_t>::min();

template <class T>
std::vector<PackedNode<T>> pack(const Tree& tree) {
  std::vector<PackedNode<T>> nodes(tree.n_nodes());
  for (std::size_t v = 0; v < nodes.size(); ++v) {
    if (tree.is_leaf(v)) {
      nodes[v] = {std::numeric_limits<T>::infinity(), kMissingLeft, static_cast<NodeId>(v)};
      continue;
    }
    const std::int32_t flag = tree.missing_child[v] == 0 ? kMissingLeft : 0;
    nodes[v] = {round_down<T>(tree.threshold[v]), tree.feature[v] | flag, tree.first_child[v]};
  }
  return nodes;
}

// One step down for one row. A comparison with a missing value is false: x > threshold keeps it
// left, !(x <= threshold) sends it right.
template <bool kMayMiss, class T>
NodeId step_packed(const PackedNode<T>& node, const T* row, std::ptrdiff_t column_stride) {
  const T x = row[(node.feature & kFeatureMask) * column_stride];
  if constexpr (kMayMiss) {
    const int is_above = x > node.threshold, is_not_below = !(x <= node.threshold);
    return node.first_child + (node.feature < 0 ? is_above : is_not_below);
  } else {
    return node.first_child + (x > node.threshold);
  }
}

// Finds the leaves of a block of rows. A few rows walk side by side, which hides the latency of
// loads; every few steps those that have arrived are taken out, so that a deep path of one row
// does not hold up the others.
template <bool kMayMiss, class T>
void walk_packed(const std::vector<PackedNode<T>>& nodes, const Matrix<T>& x, std::size_t begin,
                 std::size_t n, std::int64_t* leaves) {
  constexpr std::size_t kLanes = 8;
  constexpr int kSteps = 4;
  std::array<NodeId, kBlockRows + kLanes> at{};           // of the rows that still walk
  std::array<std::uint32_t, kBlockRows + kLanes> rows{};  // which ones they are
  for (std::size_t i = 0; i < n; ++i) rows[i] = static_cast<std::uint32_t>(i);
  while (n > 0) {
    for (std::size_t lane = n; lane % kLanes != 0; ++lane) {  // fill up the last group
      rows[lane] = rows[n - 1];
      at[lane] = at[n - 1];
    }
    for (std::size_t group = 0; group < n; group += kLanes) {
      std::array<const T*, kLanes> row;
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        row[lane] = &x.at(begin + rows[group + lane], 0);
      for (int step = 0; step < kSteps; ++step) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          NodeId& node = at[group + lane];
          node = step_packed<kMayMiss>(nodes[static_cast<std::size_t>(node)], row[lane],
                                       x.column_stride);
        }
      }
    }
    std::size_t n_left = 0;
    for (std::size_t i = 0; i < n; ++i) {
      leaves[rows[i]] = at[i];  // final only if it is a leaf
      const bool walks_on = nodes[static_cast<std::size_t>(at[i])].first_child != at[i];
      rows[n_left] = rows[i];
      at[n_left] = at[i];
      n_left += walks_on;
    }
    n = n_left;
  }
}

// What a block of rows holds; it is about to be read anyway, so looking at all of it costs little.
enum class Content { kFinite, kMissing };

template <class T>
Content check_block(const Matrix<T>& x, std::size_t begin, std::size_t n) {
  const bool is_dense =
      x.column_stride == 1 && x.row_stride == static_cast<std::ptrdiff_t>(x.n_columns);
  if (is_dense && all_finite(&x.at(begin, 0), n * x.n_columns)) return Content::kFinite;
  bool is_infinite = false;
  for (std::size_t f = 0; f < x.n_columns; ++f) {
    is_infinite |= any_infinite(&x.at(begin, f), n, x.row_stride);
  }
  if (is_infinite) throw std::invalid_argument("X holds an infinite value.");
  return Content::kMissing;
}

// Calls consume(first row, number of rows, leaves) for blocks of rows, on n_threads threads.
template <class T, class Consume>
void walk(const Tree& tree, const Matrix<T>& x, int n_threads, Consume&& consume) {
  const bool is_packable = tree.category.empty();
  const auto nodes = is_packable ? pack<T>(tree) : std::vector<PackedNode<T>>{};
  const std::size_t n_blocks = (x.n_rows + kBlockRows - 1) / kBlockRows;
  parallel_for(n_blocks, n_threads, [&](std::size_t block) {
    const std::size_t begin = block * kBlockRows, n = std::min(kBlockRows, x.n_rows - begin);
    const Content content = check_block(x, begin, n);
    std::array<std::int64_t, kBlockRows> leaves;
    if (!is_packable) {
      for (std::size_t i = 0; i < n; ++i) leaves[i] = find_leaf(tree, x, begin + i);
    } else if (content == Content::kFinite) {
      walk_packed<false>(nodes, x, begin, n, leaves.data());
    } else {
      walk_packed<true>(nodes, x, begin, n, leaves.data());
    }
    consume(begin, n, leaves.data());
  });
}

}  // namespace

template <class T>
void apply_tree(const Tree& tree, const Matrix<T>& x, int n_threads, std::int64_t* leaves) {
  walk(tree, x, n_threads, [&](std::size_t begin, std::size_t n, const std::int64_t* found) {
    std::copy_n(found, n, leaves + begin);
  });
}

template <class T>
void predict_tree(const Tree& tree, const Matrix<T>& x, const double* values, int k, int n_threads,
                  double* out) {
  const auto width = static_cast<std::size_t>(k);
  walk(tree, x, n_threads, [&](std::size_t begin, std::size_t n, const std::int64_t* found) {
    for (std::size_t i = 0; i < n; ++i) {
      const double* from = values + static_cast<std::size_t>(found[i]) * width;
      double* to = out + (begin + i) * width;
      for (std::size_t j = 0; j < width; ++j) to[j] = from[j];
    }
  });
}

template <class T>
void decision_path(const Tree& tree, const Matrix<T>& x, std::vector<std::int64_t>& offsets,
                   std::vector<std::int64_t>& nodes) {
  offsets.assign(1, 0);
  offsets.reserve(x.n_rows + 1);
  nodes.clear();
  for (std::size_t row = 0; row < x.n_rows; ++row) {
    NodeId node = 0;
    nodes.push_back(node);
    while (!tree.is_leaf(static_cast<std::size_t>(node))) {
      node = step(tree, node, x, row);
      nodes.push_back(node);
    }
    offsets.push_back(static_cast<std::int64_t>(nodes.size()));
  }
}

#define RAREWOOD_INSTANTIATE(T)                                                                   \
  template void apply_tree<T>(const Tree&, const Matrix<T>&, int, std::int64_t*);                 \
  template void predict_tree<T>(const Tree&, const Matrix<T>&, const double*, int, int, double*); \
  template void decision_path<T>(const Tree&, const Matrix<T>&, std::vector<std::int64_t>&,       \
                                 std::vector<std::int64_t>&);
RAREWOOD_INSTANTIATE(float)
RAREWOOD_INSTANTIATE(double)
#undef RAREWOOD_INSTANTIATE

}  // namespace rarewood

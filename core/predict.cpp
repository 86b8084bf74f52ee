#include "predict.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "finite.hpp"
#include "parallel.hpp"

namespace rarewood {

namespace {

constexpr std::size_t kBlockRows = 1024;  // stays in the second-level cache
constexpr std::size_t kLanes = 8;  // rows that walk down together, to hide the latency of loads

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

template <class T>
std::vector<PackedNode<T>> pack(const Tree& tree) {
  std::vector<PackedNode<T>> nodes(tree.n_nodes());
  constexpr auto kMissingLeft = std::numeric_limits<std::int32_t>::min();
  for (std::size_t v = 0; v < nodes.size(); ++v) {
    if (tree.is_leaf(v)) {
      nodes[v] = {std::numeric_limits<T>::infinity(), kMissingLeft, static_cast<NodeId>(v)};
      continue;
    }
    // The largest T that is not above the threshold separates the Ts exactly as the threshold.
    T threshold = static_cast<T>(tree.threshold[v]);
    if (static_cast<double>(threshold) > tree.threshold[v]) {
      threshold = std::nextafter(threshold, -std::numeric_limits<T>::infinity());
    }
    const std::int32_t flag = tree.missing_child[v] == 0 ? kMissingLeft : 0;
    nodes[v] = {threshold, tree.feature[v] | flag, tree.first_child[v]};
  }
  return nodes;
}

// Walks kLanes rows at once. A comparison with a missing value is false: x > threshold keeps it
// left, !(x <= threshold) sends it right.
template <class T>
void walk_lanes(const std::vector<PackedNode<T>>& nodes, const std::array<const T*, kLanes>& rows,
                std::ptrdiff_t column_stride, std::int64_t* leaves) {
  std::array<NodeId, kLanes> at{};
  for (bool is_moving = true; is_moving;) {
    is_moving = false;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const PackedNode<T>& node = nodes[static_cast<std::size_t>(at[lane])];
      const T x = rows[lane][(node.feature & kFeatureMask) * column_stride];
      const int is_above = x > node.threshold;
      const int is_not_below = !(x <= node.threshold);
      const NodeId next = node.first_child + (node.feature < 0 ? is_above : is_not_below);
      is_moving |= next != at[lane];
      at[lane] = next;
    }
  }
  for (std::size_t lane = 0; lane < kLanes; ++lane) leaves[lane] = at[lane];
}

// A block is about to be read anyway: looking at all of it costs little more.
template <class T>
void check_block(const Matrix<T>& x, std::size_t begin, std::size_t n) {
  bool is_infinite = false;
  if (x.column_stride == 1 && x.row_stride == static_cast<std::ptrdiff_t>(x.n_columns)) {
    is_infinite = any_infinite(&x.at(begin, 0), n * x.n_columns);
  } else {
    for (std::size_t f = 0; f < x.n_columns; ++f) {
      is_infinite |= any_infinite(&x.at(begin, f), n, x.row_stride);
    }
  }
  if (is_infinite) throw std::invalid_argument("X holds an infinite value.");
}

// Calls consume(first row, number of rows, leaves) for blocks of rows, on n_threads threads.
template <class T, class Consume>
void walk(const Tree& tree, const Matrix<T>& x, int n_threads, Consume&& consume) {
  const bool is_packable = tree.category.empty();
  const auto nodes = is_packable ? pack<T>(tree) : std::vector<PackedNode<T>>{};
  const std::size_t n_blocks = (x.n_rows + kBlockRows - 1) / kBlockRows;
  parallel_for(n_blocks, n_threads, [&](std::size_t block) {
    const std::size_t begin = block * kBlockRows, n = std::min(kBlockRows, x.n_rows - begin);
    check_block(x, begin, n);
    std::array<std::int64_t, kBlockRows> leaves;
    std::size_t i = 0;
    if (is_packable) {
      for (; i + kLanes <= n; i += kLanes) {
        std::array<const T*, kLanes> rows;
        for (std::size_t lane = 0; lane < kLanes; ++lane) rows[lane] = &x.at(begin + i + lane, 0);
        walk_lanes(nodes, rows, x.column_stride, leaves.data() + i);
      }
    }
    for (; i < n; ++i) leaves[i] = find_leaf(tree, x, begin + i);
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

#define RAREWOOD_INSTANTIATE(T)                                                                  \
  template void apply_tree<T>(const Tree&, const Matrix<T>&, int, std::int64_t*);                \
  template void predict_tree<T>(const Tree&, const Matrix<T>&, const double*, int, int, double*); \
  template void decision_path<T>(const Tree&, const Matrix<T>&, std::vector<std::int64_t>&,      \
                                 std::vector<std::int64_t>&);
RAREWOOD_INSTANTIATE(float)
RAREWOOD_INSTANTIATE(double)
#undef RAREWOOD_INSTANTIATE

}  // namespace rarewood

// From the values of rows to their leaves: the rows of a block are divided, node by node.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "base/multiversion.hpp"
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
  explicit Walker(std::size_t n_rows) : near_(n_rows + kDividedRows), far_(n_rows + kDividedRows) {}

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

  static constexpr std::size_t kFewRows = 3;           // walk one by one
  static constexpr std::size_t kCategoriesPerRow = 8;  // of a node, for which a table pays
  static constexpr std::size_t kMostCategories = std::size_t{1} << 18;  // of a table

  // Follows the first children. Those rows move to near_, the others remain in far_ and wait.
  template <class OnLeaf>
  void walk_first(const Tree& tree, const Matrix<T>& block, Group group, const OnLeaf& on_leaf) {
    const BlockRow* rows = far_.data() + group.begin;
    auto [node, begin, n] = group;
    for (;;) {
      const auto v = static_cast<std::size_t>(node);
      if (tree.is_leaf(v)) return on_leaf(node, rows, n);
      if (n <= kFewRows) return walk_singly(tree, block, node, rows, n, on_leaf);
      if (tree.n_children[v] > 2) return divide_many(tree, block, v, rows, {node, begin, n});
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

  // The rows of a node with two children: those of the first one move to near_, the others to
  // `second`.
  std::size_t divide_at(const Tree& tree, const Matrix<T>& block, std::size_t v,
                        const BlockRow* rows, std::size_t n, BlockRow* second) {
    if (tree.is_categorical(v)) return divide_categories(tree, block, v, rows, n, second);
    if (!tree.is_plane(v)) {
      return divide_by(OneValue<T>(tree, v, block), tree, v, rows, n, second);
    }
    if (tree.plane_offset[v + 1] - tree.plane_offset[v] == 2) {
      return divide_by(SumOfTwo<T>(tree, v, block), tree, v, rows, n, second);
    }
    return divide_by(SumOfMany<T>(tree, v, block), tree, v, rows, n, second);
  }

  template <class Tested>
  RAREWOOD_MULTIVERSION std::size_t divide_by(const Tested& tested, const Tree& tree, std::size_t v,
                                              const BlockRow* rows, std::size_t n,
                                              BlockRow* second) {
    using Value = typename Tested::Value;
    const auto threshold = round_down<Value>(tree.threshold[v]);
    // A comparison with a missing value is false.
    if (tree.missing_child[v] == 0) {
      return divide(rows, n, near_.data(), second,
                    [&](const TestedRows& four) __attribute__((always_inline)) {
                      Four<Value> values;
                      tested.evaluate(four, values);
                      return to_bits(values > threshold);
                    });
    }
    return divide(rows, n, near_.data(), second,
                  [&](const TestedRows& four) __attribute__((always_inline)) {
                    Four<Value> values;
                    tested.evaluate(four, values);
                    return to_bits(~(values <= threshold));
                  });
  }

  // Calls use(child_of), where child_of(value) is a child of a categorical node. For many rows the
  // categories of the node are entered into a table; otherwise each is searched.
  template <class Use>
  void with_categories(const Tree& tree, std::size_t v, std::size_t n, const Use& use) {
    const auto begin = static_cast<std::size_t>(tree.category_offset[v]);
    const auto end = static_cast<std::size_t>(tree.category_offset[v + 1]);
    const std::int32_t missing = tree.missing_child[v];
    const auto n_numbers = static_cast<std::size_t>(tree.category[end - 1]) + 1;  // ascending
    if (end - begin > kCategoriesPerRow * n || n_numbers > kMostCategories) {
      use([&](T x) { return tree.child_of_category(v, static_cast<double>(x)); });
      return;
    }
    if (turn_.size() < n_numbers) turn_.resize(n_numbers, 0);
    auto place = [&](std::size_t i) { return static_cast<std::size_t>(tree.category[i]); };
    for (std::size_t i = begin; i < end; ++i) turn_[place(i)] = tree.category_child[i] - missing;
    use([&](T x) {
      if (!(x >= 0 && x < static_cast<T>(n_numbers))) return missing;
      const auto number = static_cast<std::int32_t>(x);
      return missing + (static_cast<T>(number) == x ? turn_[static_cast<std::size_t>(number)] : 0);
    });
    for (std::size_t i = begin; i < end; ++i) turn_[place(i)] = 0;
  }

  std::size_t divide_categories(const Tree& tree, const Matrix<T>& block, std::size_t v,
                                const BlockRow* rows, std::size_t n, BlockRow* second) {
    std::size_t n_first = 0;
    with_categories(tree, v, n, [&](const auto& child_of) {
      n_first = divide(rows, n, near_.data(), second, [&](const TestedRows& four) {
        unsigned bits = 0;
        for (std::size_t lane = 0; lane < kTestedRows; ++lane) {
          bits |= static_cast<unsigned>(child_of(block.at(four[lane], tree.feature[v]))) << lane;
        }
        return bits;
      });
    });
    return n_first;
  }

  // The rows of a categorical node with many children wait at these.
  void divide_many(const Tree& tree, const Matrix<T>& block, std::size_t v, const BlockRow* rows,
                   const Group& group) {
    child_.resize(group.n);
    with_categories(tree, v, group.n, [&](const auto& child_of) {
      for (std::size_t i = 0; i < group.n; ++i) {
        child_[i] = child_of(block.at(rows[i], tree.feature[v]));
      }
    });
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
  // By category, the number of its child minus that of missing values; between nodes all are 0.
  std::vector<std::int32_t> turn_;
  std::vector<std::int32_t> child_;  // of each row of a node with many children
  std::vector<std::size_t> begin_;   // of the rows of each child
  std::vector<BlockRow> sorted_;     // by child
};

}  // namespace rarewood

// The branch that every row of a block follows at a node, whether or not it reaches the node.
#pragma once

#include <cmath>
#include <cstdint>

#include "model/tree.hpp"
#include "model/walker.hpp"
#include "table/columns.hpp"

namespace rarewood {

inline constexpr std::int32_t kDivided = -1;  // the row goes to every child

// The place among the children. Where missing values are divided, a category without training rows
// in the node has the place after the children.
template <class T>
void find_routes(const Tree& tree, std::size_t v, const Matrix<T>& block, bool divides_missing,
                 std::int32_t* route) {
  const std::int32_t missing = divides_missing ? kDivided : tree.missing_child[v];
  if (tree.is_plane(v)) {
    for (std::size_t row = 0; row < block.n_rows; ++row) {
      const double sum = sum_of(tree, v, block, row);
      route[row] = sum != sum ? missing : !(sum <= tree.threshold[v]);
    }
    return;
  }
  const T* const values = &block.at(0, static_cast<std::size_t>(tree.feature[v]));
  const std::ptrdiff_t stride = block.row_stride;
  for (std::size_t row = 0; row < block.n_rows; ++row) {
    const auto x = static_cast<double>(values[static_cast<std::ptrdiff_t>(row) * stride]);
    if (x != x) {
      route[row] = missing;
    } else if (tree.is_categorical(v)) {
      route[row] = tree.child_of_category(
          v, x, divides_missing ? tree.n_children[v] : tree.missing_child[v]);
    } else {
      route[row] = !(x <= tree.threshold[v]);
    }
  }
}

}  // namespace rarewood

#include "model/prune/error.hpp"

#include <algorithm>

#include "model/prune/pessimist.hpp"

namespace rarewood {

std::vector<char> error_leaves(const Tree& tree, double confidence) {
  const Pessimist pessimist(confidence);
  std::vector<char> becomes_leaf(tree.n_nodes(), 0);
  std::vector<double> expected(tree.n_nodes());
  for (std::size_t v = tree.n_nodes(); v-- > 0;) {  // children come after their parent
    double n = 0, most = 0;
    for (int j = 0; j < tree.n_classes; ++j) {
      n += tree.class_weight(v, j);
      most = std::max(most, tree.class_weight(v, j));
    }
    expected[v] = pessimist.errors(n, n - most);
    if (tree.is_leaf(v)) continue;
    double of_branch = 0;
    for (int i = 0; i < tree.n_children[v]; ++i) {
      of_branch += expected[tree.first_child[v] + i];
    }
    becomes_leaf[v] =
        expected[v] <= of_branch + 0.1;  // C4.5 prefers the leaf by a tenth of an error
    if (!becomes_leaf[v]) expected[v] = of_branch;
  }
  return becomes_leaf;
}

}  // namespace rarewood

#include "model/prune/fisher.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>

#include "base/interrupt.hpp"
#include "model/prune/fisher_test.hpp"

namespace rarewood {

namespace {

using Counts = std::span<const std::int64_t>;

// The class of which the largest fraction is in the node: not the most frequent one, which in a
// node eight times richer in a rare class is often still the other.
std::size_t enriched_class(Counts node, Counts all) {
  std::size_t best = 0;
  for (std::size_t j = 1; j < node.size(); ++j) {
    // Rows are numbered with 32 bits, so the products are exact. An absent class has no fraction.
    if (all[j] > 0 && (all[best] == 0 || node[j] * all[best] > node[best] * all[j])) best = j;
  }
  return best;
}

std::int64_t sum(Counts counts) { return std::reduce(counts.begin(), counts.end()); }

double p_value(Counts node, Counts all) {
  const std::size_t y = enriched_class(node, all);
  const std::int64_t a = node[y], b = all[y] - a, c = sum(node) - a, d = sum(all) - all[y] - c;
  return fisher_p_value({a, b, c, d});
}

}  // namespace

std::vector<double> fisher_p_values(const Tree& tree) {
  const auto k = static_cast<std::size_t>(tree.n_classes);
  const Counts all(tree.counts.data(), k);
  std::vector<double> p(tree.n_nodes());
  for (std::size_t v = 0; v < tree.n_nodes(); ++v) {
    check_interrupt();
    p[v] = p_value({tree.counts.data() + v * k, k}, all);
  }
  return p;
}

std::vector<double> fisher_levels(const Tree& tree, bool tests_leaves) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  std::vector<double> level = fisher_p_values(tree);
  for (std::size_t v = tree.n_nodes(); v-- > 1;) {  // children come after their parent
    if (tree.is_leaf(v)) {
      if (!tests_leaves) level[v] = kNever;
      continue;
    }
    const auto first = level.begin() + tree.first_child[v];
    level[v] = std::min(level[v], *std::min_element(first, first + tree.n_children[v]));
  }
  level[0] = -kNever;
  return level;
}

std::vector<char> fisher_leaves(const Tree& tree, double threshold, bool tests_leaves) {
  const std::vector<double> level = fisher_levels(tree, tests_leaves);
  std::vector<char> becomes_leaf(tree.n_nodes());
  std::transform(level.begin(), level.end(), becomes_leaf.begin(),
                 [threshold](double p) { return !(p < threshold); });
  return becomes_leaf;
}

}  // namespace rarewood

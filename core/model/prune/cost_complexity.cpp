#include "model/prune/cost_complexity.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>

#include "base/interrupt.hpp"

namespace rarewood {

namespace {

double impurity_of(const Tree& tree, std::size_t v, double total, Impurity kind) {
  double sum = 0;
  for (int j = 0; j < tree.n_classes; ++j) {
    const double n = tree.class_weight(v, j), p = n / total;
    if (n == 0) continue;
    sum += kind == Impurity::kGini ? p * ((total - n) / total) : -p * std::log(p);
  }
  return sum;
}

// Impurity of every node, times its fraction of the (weighted) rows.
std::vector<double> weighted_impurities(const Tree& tree, Impurity kind) {
  std::vector<double> out(tree.n_nodes());
  double all = 0;
  for (std::size_t v = 0; v < tree.n_nodes(); ++v) {
    const double total = tree.node_weight(v);
    if (v == 0) all = total;
    out[v] = total > 0 ? total / all * impurity_of(tree, v, total, kind) : 0;
  }
  return out;
}

// The branches that are left, and what each loses when it becomes a leaf.
class WeakestLinks {
 public:
  WeakestLinks(const Tree& tree, Impurity impurity)
      : own_(weighted_impurities(tree, impurity)),
        branch_(own_),
        n_leaves_(tree.n_nodes(), 1),
        parent_(tree.n_nodes(), -1) {
    for (std::size_t v = tree.n_nodes(); v-- > 0;) {
      if (tree.is_leaf(v)) continue;
      branch_[v] = 0;
      n_leaves_[v] = 0;
      for (int i = 0; i < tree.n_children[v]; ++i) {
        const auto child = static_cast<std::size_t>(tree.first_child[v] + i);
        parent_[child] = static_cast<NodeId>(v);
        branch_[v] += branch_[child];
        n_leaves_[v] += n_leaves_[child];
      }
      links_.push({price(v), v});
    }
  }

  double impurity() const { return branch_[0]; }
  bool is_single_leaf() const { return n_leaves_[0] == 1; }

  // Makes the weakest branch a leaf and returns its price.
  double cut() {
    for (;;) {
      check_interrupt();
      const auto [old, v] = links_.top();
      links_.pop();
      // Prices that have changed since, and branches that are gone, are passed over.
      if (n_leaves_[v] == 1 || old != price(v) || is_gone(v)) continue;
      const double more = own_[v] - branch_[v];
      const std::int64_t fewer = n_leaves_[v] - 1;
      branch_[v] = own_[v];
      n_leaves_[v] = 1;
      for (NodeId up = parent_[v]; up >= 0; up = parent_[up]) {
        const auto u = static_cast<std::size_t>(up);
        branch_[u] += more;
        n_leaves_[u] -= fewer;
        links_.push({price(u), u});
      }
      return old;
    }
  }

 private:
  using Link = std::pair<double, std::size_t>;  // of equal prices, the node nearest to the root

  double price(std::size_t v) const {
    return (own_[v] - branch_[v]) / static_cast<double>(n_leaves_[v] - 1);
  }

  bool is_gone(std::size_t v) const {
    for (NodeId up = parent_[v]; up >= 0; up = parent_[up]) {
      if (n_leaves_[up] == 1) return true;
    }
    return false;
  }

  std::vector<double> own_, branch_;
  std::vector<std::int64_t> n_leaves_;
  std::vector<NodeId> parent_;
  std::priority_queue<Link, std::vector<Link>, std::greater<>> links_;
};

}  // namespace

std::vector<char> cost_complexity_leaves(const Tree& tree, double alpha, Impurity impurity) {
  const std::vector<double> own = weighted_impurities(tree, impurity);
  std::vector<char> becomes_leaf(tree.n_nodes(), 0);
  std::vector<double> cost(tree.n_nodes());
  for (std::size_t v = tree.n_nodes(); v-- > 0;) {  // children come after their parent
    cost[v] = own[v] + alpha;
    if (tree.is_leaf(v)) continue;
    double of_branch = 0;
    for (int i = 0; i < tree.n_children[v]; ++i) {
      of_branch += cost[tree.first_child[v] + i];
    }
    // A price taken from the path must cut the branch that it is the price of, rounding or not.
    becomes_leaf[v] = cost[v] <= of_branch + 1e-12;
    if (!becomes_leaf[v]) cost[v] = of_branch;
  }
  return becomes_leaf;
}

CostComplexityPath cost_complexity_path(const Tree& tree, Impurity impurity) {
  WeakestLinks links(tree, impurity);
  CostComplexityPath path{{0.0}, {links.impurity()}};
  while (!links.is_single_leaf()) {
    // Rounding may make a price a little smaller than the one before it.
    path.alphas.push_back(std::max(links.cut(), path.alphas.back()));
    path.impurities.push_back(links.impurity());
  }
  return path;
}

}  // namespace rarewood

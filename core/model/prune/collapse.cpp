#include "model/prune/collapse.hpp"

#include <algorithm>
#include <limits>

#include "base/multiversion.hpp"
#include "base/throw_if.hpp"

namespace rarewood {

namespace {

// Adds the moments of a child to those of its parent, whose probability is `shift` less, for many
// limits at once.
RAREWOOD_MULTIVERSION void add_moments(std::size_t n, double weight, double shift,
                                       const double* __restrict child_first,
                                       const double* __restrict child_second,
                                       double* __restrict first, double* __restrict second) {
  const double own_first = weight * shift, own_second = weight * shift * shift, twice = 2 * shift;
  for (std::size_t i = 0; i < n; ++i) {
    first[i] += child_first[i] + own_first;
    second[i] += child_second[i] + twice * child_first[i] + own_second;
  }
}

// Without smoothing, the probability of an absent class is 0 or what rounding leaves of it.
double without_rounding(double p) { return p > std::numeric_limits<double>::epsilon() ? p : 0.0; }

// How many weak splits in succession end in each node, nodes x limits. Below kMostWeak of them
// there are no splits.
std::vector<char> weak_splits(const Tree& tree, std::span<const double> p,
                              std::span<const double> limits) {
  const std::size_t k = tree.n_classes, m = limits.size();
  std::vector<char> n_weak(tree.n_nodes() * m, 0);
  for (std::size_t v = 0; v < tree.n_nodes(); ++v) {  // parents come before their children
    if (tree.is_leaf(v)) continue;
    double explained = 0;
    int n_classes = 0;
    for (std::size_t j = 0; j < k; ++j) {
      const double own = without_rounding(p[v * k + j]);
      double moved = 0;
      for (std::int32_t i = 0; i < tree.n_children[v]; ++i) {
        const auto child = static_cast<std::size_t>(tree.first_child[v] + i);
        const double change = without_rounding(p[child * k + j]) - own;
        moved += tree.node_weight(child) * change * change;
      }
      n_classes += own > 0;
      if (own > 0 || moved > 0) explained += moved / own;  // infinite where p is 0
    }
    const double cost = static_cast<double>(tree.n_children[v] - 1) * (n_classes - 1);
    for (std::size_t c = 0; c < m; ++c) {
      const char above = n_weak[v * m + c];
      const bool is_weak = explained <= limits[c] * cost;
      const char below = is_weak ? static_cast<char>(std::min(above + 1, kMostWeak)) : char{0};
      for (std::int32_t i = 0; i < tree.n_children[v]; ++i) {
        const auto child = static_cast<std::size_t>(tree.first_child[v] + i);
        n_weak[child * m + c] = above < kMostWeak ? below : above;
      }
    }
  }
  return n_weak;
}

// First and second moments of the leaves of every subtree about the probabilities of its root,
// weighted, class by class and for each limit. Moments about the own root do not cancel where
// changes are small.
class LeafMoments {
 public:
  LeafMoments(const Tree& tree, std::span<const double> p, std::span<const double> limits)
      : tree_(tree),
        p_(p),
        limits_(limits),
        k_(tree.n_classes),
        m_(limits.size()),
        first_(p.size() * m_, 0.0),
        second_(p.size() * m_, 0.0),
        n_leaves_(tree.n_nodes() * m_, 1.0),
        n_weak_(weak_splits(tree, p, limits)),
        explained_(m_) {}

  // Adds up the children of node v, which must be complete.
  void add_children(std::size_t v) {
    double* const n_leaves = n_leaves_.data() + v * m_;
    std::fill_n(n_leaves, m_, 0.0);
    for (std::int32_t i = 0; i < tree_.n_children[v]; ++i) {
      const auto child = static_cast<std::size_t>(tree_.first_child[v] + i);
      for (std::size_t c = 0; c < m_; ++c) n_leaves[c] += n_leaves_[child * m_ + c];
      for (std::size_t j = 0; j < k_; ++j) {
        const std::size_t from = (child * k_ + j) * m_, to = (v * k_ + j) * m_;
        add_moments(m_, tree_.node_weight(child), p(child, j) - p(v, j), &first_[from],
                    &second_[from], &first_[to], &second_[to]);
      }
    }
  }

  // Makes node v a leaf for the limits under which its subtree explains too little.
  void collapse(std::size_t v, char* becomes_leaf) {
    std::fill(explained_.begin(), explained_.end(), 0.0);
    int n_classes = 0;
    for (std::size_t j = 0; j < k_; ++j) {
      const double own = p(v, j);
      const double* const second = second_.data() + (v * k_ + j) * m_;
      n_classes += own > 0;
      for (std::size_t c = 0; c < m_; ++c) {
        if (own > 0 || second[c] > 0) explained_[c] += second[c] / own;  // infinite where it is 0
      }
    }
    for (std::size_t c = 0; c < m_; ++c) {
      double& n_leaves = n_leaves_[v * m_ + c];
      const bool explains_little = explained_[c] < std::numeric_limits<double>::infinity() &&
                                   explained_[c] <= limits_[c] * (n_leaves - 1) * (n_classes - 1);
      becomes_leaf[c] = limits_[c] > 0 && (explains_little || n_weak_[v * m_ + c] == kMostWeak);
      if (!becomes_leaf[c]) continue;
      n_leaves = 1;
      for (std::size_t j = 0; j < k_; ++j) {
        first_[(v * k_ + j) * m_ + c] = second_[(v * k_ + j) * m_ + c] = 0;
      }
    }
  }

 private:
  double p(std::size_t v, std::size_t j) const { return without_rounding(p_[v * k_ + j]); }

  const Tree& tree_;
  std::span<const double> p_;
  std::span<const double> limits_;
  std::size_t k_, m_;                   // classes, limits
  std::vector<double> first_, second_;  // nodes x classes x limits
  std::vector<double> n_leaves_;        // nodes x limits
  std::vector<char> n_weak_;            // nodes x limits: weak splits in succession above
  std::vector<double> explained_;
};

}  // namespace

std::vector<char> collapsed_nodes(const Tree& tree, std::span<const double> p,
                                  std::span<const double> limits) {
  throw_if(!std::all_of(limits.begin(), limits.end(), [](double limit) { return limit >= 0; }),
           "collapse must be at least 0.");
  std::vector<char> becomes_leaf(tree.n_nodes() * limits.size(), 0);
  if (std::all_of(limits.begin(), limits.end(), [](double limit) { return limit == 0; })) {
    return becomes_leaf;
  }
  LeafMoments moments(tree, p, limits);
  for (std::size_t v = tree.n_nodes(); v-- > 0;) {  // children come after their parents
    if (tree.is_leaf(v)) continue;
    moments.add_children(v);
    moments.collapse(v, becomes_leaf.data() + v * limits.size());
  }
  return becomes_leaf;
}

}  // namespace rarewood

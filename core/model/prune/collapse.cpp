#include "model/prune/collapse.hpp"

#include "base/throw_if.hpp"

namespace rarewood {

namespace {

// First and second moments of the leaves of every subtree about the probabilities of its root,
// weighted, class by class. Moments about the own root do not cancel where changes are small.
class LeafMoments {
 public:
  LeafMoments(const Tree& tree, std::span<const double> p)
      : tree_(tree),
        p_(p),
        k_(tree.n_classes),
        first_(p.size(), 0.0),
        second_(p.size(), 0.0),
        n_leaves_(tree.n_nodes(), 1) {}

  // Adds up the children of node v, which must be complete.
  void add_children(std::size_t v) {
    n_leaves_[v] = 0;
    for (std::int32_t i = 0; i < tree_.n_children[v]; ++i) {
      const auto child = static_cast<std::size_t>(tree_.first_child[v] + i);
      n_leaves_[v] += n_leaves_[child];
      const double weight = tree_.node_weight(child);
      for (std::size_t j = 0; j < k_; ++j) {
        const double shift = p_[child * k_ + j] - p_[v * k_ + j], first = first_[child * k_ + j];
        first_[v * k_ + j] += first + weight * shift;
        second_[v * k_ + j] += second_[child * k_ + j] + 2 * shift * first + weight * shift * shift;
      }
    }
  }

  bool explains_at_most(std::size_t v, double limit) const {
    double explained = 0;
    int n_classes = 0;
    for (std::size_t j = 0; j < k_; ++j) {
      const double p = p_[v * k_ + j], second = second_[v * k_ + j];
      n_classes += p > 0;
      if (p > 0) {
        explained += second / p;
      } else if (second > 0) {
        return false;
      }
    }
    return explained <= limit * static_cast<double>(n_leaves_[v] - 1) * (n_classes - 1);
  }

  void make_leaf(std::size_t v) {
    n_leaves_[v] = 1;
    for (std::size_t j = 0; j < k_; ++j) first_[v * k_ + j] = second_[v * k_ + j] = 0;
  }

 private:
  const Tree& tree_;
  std::span<const double> p_;
  std::size_t k_;
  std::vector<double> first_, second_;
  std::vector<std::int64_t> n_leaves_;
};

}  // namespace

std::vector<char> collapsed_nodes(const Tree& tree, std::span<const double> p, double limit) {
  throw_if(!(limit >= 0), "collapse must be at least 0.");
  std::vector<char> becomes_leaf(tree.n_nodes(), 0);
  if (limit == 0) return becomes_leaf;
  LeafMoments moments(tree, p);
  for (std::size_t v = tree.n_nodes(); v-- > 0;) {  // children come after their parents
    if (tree.is_leaf(v)) continue;
    moments.add_children(v);
    if (!moments.explains_at_most(v, limit)) continue;
    moments.make_leaf(v);
    becomes_leaf[v] = 1;
  }
  return becomes_leaf;
}

}  // namespace rarewood

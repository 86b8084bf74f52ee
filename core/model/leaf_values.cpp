// Class probabilities from counts.
#include <algorithm>
#include <stdexcept>

#include "model/tree.hpp"

namespace rarewood {

namespace {

// Hierarchical shrinkage (Agarwal et al. 2022): from the root down, a node's probability is its
// parent's plus the change of the raw shares, damped where the parent is small.
void shrink(const Tree& tree, double strength, std::vector<double>& p) {
  const auto k = static_cast<std::size_t>(tree.n_classes);
  const std::vector<double> raw = p;
  for (std::size_t v = 0; v < tree.n_nodes(); ++v) {  // parents come before their children
    if (tree.is_leaf(v)) continue;
    double weight = 0;
    for (int j = 0; j < tree.n_classes; ++j) weight += tree.class_weight(v, j);
    const double keep = weight > 0 ? 1.0 / (1.0 + strength / weight) : 0.0;
    for (std::int32_t i = 0; i < tree.n_children[v]; ++i) {
      const auto child = static_cast<std::size_t>(tree.first_child[v] + i);
      for (std::size_t j = 0; j < k; ++j) {
        const double moved = p[v * k + j] + keep * (raw[child * k + j] - raw[v * k + j]);
        p[child * k + j] = std::clamp(moved, 0.0, 1.0);  // rounding may step outside
      }
    }
  }
}

}  // namespace

std::vector<double> node_probabilities(const Tree& tree, LeafKind kind, double strength) {
  if (!(strength >= 0)) throw std::invalid_argument("leaf_strength must be at least 0.");
  const auto k = static_cast<std::size_t>(tree.n_classes);
  std::vector<double> p(tree.n_nodes() * k);
  double root = 0;
  for (int j = 0; j < tree.n_classes; ++j) root += tree.class_weight(0, j);
  for (std::size_t v = 0; v < tree.n_nodes(); ++v) {
    double total = 0;
    for (int j = 0; j < tree.n_classes; ++j) total += tree.class_weight(v, j);
    for (int j = 0; j < tree.n_classes; ++j) {
      const double n = tree.class_weight(v, j);
      double& out = p[v * k + static_cast<std::size_t>(j)];
      const double prior = root > 0 ? tree.class_weight(0, j) / root : 1.0 / static_cast<double>(k);
      switch (kind) {
        case LeafKind::kLaplace:  // strength rows of each class are added
          out = total + strength > 0 ? (n + strength) / (total + strength * static_cast<double>(k))
                                     : prior;
          break;
        case LeafKind::kMEstimate:
          out = total + strength > 0 ? (n + strength * prior) / (total + strength) : prior;
          break;
        case LeafKind::kRaw:
        case LeafKind::kShrunk:
          out = total > 0 ? n / total : prior;
          break;
      }
    }
  }
  if (kind == LeafKind::kShrunk) shrink(tree, strength, p);
  return p;
}

}  // namespace rarewood

#include "model/monotonic.hpp"

#include <algorithm>
#include <cmath>

#include "base/throw_if.hpp"

namespace rarewood {

namespace {

// Calls visit(order) for every term of a numeric split that orders its children. Where all present
// values go left, the constraint of the feature orders nothing.
template <class Visit>
void visit_orders(const Tree& tree, std::size_t v, Visit&& visit) {
  if (tree.is_leaf(v) || tree.is_categorical(v) || !std::isfinite(tree.threshold[v])) return;
  auto visit_term = [&](std::int32_t feature, double weight) {
    const int order = order_of(tree.monotonic[static_cast<std::size_t>(feature)], weight);
    if (order != 0) visit(order);
  };
  if (!tree.is_plane(v)) return visit_term(tree.feature[v], 1.0);
  for (auto i = tree.plane_offset[v]; i < tree.plane_offset[v + 1]; ++i) {
    visit_term(tree.plane_feature[i], tree.plane_weight[i]);
  }
}

}  // namespace

void bound_values(const Tree& tree, std::vector<double>& values) {
  struct Bounds {
    double low = 0, high = 1;
  };
  std::vector<Bounds> bounds(tree.n_nodes());
  auto bounded = [&](std::size_t v, const Bounds& by) {
    return std::clamp(values[2 * v + 1], by.low, by.high);
  };
  for (std::size_t v = 0; v < tree.n_nodes(); ++v) {  // parents come before their children
    values[2 * v + 1] = bounded(v, bounds[v]);
    values[2 * v] = 1 - values[2 * v + 1];  // so that the order of both classes is exact
    if (tree.is_leaf(v)) continue;
    const auto left = static_cast<std::size_t>(tree.first_child[v]);
    std::fill_n(bounds.begin() + tree.first_child[v], tree.n_children[v], bounds[v]);
    int order = 0;
    visit_orders(tree, v, [&](int of_term) { order = of_term; });
    if (order == 0) continue;
    const double from = bounded(left, bounds[v]), to = bounded(left + 1, bounds[v]);
    const double middle = from + (to - from) / 2;
    Bounds& lower = bounds[order > 0 ? left : left + 1];
    Bounds& upper = bounds[order > 0 ? left + 1 : left];
    lower.high = upper.low = middle;
  }
}

void check_monotonic(const Tree& tree) {
  if (tree.monotonic.empty()) return;
  throw_if(tree.monotonic.size() != static_cast<std::size_t>(tree.n_features),
           "monotonic constraints must have one entry per feature.");
  throw_if(tree.n_classes != 2, "monotonic constraints need two classes.");
  for (std::int32_t constraint : tree.monotonic) {
    throw_if(constraint < -1 || constraint > 1, "monotonic constraints must be -1, 0 or 1.");
  }
  for (std::size_t v = 0; v < tree.n_nodes(); ++v) {
    throw_if(tree.is_categorical(v) && tree.monotonic[tree.feature[v]] != 0,
             "not a valid tree: a categorical feature has a monotonic constraint.");
    int first = 0;
    visit_orders(tree, v, [&](int order) {
      throw_if(first != 0 && order != first, "not a valid tree: the hyperplane of node ", v,
               " contradicts the monotonic constraints.");
      first = order;
    });
  }
}

}  // namespace rarewood

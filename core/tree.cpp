#include "tree.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace rarewood {

std::int32_t Tree::child_of_category(std::size_t v, double x) const {
  const auto begin = category.begin() + category_offset[v];
  const auto end = category.begin() + category_offset[v + 1];
  if (!(x >= 0 && x < static_cast<double>(kMaxCategories))) return missing_child[v];
  const auto found = std::lower_bound(begin, end, static_cast<std::int32_t>(x));
  if (found == end || *found != x) return missing_child[v];
  return category_child[static_cast<std::size_t>(found - category.begin())];
}

namespace {

void require(bool holds, const std::string& what) {
  if (!holds) throw std::invalid_argument("not a valid tree: " + what + ".");
}

void check_plane(const Tree& tree, std::size_t v, const std::string& node) {
  const auto begin = static_cast<std::size_t>(tree.plane_offset[v]);
  const auto end = static_cast<std::size_t>(tree.plane_offset[v + 1]);
  require(tree.plane_feature[begin] == tree.feature[v], node + " has two leading features");
  for (std::size_t i = begin; i < end; ++i) {
    require(tree.plane_feature[i] >= 0 && tree.plane_feature[i] < tree.n_features,
            node + " tests a feature that does not exist");
    require(std::isfinite(tree.plane_weight[i]), node + " has a weight that is not finite");
  }
}

void check_node(const Tree& tree, std::size_t v, std::vector<bool>& has_parent) {
  const std::string node = "node " + std::to_string(v);
  if (tree.feature[v] < 0) {
    require(tree.n_children[v] == 0 && !tree.is_nominal(v) && !tree.is_plane(v),
            node + " is a leaf with children");
    return;
  }
  require(tree.feature[v] < tree.n_features, node + " tests a feature that does not exist");
  const std::int64_t first = tree.first_child[v], count = tree.n_children[v];
  require(count >= 2 && first > static_cast<std::int64_t>(v) &&
              first + count <= static_cast<std::int64_t>(tree.n_nodes()),
          node + " has children outside the tree");
  require(tree.missing_child[v] >= 0 && tree.missing_child[v] < count,
          node + " sends missing values nowhere");
  for (std::int64_t child = first; child < first + count; ++child) {
    require(!has_parent[static_cast<std::size_t>(child)],
            "node " + std::to_string(child) + " has two parents");
    has_parent[static_cast<std::size_t>(child)] = true;
  }
  if (!tree.is_nominal(v)) {
    require(count == 2 && !std::isnan(tree.threshold[v]), node + " has no threshold");
    if (tree.is_plane(v)) check_plane(tree, v, node);
    return;
  }
  for (std::int64_t i = tree.category_offset[v]; i < tree.category_offset[v + 1]; ++i) {
    const auto at = static_cast<std::size_t>(i);
    require(
        tree.category[at] >= 0 && tree.category_child[at] >= 0 && tree.category_child[at] < count,
        node + " sends a category nowhere");
    require(i == tree.category_offset[v] || tree.category[at - 1] < tree.category[at],
            node + " has unsorted categories");
  }
}

}  // namespace

void Tree::check() const {
  const std::size_t n = n_nodes();
  require(n >= 1 && n_classes >= 1 && n_features >= 1, "it is empty");
  require(threshold.size() == n && first_child.size() == n && n_children.size() == n &&
              missing_child.size() == n && gain.size() == n && category_offset.size() == n + 1,
          "its arrays differ in length");
  const std::size_t cells = n * static_cast<std::size_t>(n_classes);
  require(counts.size() == cells && (weighted_counts.empty() || weighted_counts.size() == cells),
          "its counts do not fit nodes x classes");
  require(category.size() == category_child.size() && category_offset.front() == 0 &&
              category_offset.back() == static_cast<std::int64_t>(category.size()) &&
              std::is_sorted(category_offset.begin(), category_offset.end()),
          "its category sets are broken");
  require(plane_feature.size() == plane_weight.size() &&
              (plane_offset.empty()
                   ? plane_feature.empty()
                   : plane_offset.size() == n + 1 && plane_offset.front() == 0 &&
                         plane_offset.back() == static_cast<std::int64_t>(plane_feature.size()) &&
                         std::is_sorted(plane_offset.begin(), plane_offset.end())),
          "its hyperplanes are broken");
  std::vector<bool> has_parent(n, false);
  for (std::size_t v = 0; v < n; ++v) check_node(*this, v, has_parent);
  for (std::size_t v = 1; v < n; ++v) {
    require(has_parent[v], "node " + std::to_string(v) + " has no parent");
  }
}

}  // namespace rarewood

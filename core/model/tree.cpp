#include "model/tree.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/throw_if.hpp"
#include "model/monotonic.hpp"

namespace rarewood {

std::int32_t Tree::child_of_category(std::size_t v, double x, std::int32_t otherwise) const {
  const auto begin = category.begin() + category_offset[v];
  const auto end = category.begin() + category_offset[v + 1];
  if (!(x >= 0 && x < static_cast<double>(kMaxCategories))) return otherwise;
  const auto found = std::lower_bound(begin, end, static_cast<std::int32_t>(x));
  if (found == end || *found != x) return otherwise;
  return category_child[found - category.begin()];
}

Tree Tree::take(std::span<const NodeId> from, std::vector<NodeId> new_first_child) const {
  Tree out;
  out.n_classes = n_classes;
  out.n_features = n_features;
  out.monotonic = monotonic;
  auto copy = [&]<class V>(std::vector<V> Tree::* array, std::size_t width = 1) {
    if ((this->*array).empty()) return;
    (out.*array).reserve(from.size() * width);
    for (NodeId v : from) {
      const auto at = (this->*array).begin() + static_cast<std::ptrdiff_t>(v * width);
      (out.*array).insert((out.*array).end(), at, at + static_cast<std::ptrdiff_t>(width));
    }
  };
  copy(&Tree::feature);
  copy(&Tree::threshold);
  copy(&Tree::n_children);
  copy(&Tree::missing_child);
  copy(&Tree::gain);
  copy(&Tree::counts, n_classes);
  copy(&Tree::weighted_counts, n_classes);
  out.first_child = std::move(new_first_child);
  // The lists of inner nodes: `offset` is where each begins in an array.
  auto copy_lists = [&]<class V>(std::vector<std::int64_t> Tree::* offset,
                                 std::vector<V> Tree::* array) {
    (out.*offset).assign(1, 0);
    for (std::size_t i = 0; i < from.size(); ++i) {
      const auto at = (this->*offset).begin() + from[i];
      const auto begin = (this->*array).begin();
      if (out.first_child[i] >= 0) {
        (out.*array).insert((out.*array).end(), begin + at[0], begin + at[1]);
      }
      (out.*offset).push_back(static_cast<std::int64_t>((out.*array).size()));
    }
  };
  copy_lists(&Tree::category_offset, &Tree::category);
  copy_lists(&Tree::category_offset, &Tree::category_child);
  if (!plane_offset.empty()) {
    copy_lists(&Tree::plane_offset, &Tree::plane_feature);
    copy_lists(&Tree::plane_offset, &Tree::plane_weight);
  }
  if (out.plane_feature.empty()) out.plane_offset.clear();
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (out.first_child[i] < 0) out.make_leaf(i);
  }
  for_each_array([&](const char*, auto array) { (out.*array).shrink_to_fit(); });
  return out;
}

namespace {

void require(bool holds, const std::string& what) {
  throw_if(!holds, "not a valid tree: ", what, ".");
}

void check_plane(const Tree& tree, std::size_t v, const std::string& node) {
  const auto begin = static_cast<std::size_t>(tree.plane_offset[v]);
  const auto end = static_cast<std::size_t>(tree.plane_offset[v + 1]);
  // The walker adds the first two terms of a plane at once and never looks for categories in it.
  require(end - begin >= 2, node + " has a hyperplane of one feature");
  require(!tree.is_categorical(v), node + " is categorical and a hyperplane");
  require(tree.plane_feature[begin] == tree.feature[v], node + " has two leading features");
  for (std::size_t i = begin; i < end; ++i) {
    require(tree.plane_feature[i] >= 0 && tree.plane_feature[i] < tree.n_features,
            node + " tests a feature that does not exist");
    require(std::isfinite(tree.plane_weight[i]), node + " has a weight that is not finite");
  }
}

// Tests of significance multiply counts, and look at what a node leaves of the root's.
void check_root_counts(const Tree& tree) {
  std::int64_t total = 0;
  for (std::size_t j = 0; j < static_cast<std::size_t>(tree.n_classes); ++j) {
    require(tree.counts[j] >= 0 && tree.counts[j] <= kMaxRows - total,
            "its root has a negative count, or more rows than there can be");
    total += tree.counts[j];
  }
  require(total > 0, "its root has no rows");
}

// Weights are sums of weights of rows, so that no node has more than the root, but for rounding.
void check_weights(const Tree& tree) {
  const auto is_weight = [](double w) { return w >= 0 && std::isfinite(w); };
  require(std::all_of(tree.weighted_counts.begin(), tree.weighted_counts.end(), is_weight),
          "a weight is negative or not finite");
  const double root = tree.node_weight(0);
  require(std::isfinite(root), "the weight of its root is not finite");
  for (std::size_t v = 1; v < tree.n_nodes() && !tree.weighted_counts.empty(); ++v) {
    throw_if(tree.node_weight(v) > root * (1 + 1e-6), "not a valid tree: node ", v,
             " has a larger weight than the root.");
  }
}

void check_child_counts(const Tree& tree, std::size_t parent, std::size_t child) {
  const auto k = static_cast<std::size_t>(tree.n_classes);
  for (std::size_t j = 0; j < k; ++j) {
    const std::int64_t count = tree.counts[child * k + j];
    require(count >= 0 && count <= tree.counts[parent * k + j],
            "node " + std::to_string(child) + " has a negative count, or more than its parent");
  }
}

void check_node(const Tree& tree, std::size_t v, std::vector<bool>& has_parent) {
  const std::string node = "node " + std::to_string(v);
  require(tree.gain[v] > -std::numeric_limits<double>::infinity(), node + " has no valid gain");
  if (tree.feature[v] < 0) {
    require(tree.n_children[v] == 0 && !tree.is_categorical(v) && !tree.is_plane(v),
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
    require(!has_parent[child], "node " + std::to_string(child) + " has two parents");
    has_parent[child] = true;
    check_child_counts(tree, v, static_cast<std::size_t>(child));
  }
  if (tree.is_plane(v)) check_plane(tree, v, node);
  if (!tree.is_categorical(v)) {
    require(count == 2 && !std::isnan(tree.threshold[v]), node + " has no threshold");
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
  check_root_counts(*this);
  check_weights(*this);
  std::vector<bool> has_parent(n, false);
  for (std::size_t v = 0; v < n; ++v) check_node(*this, v, has_parent);
  for (std::size_t v = 1; v < n; ++v) {
    require(has_parent[v], "node " + std::to_string(v) + " has no parent");
  }
  check_monotonic(*this);
}

}  // namespace rarewood

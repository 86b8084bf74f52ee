#include "model/prune/cut_back.hpp"

#include <algorithm>
#include <limits>

namespace rarewood {

namespace {

// New numbers of the nodes that stay, in their order; -1 for the others. Children keep standing
// side by side behind their parent, since they stay or go together.
std::vector<NodeId> number_nodes(const Tree& tree, const std::vector<char>& becomes_leaf) {
  std::vector<NodeId> number(tree.n_nodes(), -1);
  std::vector<char> stays(tree.n_nodes(), 0);
  stays[0] = 1;
  NodeId next = 0;
  for (std::size_t v = 0; v < tree.n_nodes(); ++v) {
    if (!stays[v]) continue;
    number[v] = next++;
    if (tree.is_leaf(v) || becomes_leaf[v]) continue;
    std::fill_n(stays.begin() + tree.first_child[v], tree.n_children[v], char{1});
  }
  return number;
}

class Copy {
 public:
  Copy(const Tree& from, std::size_t n_nodes)
      : from_(from), has_planes_(!from.plane_offset.empty()) {
    to_.n_classes = from.n_classes;
    to_.n_features = from.n_features;
    auto reserve = [n_nodes](auto&... arrays) { (arrays.reserve(n_nodes), ...); };
    reserve(to_.feature, to_.threshold, to_.first_child, to_.n_children, to_.missing_child,
            to_.gain);
    to_.category_offset.reserve(n_nodes + 1);
    to_.counts.reserve(n_nodes * k());
    if (!from.weighted_counts.empty()) to_.weighted_counts.reserve(n_nodes * k());
    if (has_planes_) to_.plane_offset.assign(1, 0);
  }

  void add_leaf(std::size_t v) {
    add(v, -1, std::numeric_limits<double>::quiet_NaN(), -1, 0, -1, 0.0);
    close_lists();
  }

  void add_inner(std::size_t v, NodeId first_child) {
    add(v, from_.feature[v], from_.threshold[v], first_child, from_.n_children[v],
        from_.missing_child[v], from_.gain[v]);
    append(to_.category, from_.category, from_.category_offset, v);
    append(to_.category_child, from_.category_child, from_.category_offset, v);
    if (has_planes_) {
      append(to_.plane_feature, from_.plane_feature, from_.plane_offset, v);
      append(to_.plane_weight, from_.plane_weight, from_.plane_offset, v);
    }
    close_lists();
  }

  Tree finish() {
    if (to_.plane_feature.empty()) to_.plane_offset.clear();
    auto shrink = [](auto&... arrays) { (arrays.shrink_to_fit(), ...); };
    shrink(to_.category, to_.category_child, to_.plane_offset, to_.plane_feature, to_.plane_weight);
    return std::move(to_);
  }

 private:
  std::size_t k() const { return static_cast<std::size_t>(from_.n_classes); }

  void add(std::size_t v, std::int32_t feature, double threshold, NodeId first_child,
           std::int32_t n_children, std::int32_t missing_child, double gain) {
    to_.feature.push_back(feature);
    to_.threshold.push_back(threshold);
    to_.first_child.push_back(first_child);
    to_.n_children.push_back(n_children);
    to_.missing_child.push_back(missing_child);
    to_.gain.push_back(gain);
    const auto begin = static_cast<std::ptrdiff_t>(v * k()), end = begin + from_.n_classes;
    to_.counts.insert(to_.counts.end(), from_.counts.begin() + begin, from_.counts.begin() + end);
    if (from_.weighted_counts.empty()) return;
    to_.weighted_counts.insert(to_.weighted_counts.end(), from_.weighted_counts.begin() + begin,
                               from_.weighted_counts.begin() + end);
  }

  template <class T>
  static void append(std::vector<T>& to, const std::vector<T>& from,
                     const std::vector<std::int64_t>& offset, std::size_t v) {
    to.insert(to.end(), from.begin() + offset[v], from.begin() + offset[v + 1]);
  }

  void close_lists() {
    to_.category_offset.push_back(static_cast<std::int64_t>(to_.category.size()));
    if (has_planes_)
      to_.plane_offset.push_back(static_cast<std::int64_t>(to_.plane_feature.size()));
  }

  const Tree& from_;
  bool has_planes_;
  Tree to_;
};

}  // namespace

Tree cut_back(const Tree& tree, const std::vector<char>& becomes_leaf) {
  const std::vector<NodeId> number = number_nodes(tree, becomes_leaf);
  const auto n_nodes = std::count_if(number.begin(), number.end(), [](NodeId v) { return v >= 0; });
  Copy copy(tree, static_cast<std::size_t>(n_nodes));
  for (std::size_t v = 0; v < tree.n_nodes(); ++v) {
    if (number[v] < 0) continue;
    if (tree.is_leaf(v) || becomes_leaf[v]) {
      copy.add_leaf(v);
    } else {
      copy.add_inner(v, number[tree.first_child[v]]);
    }
  }
  return copy.finish();
}

}  // namespace rarewood

#include "explain/path_game.hpp"

#include <algorithm>
#include <map>

namespace rarewood {

namespace {

// Different features that a node tests, in ascending order.
std::vector<std::int32_t> features_of(const Tree& tree, std::size_t v) {
  if (!tree.is_plane(v)) return {tree.feature[v]};
  const auto begin = tree.plane_feature.begin();
  std::vector<std::int32_t> found(begin + tree.plane_offset[v], begin + tree.plane_offset[v + 1]);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace

PathGame::PathGame(const Tree& tree, bool divides_missing)
    : tree_(tree), divides_missing_(divides_missing) {
  find_players();
  find_edges();
}

void PathGame::find_players() {
  std::map<std::vector<std::int32_t>, std::int32_t> numbers;
  player_.assign(tree_.n_nodes(), -1);
  for (std::size_t v = 0; v < tree_.n_nodes(); ++v) {
    if (tree_.is_leaf(v)) continue;
    has_planes_ |= tree_.is_plane(v);
    const auto [found, is_new] = numbers.try_emplace(features_of(tree_, v), numbers.size());
    player_[v] = found->second;
    if (!is_new) continue;
    features_.insert(features_.end(), found->first.begin(), found->first.end());
    begin_.push_back(static_cast<std::int32_t>(features_.size()));
  }
}

void PathGame::find_edges() {
  // Depth of the last edge of every player on the path, and the product of its fractions.
  std::vector<std::int32_t> last(begin_.size() - 1, 0);
  std::vector<double> fraction{1.0};
  std::vector<Edge> path, waiting{{0, -1, 0, 0, 0, 1.0, 1.0, tree_.is_leaf(0)}};
  std::int32_t n_players = 0;
  while (!waiting.empty()) {
    Edge edge = waiting.back();
    waiting.pop_back();
    for (; !path.empty() && path.back().depth >= edge.depth; path.pop_back()) {
      if (path.back().depth == 0) continue;
      last[player(path.back().parent)] = path.back().depth_above;
      n_players -= path.back().depth_above == 0;
    }
    if (edge.depth > 0) {
      std::int32_t& depth = last[player(edge.parent)];
      edge.depth_above = depth;
      edge.fraction *= fraction[depth];  // the entry of depth 0 is 1
      depth = edge.depth;
      n_players += edge.depth_above == 0;
    }
    fraction.resize(edge.depth);
    fraction.push_back(edge.depth == 0 ? 1.0 : edge.fraction);
    depth_ = std::max(depth_, edge.depth);
    n_players_of_path_ = std::max(n_players_of_path_, n_players);
    path.push_back(edge);
    edges_.push_back(edge);
    if (edge.is_leaf) continue;
    const auto v = static_cast<std::size_t>(edge.node);
    const std::int32_t n = tree_.n_children[v];
    double total = 0;
    for (std::int32_t i = 0; i < n; ++i) total += tree_.node_weight(tree_.first_child[v] + i);
    if (divides_missing_ && tree_.is_categorical(v)) {
      waiting.push_back({edge.node, edge.node, n, edge.depth + 1, 0, 0.0, 0.0, true});
    }
    for (std::int32_t i = n; i-- > 0;) {
      const NodeId child = tree_.first_child[v] + i;
      // A node without training weight, which only a file can have, divides rows evenly.
      const double part = total > 0 ? tree_.node_weight(child) / total : 1.0 / n;
      waiting.push_back({child, edge.node, i, edge.depth + 1, 0, part, edge.reach * part,
                         tree_.is_leaf(static_cast<std::size_t>(child))});
    }
  }
}

std::vector<double> PathGame::base(const double* values, std::size_t width) const {
  std::vector<double> sum(width, 0.0);
  for (const Edge& edge : edges_) {
    if (!edge.is_leaf) continue;
    const double* const value = values + static_cast<std::size_t>(edge.node) * width;
    for (std::size_t j = 0; j < width; ++j) sum[j] += edge.reach * value[j];
  }
  return sum;
}

}  // namespace rarewood

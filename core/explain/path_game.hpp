// A tree as a game of players, as path-dependent TreeSHAP defines it. At a node whose player takes
// part, a row follows its value; at others it goes to every child, in proportion to the training
// weights of the children. A player is a set of features: all nodes that test the same features
// belong to one.
#pragma once

#include <cstdint>
#include <vector>

#include "model/tree.hpp"

namespace rarewood {

// An edge of the tree. Along a path, all edges of a player act as one: its last edge, with the
// product of the fractions.
struct Edge {
  NodeId node;               // whose values count if the edge ends in a leaf
  NodeId parent;             // the node that is tested; -1 for the root, which has no edge
  std::int32_t place;        // among the children of the parent
  std::int32_t depth;        // number of edges above and with it
  std::int32_t depth_above;  // of the last edge above of the same player; 0: there is none
  double fraction;           // product of the fractions of these edges and this one
  double reach;              // product of the fractions of all edges above and with this one
  bool is_leaf;
};

class PathGame {
 public:
  // With `divides_missing`, rows with a missing value go to every child (C4.5), and a category
  // without training rows in a node ends there, as if it had a child of its own.
  PathGame(const Tree& tree, bool divides_missing);

  const Tree& tree() const { return tree_; }
  bool divides_missing() const { return divides_missing_; }
  const std::vector<Edge>& edges() const { return edges_; }  // parents first, the root's first
  std::int32_t depth() const { return depth_; }
  // The largest number of different players on a path.
  std::int32_t n_players_of_path() const { return n_players_of_path_; }

  std::int32_t player(NodeId parent) const { return player_[static_cast<std::size_t>(parent)]; }
  std::int32_t feature_begin(std::int32_t player) const { return begin_[player]; }
  std::int32_t feature_end(std::int32_t player) const { return begin_[player + 1]; }
  const std::vector<std::int32_t>& features() const { return features_; }  // of players, in turn
  bool has_planes() const { return has_planes_; }

  // The value of the game without players: the mean over leaves, by training weight.
  std::vector<double> base(const double* values, std::size_t width) const;

 private:
  void find_players();
  void find_edges();

  const Tree& tree_;
  bool divides_missing_, has_planes_ = false;
  std::int32_t depth_ = 0, n_players_of_path_ = 0;
  std::vector<std::int32_t> player_;  // of each node; -1 for a leaf
  std::vector<std::int32_t> begin_{0}, features_;
  std::vector<Edge> edges_;
};

}  // namespace rarewood

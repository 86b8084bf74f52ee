// All edges of the game of a tree, for a block of rows.
//
// The game is a sum over leaves. In the game of a leaf each player of its path has a factor: 0 or 1
// if it takes part (does the row follow all its edges?), otherwise the product f of its fractions.
// If every player takes part with the probability t, the mean of its factor is the polynomial
//   factor(t) = f + t * (follows - f),
// and the Shapley value of player p is the integral over t in [0, 1] of the value of the leaf times
//   (follows_p - f_p) * (product of the factors of the other players)
// (Owen's multilinear extension). For d players its degree is d - 1, so that d / 2 points of a
// Gauss-Legendre quadrature are exact. All factors are positive, and nothing is divided by small
// differences, so rounding stays small for deep trees.
//
// The walk multiplies factors on the way down, and adds up leaves on the way up, at every point.
// Leaves below an edge of player p have the share (follows_p - f_p) / factor_p of its *last* edge;
// so each edge adds its share, less that of the edge of p above.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "explain/path_game.hpp"
#include "explain/quadrature.hpp"
#include "explain/routes.hpp"
#include "explain/row_products.hpp"
#include "table/columns.hpp"

namespace rarewood {

// The edge that the walk is at, and those above it; the level of the root is 0.
struct Level {
  const Edge* edge = nullptr;
  double fraction = 1;
  std::vector<double> factor;       // of a row that follows: points
  std::vector<double> share;        // the same
  std::vector<double> ratio;        // factor by that of the edge above: states x points
  std::vector<double> credit;       // share less that of the edge above: states x points
  std::vector<std::uint8_t> state;  // rows
  std::vector<std::int32_t> route;  // rows, at the node below the edge
  std::vector<double> product;      // of the factors of the path, times weights: rows x points
  std::vector<double> sums;         // of leaves below: outputs x rows x points
};

template <class T>
class GameWalk {
 public:
  GameWalk(const PathGame& game, const Quadrature& points, std::size_t width, std::size_t n_rows)
      : game_(game), points_(points), width_(width), levels_(game.depth() + 1) {
    const std::size_t n = points.size();
    for (Level& level : levels_) {
      level.factor.assign(n, 1.0);
      level.share.assign(n, 0.0);
      level.ratio.resize(3 * n);
      level.credit.assign(3 * n, 0.0);
      level.state.assign(n_rows, kFollows);
      level.route.resize(n_rows);
      level.product.resize(n_rows * n);
      level.sums.resize(width * n_rows * n);
    }
    for (std::size_t row = 0; row < n_rows; ++row) {
      std::copy(points.weight.begin(), points.weight.end(), levels_[0].product.begin() + row * n);
    }
  }

  // Calls at_leaf(levels, depth, value) and at_node(levels, depth) when the walk leaves an edge.
  // The leaves below it sum to value * product of its level, or to the sums of its level.
  template <class AtLeaf, class AtNode>
  void walk(const Matrix<T>& block, const double* values, const AtLeaf& at_leaf,
            const AtNode& at_node) {
    block_ = &block;
    open(game_.edges().front());
    std::int32_t depth = 0;
    for (auto edge = game_.edges().begin() + 1; edge != game_.edges().end(); ++edge) {
      for (; depth >= edge->depth; --depth) close(depth, at_node);
      enter(*edge);
      if (edge->is_leaf) {
        const double* const value = values + static_cast<std::size_t>(edge->node) * width_;
        add_leaf(edge->depth, value);
        at_leaf(levels_, edge->depth, value);
      } else {
        open(*edge);
        depth = edge->depth;
      }
    }
    for (; depth > 0; --depth) close(depth, at_node);
  }

  std::size_t n_points() const { return points_.size(); }

  RowPoints rows(const Level& level) const {
    return {block_->n_rows, points_.size(), level.state.data()};
  }

  // rows x points
  double* sums_of(Level& level, std::size_t output) const {
    return level.sums.data() + output * level.sums.size() / width_;
  }

 private:
  // Rows and factors of an edge.
  void enter(const Edge& edge) {
    Level& level = levels_[edge.depth];
    const Level& parent = levels_[edge.depth - 1];
    const Level& above = levels_[edge.depth_above];
    level.edge = &edge;
    level.fraction = edge.fraction;
    for (std::size_t row = 0; row < block_->n_rows; ++row) {
      const std::int32_t route = parent.route[row];
      const bool is_on_path = above.state[row] == kFollows && route != kDivided;
      level.state[row] = !is_on_path ? kLeftBefore : route == edge.place ? kFollows : kLeaves;
    }
    fill_tables(level, above);
    multiply(rows(level), parent.product.data(), level.ratio.data(), level.product.data());
  }

  void fill_tables(Level& level, const Level& above) const {
    const std::size_t n = points_.size();
    // Above a fraction of 0 everything is 0 unless the row follows.
    const double left = above.fraction > 0 ? level.fraction / above.fraction : 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const double rest = points_.rest[i];
      const double factor = points_.point[i] + rest * level.fraction;
      level.factor[i] = factor;
      level.share[i] = (1 - level.fraction) / factor;
      level.ratio[i] = left;
      level.ratio[n + i] = rest * level.fraction / above.factor[i];
      level.ratio[2 * n + i] = factor / above.factor[i];
      level.credit[n + i] = -1 / rest - above.share[i];  // -f / (rest * f)
      level.credit[2 * n + i] = level.share[i] - above.share[i];
    }
  }

  // An edge to a node that is not a leaf: its children follow.
  void open(const Edge& edge) {
    Level& level = levels_[edge.depth];
    if (edge.is_leaf) return;
    find_routes(game_.tree(), static_cast<std::size_t>(edge.node), *block_, game_.divides_missing(),
                level.route.data());
    std::fill(level.sums.begin(), level.sums.end(), 0.0);
  }

  void add_leaf(std::int32_t depth, const double* value) {
    const Level& level = levels_[depth];
    Level& parent = levels_[depth - 1];
    for (std::size_t j = 0; j < width_; ++j) {
      add_scaled(rows(level), level.product.data(), value[j], sums_of(parent, j));
    }
  }

  template <class AtNode>
  void close(std::int32_t depth, const AtNode& at_node) {
    Level& level = levels_[depth];
    for (std::size_t j = 0; j < width_; ++j) {
      add_scaled(rows(level), sums_of(level, j), 1.0, sums_of(levels_[depth - 1], j));
    }
    at_node(levels_, depth);
  }

  const PathGame& game_;
  const Quadrature& points_;
  std::size_t width_;
  std::vector<Level> levels_;
  const Matrix<T>* block_ = nullptr;
};

}  // namespace rarewood

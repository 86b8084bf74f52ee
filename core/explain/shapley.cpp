#include "explain/shapley.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "base/throw_if.hpp"
#include "explain/game_walk.hpp"
#include "model/walk_blocks.hpp"

namespace rarewood {

namespace {

constexpr std::size_t kRowsOfBlock = 32;

// Calls work(walk, first row, block) for blocks of rows.
template <class T, class Work>
void for_each_game_block(const PathGame& game, const Matrix<T>& x, std::size_t width, int n_threads,
                         const Work& work) {
  if (game.edges().size() == 1) return;  // a leaf: no player has an influence
  const Quadrature points(static_cast<std::size_t>(game.n_players_of_path() + 1) / 2);
  parallel_for((x.n_rows + kRowsOfBlock - 1) / kRowsOfBlock, n_threads, [&](std::size_t i) {
    const std::size_t begin = i * kRowsOfBlock;
    Matrix<T> block = x;
    block.data = &x.at(begin, 0);
    block.n_rows = std::min(kRowsOfBlock, x.n_rows - begin);
    check_finite_or_missing(block);
    std::vector<T> values;
    if (x.row_stride != 1) block = copy_columns(block, values);
    GameWalk<T> walk(game, points, width, block.n_rows);
    work(walk, begin, block);
  });
}

}  // namespace

template <class T>
void add_shapley_values(const PathGame& game, const Matrix<T>& x, const NodeValues& nodes,
                        int n_threads, double* out) {
  const std::size_t width = nodes.width, row_size = x.n_columns * width;
  for_each_game_block(
      game, x, width, n_threads, [&](auto& walk, std::size_t begin, const Matrix<T>& block) {
        double credit[kRowsOfBlock];
        // Adds value * credit of every row to the features of the player of an edge.
        auto distribute = [&](const Level& level, std::size_t output, double value) {
          const std::int32_t player = game.player(level.edge->parent);
          const std::int32_t first = game.feature_begin(player), end = game.feature_end(player);
          const double part = value / (end - first);
          for (std::int32_t i = first; i < end; ++i) {
            double* to = out + begin * row_size + game.features()[i] * width + output;
            for (std::size_t row = 0; row < block.n_rows; ++row)
              to[row * row_size] += part * credit[row];
          }
        };
        walk.walk(
            block, nodes.values,
            [&](const std::vector<Level>& levels, std::int32_t depth, const double* value) {
              const Level& level = levels[depth];
              add_points(walk.rows(level), level.product.data(), level.credit.data(), credit);
              for (std::size_t j = 0; j < width; ++j) distribute(level, j, value[j]);
            },
            [&](std::vector<Level>& levels, std::int32_t depth) {
              Level& level = levels[depth];
              for (std::size_t j = 0; j < width; ++j) {
                add_points(walk.rows(level), walk.sums_of(level, j), level.credit.data(), credit);
                distribute(level, j, 1.0);
              }
            });
      });
}

namespace {

// Pairs of an edge and one above it, of different players, for the rows of a block.
class PairSums {
 public:
  PairSums(const PathGame& game, std::size_t n_features, std::size_t width, std::size_t n_points)
      : game_(game), n_features_(n_features), width_(width), own_(n_points) {}

  // Adds value / 2 times the integral over terms * credit of the edge * credit of an edge above.
  void add(const std::vector<Level>& levels, std::int32_t depth, const RowPoints& rows,
           const double* terms, const double* value, std::size_t first_output,
           std::size_t n_outputs, double* out) {
    const Level& level = levels[depth];
    const std::size_t n = rows.n_points, feature = feature_of(level);
    for (std::size_t row = 0; row < rows.n_rows; ++row) {
      if (level.state[row] == kLeftBefore) continue;
      const double* const credit = level.credit.data() + level.state[row] * n;
      for (std::size_t i = 0; i < n; ++i) own_[i] = terms[row * n + i] * credit[i] / 2;
      double* const cells = out + row * n_features_ * n_features_ * width_;
      for (std::int32_t above = 1; above < depth; ++above) {
        const Level& other = levels[above];
        const std::size_t paired = feature_of(other);
        if (paired == feature || other.state[row] == kLeftBefore) continue;
        const double* const theirs = other.credit.data() + other.state[row] * n;
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) sum += own_[i] * theirs[i];
        for (std::size_t j = 0; j < n_outputs; ++j) {
          const std::size_t output = first_output + j;
          cells[(feature * n_features_ + paired) * width_ + output] += value[j] * sum;
          cells[(paired * n_features_ + feature) * width_ + output] += value[j] * sum;
        }
      }
    }
  }

 private:
  std::size_t feature_of(const Level& level) const {
    return static_cast<std::size_t>(
        game_.features()[game_.feature_begin(game_.player(level.edge->parent))]);
  }

  const PathGame& game_;
  std::size_t n_features_, width_;
  std::vector<double> own_;  // of a row: points
};

}  // namespace

template <class T>
void add_shapley_interactions(const PathGame& game, const Matrix<T>& x, const NodeValues& nodes,
                              int n_threads, double* out) {
  throw_if(game.has_planes(),
           "interactions are defined for pairs of features, and this tree has "
           "hyperplanes, whose features have no value of their own.");
  const std::size_t width = nodes.width, n_features = x.n_columns;
  const double one = 1.0;
  for_each_game_block(
      game, x, width, n_threads, [&](auto& walk, std::size_t begin, const Matrix<T>& block) {
        PairSums pairs(game, n_features, width, walk.n_points());
        double* const to = out + begin * n_features * n_features * width;
        walk.walk(
            block, nodes.values,
            [&](const std::vector<Level>& levels, std::int32_t depth, const double* value) {
              const Level& level = levels[depth];
              pairs.add(levels, depth, walk.rows(level), level.product.data(), value, 0, width, to);
            },
            [&](std::vector<Level>& levels, std::int32_t depth) {
              Level& level = levels[depth];
              for (std::size_t j = 0; j < width; ++j) {
                pairs.add(levels, depth, walk.rows(level), walk.sums_of(level, j), &one, j, 1, to);
              }
            });
      });
}

template void add_shapley_values<float>(const PathGame&, const Matrix<float>&, const NodeValues&,
                                        int, double*);
template void add_shapley_values<double>(const PathGame&, const Matrix<double>&, const NodeValues&,
                                         int, double*);
template void add_shapley_interactions<float>(const PathGame&, const Matrix<float>&,
                                              const NodeValues&, int, double*);
template void add_shapley_interactions<double>(const PathGame&, const Matrix<double>&,
                                               const NodeValues&, int, double*);

}  // namespace rarewood

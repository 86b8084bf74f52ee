#include <memory>

#include "bind/bind.hpp"
#include "explain/path_game.hpp"
#include "explain/shapley.hpp"

namespace rarewood {

namespace {

using Values = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <int kDimensions>
using Sums = nb::ndarray<double, nb::ndim<kDimensions>, nb::c_contig, nb::device::cpu>;

void check_values(const PathGame& game, const Values& values) {
  throw_if(values.shape(0) != game.tree().n_nodes(), "node_values must have a row per node.");
  throw_if(values.shape(1) == 0, "node_values must have a column.");
}

template <class T, class Out>
void check_arrays(const PathGame& game, const MatrixIn<T>& x, const Values& values,
                  const Out& out) {
  check_width(x, game.tree().n_features, "tree");
  check_values(game, values);
  bool fits = out.shape(0) == x.shape(0) && out.shape(out.ndim() - 1) == values.shape(1);
  for (std::size_t i = 1; i + 1 < out.ndim(); ++i) fits &= out.shape(i) == x.shape(1);
  throw_if(!fits, "out must have the shape rows x features x columns of node_values.");
}

template <class T>
void add_values(const PathGame& game, const MatrixIn<T>& x, const Values& values,
                const Sums<3>& out, int n_threads) {
  check_arrays(game, x, values, out);
  without_gil([&] {
    add_shapley_values(game, to_matrix(x), {values.data(), values.shape(1)}, n_threads, out.data());
  });
}

template <class T>
void add_interactions(const PathGame& game, const MatrixIn<T>& x, const Values& values,
                      const Sums<4>& out, int n_threads) {
  check_arrays(game, x, values, out);
  without_gil([&] {
    add_shapley_interactions(game, to_matrix(x), {values.data(), values.shape(1)}, n_threads,
                             out.data());
  });
}

}  // namespace

void bind_explain(nb::module_& m) {
  nb::class_<PathGame> game(m, "PathGame", "A tree as a game of the features of its nodes.");
  game.def(nb::init<const Tree&, bool>(), nb::arg("tree"), nb::arg("divides_missing") = false,
           nb::keep_alive<1, 2>())
      .def_prop_ro("n_edges", [](const PathGame& g) { return g.edges().size(); })
      .def_prop_ro("n_players_of_path", &PathGame::n_players_of_path,
                   "The largest number of different players on a path.")
      .def(
          "base",
          [](const PathGame& g, const Values& values) {
            check_values(g, values);
            return to_numpy(g.base(values.data(), values.shape(1)));
          },
          nb::arg("node_values").noconvert(), "Values of the game without players.");
  def_both(game, "add_values", &add_values<float>, &add_values<double>, nb::arg("X").noconvert(),
           nb::arg("node_values").noconvert(), nb::arg("out").noconvert(), nb::arg("n_threads") = 1,
           "Add Shapley values to an array (rows x features x columns of node_values).");
  def_both(game, "add_interactions", &add_interactions<float>, &add_interactions<double>,
           nb::arg("X").noconvert(), nb::arg("node_values").noconvert(), nb::arg("out").noconvert(),
           nb::arg("n_threads") = 1,
           "Add halved interactions to an array (rows x features x features x columns).");
}

}  // namespace rarewood

#include "model/pilot.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/bind.hpp"
#include "model/collapse.hpp"
#include "table/row_hash.hpp"

namespace rarewood {

namespace {

using Trees = std::vector<std::shared_ptr<Tree>>;

template <class T>
nb::ndarray<nb::numpy, double> probabilities(const Trees& trees, const std::string& leaf,
                                             std::vector<double> strengths,
                                             std::vector<double> limits, const MatrixIn<T>& x,
                                             const ArrayIn<std::int32_t>& classes, int n_threads) {
  if (trees.empty()) throw std::invalid_argument("there must be at least one tree.");
  for (const auto& tree : trees) {
    check_width(x, tree->n_features, "forest");
    check_classes(classes, tree->n_classes);
  }
  if (classes.size() != x.shape(0)) throw std::invalid_argument("there must be one class per row.");
  const PilotGrid grid{std::move(strengths), std::move(limits)};
  const std::size_t n = x.shape(0);
  std::vector<double> out;
  {
    nb::gil_scoped_release release;
    out = pilot_probabilities(trees, find_leaf(leaf), grid, to_matrix(x),
                              {classes.data(), classes.size()}, n_threads);
  }
  return to_numpy(std::move(out), n, grid.strengths.size(), grid.limits.size());
}

template <class T>
nb::ndarray<nb::numpy, std::uint64_t> hashes(const MatrixIn<T>& x,
                                             const ArrayIn<std::int32_t>& classes, int n_threads) {
  if (classes.size() != x.shape(0)) throw std::invalid_argument("there must be one class per row.");
  std::vector<std::uint64_t> out;
  {
    nb::gil_scoped_release release;
    out = row_hashes(to_matrix(x), {classes.data(), classes.size()}, n_threads);
  }
  return to_numpy(std::move(out), x.shape(0));
}

}  // namespace

void bind_pilot(nb::module_& m) {
  auto bind = [&](auto function) {
    m.def("pilot_probabilities", function, nb::arg("trees"), nb::arg("leaf"), nb::arg("strengths"),
          nb::arg("limits"), nb::arg("X").noconvert(), nb::arg("classes").noconvert(),
          nb::arg("n_threads") = 1,
          "Mean probability of the class of each row, for every leaf strength and collapse.");
  };
  bind(&probabilities<float>);
  bind(&probabilities<double>);
  auto bind_hashes = [&](auto function) {
    m.def("row_hashes", function, nb::arg("X").noconvert(), nb::arg("classes").noconvert(),
          nb::arg("n_threads") = 1, "A hash of the values and the class of each row.");
  };
  bind_hashes(&hashes<float>);
  bind_hashes(&hashes<double>);
  m.def(
      "collapse",
      [](const Tree& tree, const std::string& leaf, double strength, double limit) {
        nb::gil_scoped_release release;
        return std::make_shared<Tree>(collapse(tree, find_leaf(leaf), strength, limit));
      },
      nb::arg("tree"), nb::arg("leaf"), nb::arg("strength"), nb::arg("limit"),
      "A copy of a tree without the subtrees that explain too little.");
}

}  // namespace rarewood

#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "base/throw_if.hpp"
#include "bind/bind.hpp"
#include "grow/out_of_bag.hpp"
#include "model/forest_predict.hpp"

namespace rarewood {

namespace {

template <class T>
nb::ndarray<nb::numpy, double> predict_proba(const Forest& forest, const MatrixIn<T>& x,
                                             int n_threads) {
  check_width(x, forest.n_features(), "forest");
  const std::size_t n = x.shape(0), k = static_cast<std::size_t>(forest.n_classes());
  std::vector<double> out(n * k);
  {
    nb::gil_scoped_release release;
    forest.predict(to_matrix(x), n_threads, out.data());
  }
  return to_numpy(std::move(out), n, k);
}

template <class T>
nb::ndarray<nb::numpy, std::int64_t> apply(const Forest& forest, const MatrixIn<T>& x,
                                           int n_threads) {
  check_width(x, forest.n_features(), "forest");
  const std::size_t n = x.shape(0), n_trees = forest.trees().size();
  std::vector<std::int64_t> out(n * n_trees);
  {
    nb::gil_scoped_release release;
    forest.apply(to_matrix(x), n_threads, out.data());
  }
  return to_numpy(std::move(out), n, n_trees);
}

template <class T>
std::pair<nb::ndarray<nb::numpy, double>, nb::ndarray<nb::numpy, std::int64_t>> out_of_bag(
    const Forest& forest, const MatrixIn<T>& x, const RowSampling& sampling,
    const ArrayIn<std::int32_t>& classes, std::uint64_t seed, std::size_t first_tree,
    int n_threads) {
  check_width(x, forest.n_features(), "forest");
  const std::size_t n = x.shape(0), k = static_cast<std::size_t>(forest.n_classes());
  throw_if(classes.size() != n, "there must be one class per row.");
  check_classes(classes, forest.n_classes());
  std::vector<double> sums(n * k, 0.0);
  std::vector<std::int64_t> n_votes(n, 0);
  {
    nb::gil_scoped_release release;
    add_out_of_bag(forest, to_matrix(x), sampling, {classes.data(), n}, seed, first_tree, n_threads,
                   sums.data(), n_votes.data());
  }
  return {to_numpy(std::move(sums), n, k), to_numpy(std::move(n_votes), n)};
}

}  // namespace

void bind_forest(nb::module_& m) {
  nb::class_<Forest>(m, "Forest", "Trees that predict together.")
      .def(
          "__init__",
          [](Forest* self, std::vector<std::shared_ptr<Tree>> trees, const std::string& leaf,
             double strength) { new (self) Forest(std::move(trees), find_leaf(leaf), strength); },
          nb::arg("trees"), nb::arg("leaf"), nb::arg("strength"))
      .def_prop_ro("trees", &Forest::trees)
      .def("predict_proba", &predict_proba<float>, nb::arg("X").noconvert(),
           nb::arg("n_threads") = 1)
      .def("predict_proba", &predict_proba<double>, nb::arg("X").noconvert(),
           nb::arg("n_threads") = 1)
      .def("apply", &apply<float>, nb::arg("X").noconvert(), nb::arg("n_threads") = 1)
      .def("apply", &apply<double>, nb::arg("X").noconvert(), nb::arg("n_threads") = 1)
      .def("out_of_bag", &out_of_bag<float>, nb::arg("X").noconvert(), nb::arg("sampling"),
           nb::arg("classes").noconvert(), nb::arg("seed"), nb::arg("first_tree") = 0,
           nb::arg("n_threads") = 1)
      .def("out_of_bag", &out_of_bag<double>, nb::arg("X").noconvert(), nb::arg("sampling"),
           nb::arg("classes").noconvert(), nb::arg("seed"), nb::arg("first_tree") = 0,
           nb::arg("n_threads") = 1,
           "Sums of the probabilities of the trees that did not draw a row, and their number.");
}

}  // namespace rarewood

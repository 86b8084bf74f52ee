#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/bind.hpp"
#include "grow/row_sampling.hpp"
#include "model/forest_predict.hpp"

namespace rarewood {

namespace {

template <class T>
ArrayOut<double> predict_proba(const Forest& forest, const MatrixIn<T>& x, int n_threads) {
  check_width(x, forest.n_features(), "forest");
  auto out = new_numpy<double>(x.shape(0), forest.n_classes());
  without_gil([&] { forest.predict(to_matrix(x), n_threads, out.data()); });
  return out;
}

template <class T>
ArrayOut<std::int64_t> apply(const Forest& forest, const MatrixIn<T>& x, int n_threads) {
  check_width(x, forest.n_features(), "forest");
  auto out = new_numpy<std::int64_t>(x.shape(0), forest.trees().size());
  without_gil([&] { forest.apply(to_matrix(x), n_threads, out.data()); });
  return out;
}

// Tree t of the forest drew its rows with the number t.
template <class T>
std::pair<ArrayOut<double>, ArrayOut<std::int64_t>> out_of_bag(
    const Forest& forest, const MatrixIn<T>& x, const RowSampling& sampling,
    const ArrayIn<std::int32_t>& classes, std::uint64_t seed, std::size_t first_tree,
    int n_threads) {
  check_width(x, forest.n_features(), "forest");
  const std::size_t n = x.shape(0), k = forest.n_classes();
  throw_if(classes.size() != n, "there must be one class per row.");
  check_classes(classes, forest.n_classes());
  sampling.check(forest.n_classes());
  std::vector<double> sums(n * k, 0.0);
  std::vector<std::int64_t> n_votes(n, 0);
  without_gil([&] {
    const ClassRows by_class({classes.data(), n}, forest.n_classes());
    for (std::size_t t = first_tree; t < forest.trees().size(); ++t) {
      const auto copies = draw_copies(sampling, by_class, seed, t);
      if (copies.empty()) continue;
      forest.add_left_out(t, to_matrix(x), copies, n_threads, sums.data(), n_votes.data());
    }
  });
  return {to_numpy(std::move(sums), n, k), to_numpy(std::move(n_votes))};
}

}  // namespace

void bind_forest(nb::module_& m) {
  nb::class_<Forest> forest(m, "Forest", "Trees that predict together.");
  forest
      .def(
          "__init__",
          [](Forest* self, std::vector<std::shared_ptr<Tree>> trees, const std::string& leaf,
             double strength) { new (self) Forest(std::move(trees), find_leaf(leaf), strength); },
          nb::arg("trees"), nb::arg("leaf"), nb::arg("strength"))
      .def_prop_ro("trees", &Forest::trees);
  def_both(forest, "predict_proba", &predict_proba<float>, &predict_proba<double>,
           nb::arg("X").noconvert(), nb::arg("n_threads") = 1);
  def_both(forest, "apply", &apply<float>, &apply<double>, nb::arg("X").noconvert(),
           nb::arg("n_threads") = 1);
  def_both(forest, "out_of_bag", &out_of_bag<float>, &out_of_bag<double>, nb::arg("X").noconvert(),
           nb::arg("sampling"), nb::arg("classes").noconvert(), nb::arg("seed"),
           nb::arg("first_tree") = 0, nb::arg("n_threads") = 1,
           "Sums of the probabilities of the trees that did not draw a row, and their number.");
}

}  // namespace rarewood

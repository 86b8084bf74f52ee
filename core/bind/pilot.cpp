#include "model/pilot.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/bind.hpp"
#include "table/row_hash.hpp"

namespace rarewood {

namespace {

template <class T>
ArrayOut<double> probabilities(const std::vector<std::shared_ptr<Tree>>& trees,
                               const std::string& leaf, std::vector<double> strengths,
                               std::vector<double> limits, const MatrixIn<T>& x,
                               const ArrayIn<std::int32_t>& classes, int n_threads) {
  throw_if(trees.empty(), "there must be at least one tree.");
  for (const auto& tree : trees) {
    check_width(x, tree->n_features, "forest");
    check_classes(classes, tree->n_classes);
  }
  throw_if(classes.size() != x.shape(0), "there must be one class per row.");
  const PilotGrid grid{std::move(strengths), std::move(limits)};
  auto out = without_gil([&] {
    return pilot_probabilities(trees, find_leaf(leaf), grid, to_matrix(x),
                               {classes.data(), classes.size()}, n_threads);
  });
  return to_numpy(std::move(out), grid.strengths.size(), grid.limits.size(), x.shape(0));
}

template <class T>
ArrayOut<std::uint64_t> hashes(const MatrixIn<T>& x, int n_threads) {
  return to_numpy(without_gil([&] { return row_hashes(to_matrix(x), n_threads); }));
}

}  // namespace

void bind_pilot(nb::module_& m) {
  def_both(m, "pilot_probabilities", &probabilities<float>, &probabilities<double>,
           nb::arg("trees"), nb::arg("leaf"), nb::arg("strengths"), nb::arg("limits"),
           nb::arg("X").noconvert(), nb::arg("classes").noconvert(), nb::arg("n_threads") = 1,
           "Mean probability of the class of each row, for every leaf strength and collapse.");
  def_both(m, "row_hashes", &hashes<float>, &hashes<double>, nb::arg("X").noconvert(),
           nb::arg("n_threads") = 1, "Hash of the values, or codes, of each row.");
  m.def("row_hashes", &hashes<Code>, nb::arg("X").noconvert(), nb::arg("n_threads") = 1);
}

}  // namespace rarewood

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

#include <cmath>
#include <memory>
#include <optional>
#include <tuple>

#include "bind/bind.hpp"
#include "grow/c45/grow.hpp"
#include "model/fractional.hpp"

namespace rarewood {

namespace {

template <class T>
c45::Table to_table(const MatrixIn<T>& x, const ArrayIn<std::int64_t>& n_categories,
                    const ArrayIn<std::int32_t>& classes, int n_classes,
                    const std::optional<ArrayIn<double>>& weights) {
  throw_if(n_categories.size() != x.shape(1), "there must be a number of categories per feature.");
  throw_if(classes.size() != x.shape(0), "there must be one class per row.");
  throw_if(x.shape(0) == 0, "there must be at least one row.");
  check_classes(classes, n_classes);
  c45::Table table;
  table.n_classes = n_classes;
  table.classes.assign(classes.data(), classes.data() + classes.size());
  table.n_categories.assign(n_categories.data(), n_categories.data() + n_categories.size());
  if (weights) {
    throw_if(weights->size() != x.shape(0), "there must be one weight per row.");
    table.weights.assign(weights->data(), weights->data() + weights->size());
  }
  const Matrix<T> matrix = to_matrix(x);
  for (std::size_t f = 0; f < x.shape(1); ++f) {
    std::vector<double> column(x.shape(0)), distinct;
    for (std::size_t row = 0; row < column.size(); ++row) {
      const auto value = static_cast<double>(matrix.at(row, f));
      const std::int64_t n = table.n_categories[f];
      throw_if(n > 0 && (value < 0 || value >= static_cast<double>(n)), "column ", f,
               " has a category that is not one of its ", n, ".");
      column[row] = value;
      if (n == 0 && !std::isnan(value)) distinct.push_back(value);
    }
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    table.columns.push_back(std::move(column));
    table.distinct.push_back(std::move(distinct));
  }
  return table;
}

template <class T>
std::shared_ptr<Tree> grow(const MatrixIn<T>& x, const ArrayIn<std::int64_t>& n_categories,
                           const ArrayIn<std::int32_t>& classes, int n_classes,
                           const std::optional<ArrayIn<double>>& weights, double min_weight,
                           bool penalty, bool at_midpoint, bool collapse,
                           std::optional<double> confidence, bool raising) {
  throw_if(!(min_weight > 0), "min_weight must be above 0.");
  throw_if(confidence && !(*confidence > 0 && *confidence <= 0.5),
           "confidence must be above 0 and at most 0.5.");
  const c45::Options options{
      .split = {.min_weight = min_weight, .penalty = penalty, .at_midpoint = at_midpoint},
      .collapse = collapse,
      .confidence = confidence,
      .raising = raising};
  return without_gil([&] {
    const c45::Table table = to_table(x, n_categories, classes, n_classes, weights);
    return std::make_shared<Tree>(c45::grow_tree(table, options));
  });
}

using Values = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class T>
ArrayOut<double> predict(const Tree& tree, const MatrixIn<T>& x, const Values& values) {
  check_width(x, tree.n_features, "tree");
  throw_if(values.shape(0) != tree.n_nodes(), "node_values must have a row per node.");
  const std::size_t k = values.shape(1);
  auto out = new_numpy<double>(x.shape(0), k);
  without_gil([&] {
    predict_fractional(FractionalWalker<T>(tree, to_matrix(x)), values.data(), k, out.data());
  });
  return out;
}

using Numbers = ArrayOut<std::int64_t>;

template <class T>
std::tuple<Numbers, Numbers, ArrayOut<double>, Numbers> path(const Tree& tree,
                                                             const MatrixIn<T>& x) {
  check_width(x, tree.n_features, "tree");
  FractionalPath found =
      without_gil([&] { return fractional_path(FractionalWalker<T>(tree, to_matrix(x))); });
  return {to_numpy(std::move(found.offsets)), to_numpy(std::move(found.nodes)),
          to_numpy(std::move(found.parts)), to_numpy(std::move(found.ends))};
}

}  // namespace

void bind_c45(nb::module_& m) {
  def_both(m, "grow_c45", &grow<float>, &grow<double>, nb::arg("X").noconvert(),
           nb::arg("n_categories").noconvert(), nb::arg("classes").noconvert(),
           nb::arg("n_classes"), nb::arg("weights").noconvert().none(), nb::kw_only(),
           nb::arg("min_weight") = 2.0, nb::arg("penalty") = true, nb::arg("at_midpoint") = false,
           nb::arg("collapse") = true, nb::arg("confidence").none() = 0.25,
           nb::arg("raising") = true, "A tree of C4.5, with fractional cases for missing values.");
  def_both(
      m, "predict_fractional", &predict<float>, &predict<double>, nb::arg("tree"),
      nb::arg("X").noconvert(), nb::arg("node_values").noconvert(),
      "Mean values of the nodes in which each row ends; a row with a missing value is divided.");
  def_both(
      m, "fractional_path", &path<float>, &path<double>, nb::arg("tree"), nb::arg("X").noconvert(),
      "Offsets of the rows, the nodes they pass with their parts, and the ends of the largest.");
}

}  // namespace rarewood

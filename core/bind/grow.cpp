#include "grow.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <stdexcept>

#include "bind/bind.hpp"
#include "bind/columns_handle.hpp"
#include "bind/criterion_handle.hpp"

namespace rarewood {

namespace {

CategoricalSplit to_categorical_split(const std::string& name) {
  if (name == "subset") return CategoricalSplit::kSubset;
  if (name == "multiway") return CategoricalSplit::kMultiway;
  if (name == "onehot") return CategoricalSplit::kOneHot;
  throw std::invalid_argument("unknown categorical_split '" + name +
                              "': expected 'subset', 'multiway' or 'onehot'.");
}

bool to_sort_only(const std::string& search) {
  if (search == "auto") return false;
  if (search == "sort") return true;
  throw std::invalid_argument("unknown search '" + search + "': expected 'auto' or 'sort'.");
}

Tree grow_tree(const ColumnsHandle& columns, const ArrayIn<std::int32_t>& classes, int n_classes,
               const std::optional<ArrayIn<double>>& weights, const CriterionHandle& criterion,
               int max_depth, std::int64_t min_samples_split, std::int64_t min_samples_leaf,
               double min_weight_leaf, std::optional<std::int64_t> max_features,
               std::int64_t max_leaf_nodes, double min_gain, int n_cuts,
               const std::string& categorical_split, std::uint64_t seed, std::uint64_t tree_index,
               const std::string& search) {
  const GrowOptions options{.max_depth = max_depth,
                            .min_samples_split = min_samples_split,
                            .min_samples_leaf = min_samples_leaf,
                            .min_weight_leaf = min_weight_leaf,
                            .max_features = max_features.value_or(
                                static_cast<std::int64_t>(columns.columns->n_features())),
                            .max_leaf_nodes = max_leaf_nodes,
                            .min_gain = min_gain,
                            .n_cuts = n_cuts,
                            .categorical_split = to_categorical_split(categorical_split),
                            .seed = seed,
                            .tree_index = tree_index,
                            .sort_only = to_sort_only(search)};
  Target target{{classes.data(), classes.size()}, n_classes, {}};
  if (weights) target.weights = {weights->data(), weights->size()};
  nb::gil_scoped_release release;
  return grow(*columns.columns, target, *criterion.criterion, options);
}

}  // namespace

void bind_grow(nb::module_& m) {
  m.def("grow", &grow_tree, nb::arg("columns"), nb::arg("classes").noconvert(),
        nb::arg("n_classes"), nb::arg("weights").noconvert().none(), nb::arg("criterion"),
        nb::kw_only(), nb::arg("max_depth") = 0, nb::arg("min_samples_split") = 2,
        nb::arg("min_samples_leaf") = 1, nb::arg("min_weight_leaf") = 0.0,
        nb::arg("max_features") = nb::none(), nb::arg("max_leaf_nodes") = 0,
        nb::arg("min_gain") = 0.0, nb::arg("n_cuts") = 0, nb::arg("categorical_split") = "subset",
        nb::arg("seed") = 0, nb::arg("tree_index") = 0, nb::arg("search") = "auto",
        "Grow one tree. A limit of 0 means none, and so does max_features=None.");
}

}  // namespace rarewood

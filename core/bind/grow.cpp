#include "grow/grow.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <optional>
#include <stdexcept>

#include "base/rng.hpp"
#include "bind/handles.hpp"
#include "grow/forest.hpp"
#include "table/weight_grid.hpp"

namespace rarewood {

namespace {

constexpr std::array<Named<CategoricalSplit>, 3> kCategoricalSplits{
    {{"subset", CategoricalSplit::kSubset},
     {"multiway", CategoricalSplit::kMultiway},
     {"onehot", CategoricalSplit::kOneHot}}};
constexpr std::array<Named<PlaneKind>, 3> kPlaneKinds{{{"points", PlaneKind::kPoints},
                                                       {"direction", PlaneKind::kDirection},
                                                       {"between", PlaneKind::kBetween}}};
constexpr std::array<Named<bool>, 2> kSortOnly{{{"auto", false}, {"sort", true}}};

constexpr std::int64_t kAllFeatures = 0;

void set_options(GrowOptions* self, int max_depth, std::int64_t min_samples_split,
                 std::int64_t min_samples_leaf, double min_weight_leaf,
                 std::optional<std::int64_t> max_features, std::int64_t max_leaf_nodes,
                 double min_gain, int n_cuts, int oblique_dim, const std::string& oblique_draw,
                 std::int64_t split_samples, const std::string& categorical_split,
                 std::vector<std::int32_t> monotonic, std::uint64_t seed, std::uint64_t tree_index,
                 const std::string& search) {
  for (std::int32_t constraint : monotonic) {
    throw_if(constraint < -1 || constraint > 1, "monotonic constraints must be -1, 0 or 1.");
  }
  throw_if(max_features && *max_features < 1, "max_features must be at least 1.");
  new (self)
      GrowOptions{.max_depth = max_depth,
                  .min_samples_split = min_samples_split,
                  .min_samples_leaf = min_samples_leaf,
                  .min_weight_leaf = min_weight_leaf,
                  .max_features = max_features.value_or(kAllFeatures),
                  .max_leaf_nodes = max_leaf_nodes,
                  .min_gain = min_gain,
                  .n_cuts = n_cuts,
                  .plane_dim = oblique_dim,
                  .plane_kind = find_named(kPlaneKinds, "oblique_draw", oblique_draw).value,
                  .split_samples = split_samples,
                  .categorical_split =
                      find_named(kCategoricalSplits, "categorical_split", categorical_split).value,
                  .monotonic = std::move(monotonic),
                  .seed = seed,
                  .tree_index = tree_index,
                  .sort_only = find_named(kSortOnly, "search", search).value};
}

using Trees = std::vector<std::shared_ptr<Tree>>;
using Weights = std::optional<ArrayIn<double>>;

// Grows without the GIL; a signal, such as that of Ctrl-C, ends it, and so does an error raised by
// `progress`, which is called with the number of finished trees.
Trees grow_watched(const ColumnsHandle& columns, const ArrayIn<std::int32_t>& classes,
                   int n_classes, const Weights& weights,
                   std::span<const Criterion* const> criteria, GrowOptions options,
                   const ForestOptions& forest, const nb::object& progress) {
  if (options.max_features == kAllFeatures) {
    options.max_features = static_cast<std::int64_t>(columns.columns->n_features());
  }
  Target target{{classes.data(), classes.size()}, n_classes, {}};
  if (weights) target.weights = {weights->data(), weights->size()};
  std::optional<nb::python_error> error;
  auto watch = [&](std::size_t n_done) {
    nb::gil_scoped_acquire acquire;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (!progress.is_none()) progress(n_done);
    } catch (nb::python_error& raised) {
      error.emplace(std::move(raised));
    }
    return !error.has_value();
  };
  try {
    nb::gil_scoped_release release;
    Trees trees = grow_forest(*columns.columns, target, criteria, options, forest, watch);
    if (!error) return trees;
  } catch (const Stopped&) {
  }
  throw nb::python_error(std::move(*error));
}

std::shared_ptr<Tree> grow_one(const ColumnsHandle& columns, const ArrayIn<std::int32_t>& classes,
                               int n_classes, const Weights& weights,
                               const CriterionHandle& criterion, const GrowOptions& options,
                               const Pruning& pruning) {
  const std::array<const Criterion*, 1> criteria{criterion.criterion.get()};
  ForestOptions forest;
  forest.first_tree = options.tree_index;
  forest.pruning = pruning;
  return grow_watched(columns, classes, n_classes, weights, criteria, options, forest, nb::none())
      .front();
}

Trees grow_many(const ColumnsHandle& columns, const ArrayIn<std::int32_t>& classes, int n_classes,
                const Weights& weights, const std::vector<const CriterionHandle*>& handles,
                const GrowOptions& options, const RowSampling& sampling, std::size_t n_trees,
                std::uint64_t first_tree, bool balance_weights, const Pruning& pruning,
                int n_threads, const nb::object& progress) {
  std::vector<const Criterion*> criteria;
  for (const CriterionHandle* handle : handles) criteria.push_back(handle->criterion.get());
  const ForestOptions forest{.n_trees = n_trees,
                             .first_tree = first_tree,
                             .sampling = sampling,
                             .balances_weights = balance_weights,
                             .pruning = pruning,
                             .n_threads = n_threads};
  return grow_watched(columns, classes, n_classes, weights, criteria, options, forest, progress);
}

void set_sampling(RowSampling* self, bool with_replacement, std::int64_t total,
                  const std::vector<std::int64_t>& per_class) {
  RowSampling sampling{with_replacement, 0, {}};
  auto amount = [](std::int64_t n) {
    throw_if(n < 0 || n >= std::int64_t{1} << 40,
             "numbers of rows to draw must be at least 0 and below 2^40.");
    return static_cast<std::uint64_t>(n);
  };
  sampling.total = amount(total);
  for (std::int64_t n : per_class) sampling.per_class.push_back(amount(n));
  sampling.check(static_cast<int>(per_class.size()));
  new (self) RowSampling(std::move(sampling));
}

ArrayOut<std::uint32_t> copies_of(const RowSampling& sampling, const ArrayIn<std::int32_t>& classes,
                                  int n_classes, std::uint64_t seed, std::uint64_t tree) {
  sampling.check(n_classes);
  check_classes(classes, n_classes);
  auto copies =
      draw_copies(sampling, ClassRows({classes.data(), classes.size()}, n_classes), seed, tree);
  if (copies.empty()) copies.assign(classes.size(), 1);
  return to_numpy(std::move(copies));
}

ArrayOut<double> round_weights(const ArrayIn<double>& weights, const ArrayIn<std::int64_t>& sizes,
                               const RowSampling& sampling,
                               const ArrayIn<std::int64_t>& class_totals) {
  const std::vector<std::uint64_t> totals = to_counts(class_totals);
  const std::span<const double> given(weights.data(), weights.size());
  weight_sizes(given);  // refuses what is not a weight
  sampling.check(static_cast<int>(totals.size()));
  const WeightGrid grid({sizes.data(), sizes.size()}, sampling.bounds(totals));
  std::vector<double> rounded = grid.round_all(given);
  if (rounded.empty()) rounded.assign(given.begin(), given.end());
  return to_numpy(std::move(rounded));
}

}  // namespace

void bind_grow(nb::module_& m) {
  nb::class_<GrowOptions>(m, "GrowOptions", "How trees are grown. A limit of 0 means none.")
      .def("__init__", &set_options, nb::kw_only(), nb::arg("max_depth") = 0,
           nb::arg("min_samples_split") = 2, nb::arg("min_samples_leaf") = 1,
           nb::arg("min_weight_leaf") = 0.0, nb::arg("max_features") = nb::none(),
           nb::arg("max_leaf_nodes") = 0, nb::arg("min_gain") = 0.0, nb::arg("n_cuts") = 0,
           nb::arg("oblique_dim") = 1, nb::arg("oblique_draw") = "points",
           nb::arg("split_samples") = 0, nb::arg("categorical_split") = "subset",
           nb::arg("monotonic") = std::vector<std::int32_t>{}, nb::arg("seed") = 0,
           nb::arg("tree_index") = 0, nb::arg("search") = "auto");
  nb::class_<RowSampling>(
      m, "RowSampling",
      "Which rows each tree of a forest is grown on: `total` drawn from all rows, or an amount "
      "drawn from each class; every row once without amounts.")
      .def("__init__", &set_sampling, nb::kw_only(), nb::arg("with_replacement") = false,
           nb::arg("total") = 0, nb::arg("per_class") = std::vector<std::int64_t>{})
      .def("copies", &copies_of, nb::arg("classes").noconvert(), nb::arg("n_classes"),
           nb::arg("seed"), nb::arg("tree"), "How often each row is drawn for a tree.");
  m.def("grow", &grow_one, nb::arg("columns"), nb::arg("classes").noconvert(), nb::arg("n_classes"),
        nb::arg("weights").noconvert().none(), nb::arg("criterion"), nb::arg("options"),
        nb::arg("pruning") = Pruning{}, "Grow one tree.");
  m.def("grow_forest", &grow_many, nb::arg("columns"), nb::arg("classes").noconvert(),
        nb::arg("n_classes"), nb::arg("weights").noconvert().none(), nb::arg("criteria"),
        nb::arg("options"), nb::arg("sampling"), nb::kw_only(), nb::arg("n_trees"),
        nb::arg("first_tree") = 0, nb::arg("balance_weights") = false,
        nb::arg("pruning") = Pruning{}, nb::arg("n_threads") = 1, nb::arg("progress") = nb::none(),
        "Grow trees side by side, with one criterion for all or one for each.");
  m.def(
      "uniform",
      [](std::uint64_t seed, std::uint64_t tree) {
        return Random(combine_key(root_key(seed, tree), 0x756e69)).uniform();
      },
      nb::arg("seed"), nb::arg("tree"), "A number in [0, 1) that belongs to a tree.");
  m.def(
      "weight_sizes",
      [](const ArrayIn<double>& weights) {
        return to_numpy(weight_sizes({weights.data(), weights.size()}));
      },
      nb::arg("weights").noconvert(),
      "Number of weights of each size, by powers of two from 2^-1074 on. The sizes of the "
      "parts of a table add up.");
  m.def("round_weights", &round_weights, nb::arg("weights").noconvert(),
        nb::arg("sizes").noconvert(), nb::arg("sampling"), nb::arg("class_totals").noconvert(),
        "Weights as growth uses them: rounded to a grid that depends on the sizes of all weights, "
        "on which every sum is exact.");
}

}  // namespace rarewood

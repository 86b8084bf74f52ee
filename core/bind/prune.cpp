#include "model/prune/prune.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <array>
#include <memory>

#include "bind/bind.hpp"
#include "model/prune/fisher.hpp"
#include "model/prune/fisher_test.hpp"

namespace rarewood {

namespace {

constexpr std::array<Named<PruningKind>, 4> kKinds{
    {{"none", PruningKind::kNone},
     {"fisher", PruningKind::kFisher},
     {"error", PruningKind::kError},
     {"cost_complexity", PruningKind::kCostComplexity}}};

Impurity to_impurity(const std::string& name) {
  constexpr std::array<Named<Impurity>, 2> known{
      {{"gini", Impurity::kGini}, {"entropy", Impurity::kEntropy}}};
  return find_named(known, "impurity", name).value;
}

using Cells = nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

ArrayOut<double> p_values(const Cells& tables) {
  throw_if(tables.shape(1) != 4, "a table has the cells a, b, c and d.");
  constexpr std::int64_t kMost = std::int64_t{1} << 52;  // sums of cells are exact as doubles
  for (std::size_t i = 0; i < tables.size(); ++i) {
    throw_if(tables.data()[i] < 0 || tables.data()[i] > kMost,
             "counts must not be negative, nor above 2^52.");
  }
  std::vector<double> out(tables.shape(0));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::int64_t* t = tables.data() + 4 * i;
    out[i] = fisher_p_value({t[0], t[1], t[2], t[3]});
  }
  return to_numpy(std::move(out));
}

}  // namespace

void bind_prune(nb::module_& m) {
  nb::class_<Pruning>(m, "Pruning", "Which way of pruning, and how strongly.")
      .def(
          "__init__",
          [](Pruning* self, const std::string& kind, double threshold, bool tests_leaves,
             const std::string& impurity, double collapse, const std::string& leaf,
             double leaf_strength) {
            const Pruning pruning{.kind = find_named(kKinds, "pruning", kind).value,
                                  .threshold = threshold,
                                  .tests_leaves = tests_leaves,
                                  .impurity = to_impurity(impurity),
                                  .collapse = collapse,
                                  .leaf = &find_leaf(leaf),
                                  .leaf_strength = leaf_strength};
            pruning.check();
            new (self) Pruning(pruning);
          },
          nb::arg("kind") = "none", nb::arg("threshold") = 0.0, nb::kw_only(),
          nb::arg("tests_leaves") = false, nb::arg("impurity") = "gini", nb::arg("collapse") = 0.0,
          nb::arg("leaf") = "raw", nb::arg("leaf_strength") = 0.0);
  m.def(
      "prune",
      [](const Tree& tree, const Pruning& pruning) {
        return without_gil([&] { return std::make_shared<Tree>(prune(tree, pruning)); });
      },
      nb::arg("tree"), nb::arg("pruning"), "A smaller copy of a tree.");
  m.def("fisher_p_values", &p_values, nb::arg("tables").noconvert(),
        "One-sided p-values of tables (rows x [a, b, c, d]).");
  m.def(
      "node_p_values",
      [](const Tree& tree) { return to_numpy(without_gil([&] { return fisher_p_values(tree); })); },
      nb::arg("tree"), "Fisher's p-value of reaching each node.");
  m.def(
      "fisher_levels",
      [](const Tree& tree, bool tests_leaves) {
        return to_numpy(without_gil([&] { return fisher_levels(tree, tests_leaves); }));
      },
      nb::arg("tree"), nb::kw_only(), nb::arg("tests_leaves") = false,
      "Smallest p-value in the branch of each node; it stays at thresholds above it.");
  m.def(
      "cost_complexity_path",
      [](const Tree& tree, const std::string& impurity) {
        CostComplexityPath path =
            without_gil([&] { return cost_complexity_path(tree, to_impurity(impurity)); });
        return std::pair{to_numpy(std::move(path.alphas)), to_numpy(std::move(path.impurities))};
      },
      nb::arg("tree"), nb::kw_only(), nb::arg("impurity") = "gini",
      "The prices at which a tree becomes smaller, and the impurities that are left.");
}

}  // namespace rarewood

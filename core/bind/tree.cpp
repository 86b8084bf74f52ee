#include "model/tree.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <string_view>

#include "bind/bind.hpp"
#include "model/leaf/registry.hpp"
#include "model/predict.hpp"

namespace rarewood {

namespace {

// A read-only view of one of the tree's arrays, which keeps the tree alive.
template <class T, class... Shape>
nb::object view(nb::handle self, const std::vector<T>& values, Shape... shape) {
  static const T nothing{};  // an empty vector may have no address, which NumPy would replace
  return nb::ndarray<nb::numpy, const T>(values.empty() ? &nothing : values.data(),
                                         {static_cast<std::size_t>(shape)...}, self)
      .cast(nb::rv_policy::reference);
}

template <class T>
ArrayOut<std::int64_t> apply(const Tree& tree, const MatrixIn<T>& x, int n_threads) {
  check_width(x, tree.n_features, "tree");
  auto leaves = new_numpy<std::int64_t>(x.shape(0));
  without_gil([&] { apply_tree(tree, to_matrix(x), n_threads, leaves.data()); });
  return leaves;
}

using Values = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class T>
ArrayOut<double> predict_proba(const Tree& tree, const MatrixIn<T>& x, const Values& values,
                               int n_threads) {
  check_width(x, tree.n_features, "tree");
  throw_if(values.shape(0) != tree.n_nodes(), "node_values must have a row per node.");
  const std::size_t k = values.shape(1);
  auto out = new_numpy<double>(x.shape(0), k);
  without_gil([&] { predict_tree(tree, to_matrix(x), values.data(), k, n_threads, out.data()); });
  return out;
}

template <class T>
std::pair<ArrayOut<std::int64_t>, ArrayOut<std::int64_t>> path(const Tree& tree,
                                                               const MatrixIn<T>& x) {
  check_width(x, tree.n_features, "tree");
  std::vector<std::int64_t> offsets, nodes;
  without_gil([&] { decision_path(tree, to_matrix(x), offsets, nodes); });
  return {to_numpy(std::move(offsets)), to_numpy(std::move(nodes))};
}

nb::dict state(const Tree& tree) {
  nb::dict out;
  out["n_classes"] = tree.n_classes;
  out["n_features"] = tree.n_features;
  Tree::for_each_array([&]<class V>(const char* name, std::vector<V> Tree::* array) {
    out[name] = to_numpy(std::vector<V>(tree.*array));
  });
  if (!tree.monotonic.empty()) {
    out["monotonic"] = to_numpy(std::vector<std::int32_t>(tree.monotonic));
  }
  return out;
}

Tree from_state(const nb::dict& dict) {
  const bool is_constrained = dict.contains("monotonic");
  Tree tree = read_state(dict, "not a valid tree", [&](auto&& get) {
    Tree read;
    read.n_classes = nb::cast<int>(get("n_classes"));
    read.n_features = nb::cast<std::int64_t>(get("n_features"));
    Tree::for_each_array([&]<class V>(const char* name, std::vector<V> Tree::* array) {
      const auto values = nb::cast<ArrayIn<V>>(get(name));
      (read.*array).assign(values.data(), values.data() + values.size());
    });
    if (is_constrained) {
      const auto values = nb::cast<ArrayIn<std::int32_t>>(get("monotonic"));
      read.monotonic.assign(values.data(), values.data() + values.size());
    }
    return read;
  });
  tree.check();
  return tree;
}

nb::list list_leaves() {
  nb::list out;
  for (const LeafEntry& entry : leaf_registry()) {
    nb::dict described;
    described["name"] = entry.name;
    described["summary"] = entry.summary;
    described["reference"] = entry.source;
    described["has_strength"] = entry.default_strength != nullptr;
    out.append(described);
  }
  return out;
}

}  // namespace

void bind_tree(nb::module_& m) {
  nb::class_<Tree> tree(m, "Tree", "A finished tree: flat, read-only arrays.");
  tree.def_prop_ro("n_nodes", [](const Tree& t) { return t.n_nodes(); })
      .def_ro("n_classes", &Tree::n_classes)
      .def_ro("n_features", &Tree::n_features)
      .def_prop_ro(
          "monotonic",
          [](const Tree& t) { return to_numpy(std::vector<std::int32_t>(t.monotonic)); },
          nb::rv_policy::automatic,
          "Monotonic constraint of each feature; empty without constraints.");
  Tree::for_each_array([&]<class V>(const char* name, std::vector<V> Tree::* array) {
    if (std::string_view(name) == "weighted_counts") return;
    const bool is_matrix = std::string_view(name) == "counts";
    tree.def_prop_ro(name, [array, is_matrix](nb::handle self) {
      const Tree& t = nb::cast<const Tree&>(self);
      const std::vector<V>& values = t.*array;
      return is_matrix ? view(self, values, t.n_nodes(), t.n_classes)
                       : view(self, values, values.size());
    });
  });
  def_both(tree, "apply", &apply<float>, &apply<double>, nb::arg("X").noconvert(),
           nb::arg("n_threads") = 1);
  def_both(tree, "predict_proba", &predict_proba<float>, &predict_proba<double>,
           nb::arg("X").noconvert(), nb::arg("node_values").noconvert(), nb::arg("n_threads") = 1);
  def_both(tree, "decision_path", &path<float>, &path<double>, nb::arg("X").noconvert());
  tree.def_prop_ro("weighted_counts",
                   [](nb::handle self) {
                     const Tree& t = nb::cast<const Tree&>(self);
                     if (!t.weighted_counts.empty()) {
                       return view(self, t.weighted_counts, t.n_nodes(), t.n_classes);
                     }
                     std::vector<double> counts(t.counts.begin(), t.counts.end());
                     nb::object array =
                         nb::cast(to_numpy(std::move(counts), t.n_nodes(), t.n_classes));
                     array.attr("setflags")(nb::arg("write") = false);
                     return array;
                   })
      .def(
          "leaf_values",
          [](const Tree& t, const std::string& leaf, double strength) {
            return to_numpy(find_leaf(leaf).probabilities(t, strength), t.n_nodes(), t.n_classes);
          },
          nb::arg("leaf"), nb::arg("strength"))
      .def("state", &state)
      .def_static("from_state", &from_state, nb::arg("state"));
  m.def("leaf_entries", &list_leaves,
        "Every leaf estimator as a dict: name, summary, reference and has_strength.");
  m.def(
      "default_leaf_strength",
      [](const std::string& leaf, int n_classes) {
        const LeafEntry& entry = find_leaf(leaf);
        return entry.default_strength ? entry.default_strength(n_classes) : 0.0;
      },
      nb::arg("leaf"), nb::arg("n_classes"));
  m.def(
      "_example_leaf_values",
      [](const Tree& t, double strength) {
        return to_numpy(example_leaf().probabilities(t, strength), t.n_nodes(), t.n_classes);
      },
      nb::arg("tree"), nb::arg("strength"),
      "The example of how a leaf estimator is added, for tests.");
}

}  // namespace rarewood

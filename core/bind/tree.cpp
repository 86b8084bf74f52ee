#include "model/tree.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <stdexcept>

#include "base/throw_if.hpp"
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
nb::ndarray<nb::numpy, std::int64_t> apply(const Tree& tree, const MatrixIn<T>& x, int n_threads) {
  check_width(x, tree.n_features, "tree");
  std::vector<std::int64_t> leaves(x.shape(0));
  {
    nb::gil_scoped_release release;
    apply_tree(tree, to_matrix(x), n_threads, leaves.data());
  }
  return to_numpy(std::move(leaves), x.shape(0));
}

using Values = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class T>
nb::ndarray<nb::numpy, double> predict_proba(const Tree& tree, const MatrixIn<T>& x,
                                             const Values& values, int n_threads) {
  check_width(x, tree.n_features, "tree");
  throw_if(values.shape(0) != tree.n_nodes(), "node_values must have a row per node.");
  const std::size_t n = x.shape(0), k = values.shape(1);
  double* out = new double[n * k];
  nb::capsule owner(out, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  {
    nb::gil_scoped_release release;
    predict_tree(tree, to_matrix(x), values.data(), static_cast<int>(k), n_threads, out);
  }
  return nb::ndarray<nb::numpy, double>(out, {n, k}, owner);
}

template <class T>
std::pair<nb::ndarray<nb::numpy, std::int64_t>, nb::ndarray<nb::numpy, std::int64_t>> path(
    const Tree& tree, const MatrixIn<T>& x) {
  check_width(x, tree.n_features, "tree");
  std::vector<std::int64_t> offsets, nodes;
  {
    nb::gil_scoped_release release;
    decision_path(tree, to_matrix(x), offsets, nodes);
  }
  const std::size_t n_offsets = offsets.size(), n_nodes = nodes.size();
  return {to_numpy(std::move(offsets), n_offsets), to_numpy(std::move(nodes), n_nodes)};
}

// Calls visit(name, array) for every array of a tree: what state and from_state agree on.
template <class TreeRef, class Visit>
void for_each_array(TreeRef& tree, Visit&& visit) {
  visit("feature", tree.feature);
  visit("threshold", tree.threshold);
  visit("first_child", tree.first_child);
  visit("n_children", tree.n_children);
  visit("missing_child", tree.missing_child);
  visit("gain", tree.gain);
  visit("counts", tree.counts);
  visit("weighted_counts", tree.weighted_counts);
  visit("category_offset", tree.category_offset);
  visit("category", tree.category);
  visit("category_child", tree.category_child);
  visit("plane_offset", tree.plane_offset);
  visit("plane_feature", tree.plane_feature);
  visit("plane_weight", tree.plane_weight);
}

nb::dict state(const Tree& tree) {
  nb::dict out;
  out["n_classes"] = tree.n_classes;
  out["n_features"] = tree.n_features;
  for_each_array(tree, [&](const char* name, const auto& values) {
    out[name] = to_numpy(std::remove_cvref_t<decltype(values)>(values), values.size());
  });
  return out;
}

Tree from_state(const nb::dict& dict) {
  Tree tree;
  auto get = [&](const char* name) -> nb::handle {
    throw_if(!dict.contains(name), "not a valid tree: '", name, "' is missing.");
    return dict[name];
  };
  try {
    tree.n_classes = nb::cast<int>(get("n_classes"));
    tree.n_features = nb::cast<std::int64_t>(get("n_features"));
    for_each_array(tree, [&]<class V>(const char* name, std::vector<V>& values) {
      const auto array = nb::cast<ArrayIn<V>>(get(name));
      values.assign(array.data(), array.data() + array.size());
    });
  } catch (const nb::cast_error&) {
    throw std::invalid_argument("not a valid tree: an entry has the wrong type.");
  }
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
      .def_ro("n_features", &Tree::n_features);
#define RAREWOOD_VIEW(name)                      \
  tree.def_prop_ro(#name, [](nb::handle self) {  \
    const Tree& t = nb::cast<const Tree&>(self); \
    return view(self, t.name, t.name.size());    \
  })
  RAREWOOD_VIEW(feature);
  RAREWOOD_VIEW(threshold);
  RAREWOOD_VIEW(first_child);
  RAREWOOD_VIEW(n_children);
  RAREWOOD_VIEW(missing_child);
  RAREWOOD_VIEW(gain);
  RAREWOOD_VIEW(category_offset);
  RAREWOOD_VIEW(category);
  RAREWOOD_VIEW(category_child);
  RAREWOOD_VIEW(plane_offset);
  RAREWOOD_VIEW(plane_feature);
  RAREWOOD_VIEW(plane_weight);
#undef RAREWOOD_VIEW
  tree.def_prop_ro("counts",
                   [](nb::handle self) {
                     const Tree& t = nb::cast<const Tree&>(self);
                     return view(self, t.counts, t.n_nodes(), t.n_classes);
                   })
      .def_prop_ro("weighted_counts",
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
      .def("apply", &apply<float>, nb::arg("X").noconvert(), nb::arg("n_threads") = 1)
      .def("apply", &apply<double>, nb::arg("X").noconvert(), nb::arg("n_threads") = 1)
      .def("predict_proba", &predict_proba<float>, nb::arg("X").noconvert(),
           nb::arg("node_values").noconvert(), nb::arg("n_threads") = 1)
      .def("predict_proba", &predict_proba<double>, nb::arg("X").noconvert(),
           nb::arg("node_values").noconvert(), nb::arg("n_threads") = 1)
      .def("decision_path", &path<float>, nb::arg("X").noconvert())
      .def("decision_path", &path<double>, nb::arg("X").noconvert())
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

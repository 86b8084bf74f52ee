#include "table/bin_statistics.hpp"

#include <nanobind/stl/optional.h>

#include <mutex>
#include <optional>
#include <stdexcept>

#include "bind/bind.hpp"

namespace rarewood {

namespace {

// Calls release the GIL and may come from any thread.
struct BinStatisticsHandle {
  BinStatistics statistics;
  std::mutex mutex;

  explicit BinStatisticsHandle(BinStatistics made) : statistics(std::move(made)) {}

  template <class Work>
  auto locked(Work&& work) {
    return without_gil([&] {
      const std::lock_guard lock(mutex);
      return work(statistics);
    });
  }
};

// An array that may be absent.
template <class T>
std::span<const T> to_span(const std::optional<ArrayIn<T>>& values) {
  return values ? std::span<const T>(values->data(), values->size()) : std::span<const T>();
}

void make_statistics(BinStatisticsHandle* self, std::int64_t n_rows,
                     const ArrayIn<std::int64_t>& n_categories, int max_bins, bool is_float32,
                     const std::optional<ArrayIn<std::int64_t>>& class_counts) {
  new (self) BinStatisticsHandle(BinStatistics(n_rows, {n_categories.data(), n_categories.size()},
                                               max_bins, is_float32, to_span(class_counts)));
}

template <class T>
void add(BinStatisticsHandle& self, std::int64_t first_row, const MatrixIn<T>& x, int n_threads,
         const std::optional<ArrayIn<std::int32_t>>& classes,
         const std::optional<ArrayIn<std::int64_t>>& n_before) {
  const RowClasses row_classes{to_span(classes), to_span(n_before)};
  self.locked([&](BinStatistics& statistics) {
    statistics.add(first_row, to_matrix(x), row_classes, n_threads);
  });
}

void merge(BinStatisticsHandle& self, BinStatisticsHandle& other) {
  // A copy, so that two statistics can be merged into each other at once.
  const BinStatistics part = other.locked([](BinStatistics& statistics) { return statistics; });
  self.locked([&](BinStatistics& statistics) { statistics.merge(part); });
}

TableBins finish(BinStatisticsHandle& self) {
  return self.locked([](BinStatistics& statistics) { return statistics.finish(); });
}

// Calls visit(name, array) for every array of a state.
template <class StateRef, class Visit>
void for_each_array(StateRef& state, Visit&& visit) {
  visit("class_counts", state.class_counts);
  visit("n_categories", state.n_categories);
  visit("has_missing", state.has_missing);
  visit("run", state.run);
  visit("sample_offset", state.sample_offset);
  visit("sample", state.sample);
  visit("has_few", state.has_few);
  visit("value_offset", state.value_offset);
  visit("value", state.value);
}

nb::dict state(BinStatisticsHandle& self) {
  const BinStatisticsState state =
      self.locked([](BinStatistics& statistics) { return statistics.state(); });
  nb::dict out;
  out["n_rows"] = state.n_rows;
  out["max_bins"] = state.max_bins;
  out["is_float32"] = state.is_float32;
  out["n_sampled"] = state.n_sampled;
  for_each_array(state, [&]<class V>(const char* name, const std::vector<V>& values) {
    if (std::is_same_v<V, double> && state.is_float32) {  // as narrow as they are
      out[name] = to_numpy(std::vector<float>(values.begin(), values.end()));
    } else {
      out[name] = to_numpy(values);
    }
  });
  return out;
}

BinStatistics to_statistics(const nb::dict& dict) {
  return read_state(dict, "not valid bin statistics", [](auto&& get) {
    BinStatisticsState state;
    state.n_rows = nb::cast<std::int64_t>(get("n_rows"));
    state.max_bins = nb::cast<int>(get("max_bins"));
    state.is_float32 = nb::cast<bool>(get("is_float32"));
    state.n_sampled = nb::cast<std::int64_t>(get("n_sampled"));
    for_each_array(state, [&]<class V>(const char* name, std::vector<V>& values) {
      using Element = std::conditional_t<std::is_same_v<V, char>, bool, V>;
      const auto array = nb::cast<ArrayIn<Element>>(get(name));
      values.assign(array.data(), array.data() + array.size());
    });
    return BinStatistics(state);
  });
}

}  // namespace

void bind_bin_statistics(nb::module_& m) {
  nb::class_<BinStatisticsHandle> statistics(
      m, "BinStatistics", "Gathers from parts of a table the bins that the whole table would get.");
  statistics
      .def("__init__", &make_statistics, nb::arg("n_rows"), nb::arg("n_categories").noconvert(),
           nb::arg("max_bins"), nb::arg("is_float32") = false,
           nb::arg("class_counts").noconvert() = nb::none(),
           "With the number of rows of each class, all classes weigh the same in the sample from "
           "which bins are chosen, and the bins have coordinates.")
      .def_prop_ro("n_rows",
                   [](const BinStatisticsHandle& self) { return self.statistics.n_rows(); })
      .def_prop_ro("n_rows_seen",
                   [](BinStatisticsHandle& self) {
                     return self.locked([](BinStatistics& made) { return made.n_rows_seen(); });
                   })
      .def_prop_ro("n_features",
                   [](const BinStatisticsHandle& self) { return self.statistics.n_features(); })
      .def_prop_ro("max_bins",
                   [](const BinStatisticsHandle& self) { return self.statistics.max_bins(); })
      .def_prop_ro("is_float32",
                   [](const BinStatisticsHandle& self) { return self.statistics.is_float32(); })
      .def("merge", &merge, nb::arg("other"), "Add the rows that another statistics has seen.")
      .def("finish", &finish, "The bins, when all rows have been seen.")
      .def("state", &state)
      .def_static(
          "from_state",
          [](const nb::dict& dict) { return new BinStatisticsHandle(to_statistics(dict)); },
          nb::arg("state"))
      .def("__getstate__", &state)
      .def("__setstate__", [](BinStatisticsHandle* self, const nb::dict& dict) {
        new (self) BinStatisticsHandle(to_statistics(dict));
      });
  def_both(statistics, "add", &add<float>, &add<double>, nb::arg("first_row"),
           nb::arg("X").noconvert(), nb::arg("n_threads") = 1,
           nb::arg("classes").noconvert() = nb::none(),
           nb::arg("n_before").noconvert() = nb::none(),
           "Rows first_row ... of the table, each of them once; with class_counts, also their "
           "classes and the number of rows of each class before them.");
}

}  // namespace rarewood

#include "table/bin_statistics.hpp"

#include <mutex>
#include <stdexcept>
#include <string>

#include "bind/bind.hpp"
#include "table/table_bins.hpp"

namespace rarewood {

namespace {

// The work is done without the GIL, and any thread may ask for it.
struct SurveyHandle {
  Survey survey;
  std::mutex mutex;

  explicit SurveyHandle(Survey made) : survey(std::move(made)) {}

  template <class Work>
  auto locked(Work&& work) {
    nb::gil_scoped_release release;
    const std::lock_guard lock(mutex);
    return work(survey);
  }
};

void make_survey(SurveyHandle* self, std::int64_t n_rows, const ArrayIn<std::int64_t>& n_categories,
                 int max_bins, bool is_float32) {
  new (self) SurveyHandle(
      Survey(n_rows, {n_categories.data(), n_categories.size()}, max_bins, is_float32));
}

template <class T>
void add(SurveyHandle& self, std::int64_t first_row, const MatrixIn<T>& x, int n_threads) {
  self.locked([&](Survey& survey) { survey.add(first_row, to_matrix(x), n_threads); });
}

void merge(SurveyHandle& self, SurveyHandle& other) {
  // A copy, so that two surveys can be merged into each other at once.
  const Survey part = other.locked([](Survey& survey) { return survey; });
  self.locked([&](Survey& survey) { survey.merge(part); });
}

TableBins finish(SurveyHandle& self) {
  return self.locked([](Survey& survey) { return TableBins(survey.finish(), survey.max_bins()); });
}

// As narrow as they are.
nb::object values_to_numpy(std::vector<double> values, bool is_float32) {
  const std::size_t n = values.size();
  if (!is_float32) return nb::cast(to_numpy(std::move(values), n));
  return nb::cast(to_numpy(std::vector<float>(values.begin(), values.end()), n));
}

// Calls visit(name, array) for every array of a state.
template <class StateRef, class Visit>
void for_each_array(StateRef& state, Visit&& visit) {
  visit("n_categories", state.n_categories);
  visit("has_missing", state.has_missing);
  visit("run", state.run);
  visit("sample_offset", state.sample_offset);
  visit("sample", state.sample);
  visit("has_few", state.has_few);
  visit("value_offset", state.value_offset);
  visit("value", state.value);
}

nb::dict state(SurveyHandle& self) {
  const SurveyState state = self.locked([](Survey& survey) { return survey.state(); });
  nb::dict out;
  out["n_rows"] = state.n_rows;
  out["max_bins"] = state.max_bins;
  out["is_float32"] = state.is_float32;
  for_each_array(state, [&]<class V>(const char* name, const std::vector<V>& values) {
    if constexpr (std::is_same_v<V, char>) {
      out[name] = to_numpy(values);
    } else if constexpr (std::is_same_v<V, double>) {
      out[name] = values_to_numpy(values, state.is_float32);
    } else {
      out[name] = to_numpy(std::vector<V>(values), values.size());
    }
  });
  return out;
}

Survey to_survey(const nb::dict& dict) {
  SurveyState state;
  auto get = [&](const char* name) -> nb::handle {
    if (!dict.contains(name)) {
      throw std::invalid_argument("not a valid survey: '" + std::string(name) + "' is missing.");
    }
    return dict[name];
  };
  try {
    state.n_rows = nb::cast<std::int64_t>(get("n_rows"));
    state.max_bins = nb::cast<int>(get("max_bins"));
    state.is_float32 = nb::cast<bool>(get("is_float32"));
    for_each_array(state, [&]<class V>(const char* name, std::vector<V>& values) {
      using Element = std::conditional_t<std::is_same_v<V, char>, bool, V>;
      const auto array = nb::cast<ArrayIn<Element>>(get(name));
      values.assign(array.data(), array.data() + array.size());
    });
  } catch (const nb::cast_error&) {
    throw std::invalid_argument("not a valid survey: an entry has the wrong type.");
  }
  return Survey(state);
}

}  // namespace

void bind_survey(nb::module_& m) {
  nb::class_<SurveyHandle>(m, "Survey",
                           "Gathers from parts of a table the bins that the whole table would get.")
      .def("__init__", &make_survey, nb::arg("n_rows"), nb::arg("n_categories").noconvert(),
           nb::arg("max_bins"), nb::arg("is_float32") = false)
      .def_prop_ro("n_rows", [](const SurveyHandle& self) { return self.survey.n_rows(); })
      .def_prop_ro("n_rows_seen",
                   [](SurveyHandle& self) {
                     return self.locked([](Survey& survey) { return survey.n_rows_seen(); });
                   })
      .def_prop_ro("n_features", [](const SurveyHandle& self) { return self.survey.n_features(); })
      .def_prop_ro("max_bins", [](const SurveyHandle& self) { return self.survey.max_bins(); })
      .def_prop_ro("is_float32", [](const SurveyHandle& self) { return self.survey.is_float32(); })
      .def("add", &add<float>, nb::arg("first_row"), nb::arg("X").noconvert(),
           nb::arg("n_threads") = 1)
      .def("add", &add<double>, nb::arg("first_row"), nb::arg("X").noconvert(),
           nb::arg("n_threads") = 1, "Rows first_row ... of the table, each of them once.")
      .def("merge", &merge, nb::arg("other"), "Add the rows that another survey has seen.")
      .def("finish", &finish, "The bins, when all rows have been seen.")
      .def("state", &state)
      .def_static(
          "from_state", [](const nb::dict& dict) { return new SurveyHandle(to_survey(dict)); },
          nb::arg("state"))
      .def("__getstate__", &state)
      .def("__setstate__", [](SurveyHandle* self, const nb::dict& dict) {
        new (self) SurveyHandle(to_survey(dict));
      });
}

}  // namespace rarewood

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "bind/handles.hpp"

namespace rarewood {

namespace {

using Tables = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

nb::dict describe(const Parameter& parameter) {
  nb::dict out;
  out["name"] = parameter.name;
  out["summary"] = parameter.summary;
  out["default"] = parameter.default_value;
  if (parameter.choices.empty()) {
    out["low"] = parameter.low;
    out["high"] = parameter.high;
  } else {
    out["choices"] = parameter.choices;
  }
  return out;
}

nb::list list_criteria() {
  nb::list out;
  for (const CriterionEntry& entry : criterion_registry()) {
    nb::dict described;
    described["name"] = entry.name;
    described["summary"] = entry.summary;
    described["reference"] = entry.source;
    nb::list parameters;
    for (const Parameter& parameter : entry.parameters) parameters.append(describe(parameter));
    described["parameters"] = parameters;
    out.append(described);
  }
  return out;
}

// Keyword arguments as values of parameters: numbers and text.
std::map<std::string, ParameterValue> to_values(const nb::kwargs& given) {
  std::map<std::string, ParameterValue> values;
  for (const auto& [key, value] : given) {
    const auto name = nb::cast<std::string>(key);
    ParameterValue converted;
    const bool is_bool = nb::isinstance<nb::bool_>(value);
    if (is_bool || !nb::try_cast(value, converted)) {
      throw nb::type_error(
          (name + " must be a number or text; got " + nb::cast<std::string>(nb::repr(value)) + ".")
              .c_str());
    }
    values.emplace(name, std::move(converted));
  }
  return values;
}

ArrayOut<double> score(const CriterionHandle& self, const Tables& tables) {
  const std::size_t n = tables.shape(0), cells = tables.shape(1) * tables.shape(2);
  for (std::size_t i = 0; i < tables.size(); ++i) {
    throw_if(!(tables.data()[i] >= 0 && tables.data()[i] <= 1e300),
             "counts must be finite and not negative.");
  }
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    values[i] = self.criterion->score({tables.data() + i * cells, static_cast<int>(tables.shape(1)),
                                       static_cast<int>(tables.shape(2))});
  }
  return to_numpy(std::move(values));
}

}  // namespace

void bind_criteria(nb::module_& m) {
  m.def("criterion_entries", &list_criteria,
        "Every criterion as a dict: name, summary, reference and parameters, each of which has "
        "name, summary, default, and low and high or choices.");
  nb::class_<CriterionHandle>(m, "Criterion", "A split criterion.")
      .def(
          "__init__",
          [](CriterionHandle* self, const std::string& name, const nb::kwargs& parameters) {
            new (self) CriterionHandle(find_criterion(name), to_values(parameters));
          },
          nb::arg("name"), nb::arg("parameters"))
      .def_ro("name", &CriterionHandle::name)
      .def_prop_ro("parameters", [](const CriterionHandle& self) { return self.parameters.all(); })
      .def("score", &score, nb::arg("tables").noconvert(),
           "Values of (tables x children x classes) counts.");
  m.def(
      "_example_criterion",
      [](const nb::kwargs& parameters) {
        return CriterionHandle(example_criterion(), to_values(parameters));
      },
      nb::arg("parameters"), "The example of how a criterion is added, for tests.");
}

}  // namespace rarewood

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <tuple>

#include "bind/bind.hpp"
#include "bind/criterion_handle.hpp"

namespace rarewood {

namespace {

using Tables = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

std::vector<std::tuple<std::string, std::string, std::string>> list_criteria() {
  std::vector<std::tuple<std::string, std::string, std::string>> out;
  for (const CriterionEntry& entry : criterion_registry()) {
    out.emplace_back(entry.name, entry.summary, entry.source);
  }
  return out;
}

nb::ndarray<nb::numpy, double> score(const CriterionHandle& self, const Tables& tables) {
  const std::size_t n = tables.shape(0), cells = tables.shape(1) * tables.shape(2);
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (!(tables.data()[i] >= 0 && tables.data()[i] <= 1e300)) {
      throw std::invalid_argument("counts must be finite and not negative.");
    }
  }
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    values[i] = self.criterion->score({tables.data() + i * cells, static_cast<int>(tables.shape(1)),
                                       static_cast<int>(tables.shape(2))});
  }
  return to_numpy(std::move(values), n);
}

}  // namespace

void bind_criteria(nb::module_& m) {
  m.def("criteria", &list_criteria, "Name, sentence and reference of every criterion.");
  nb::class_<CriterionHandle>(m, "Criterion", "A split criterion.")
      .def(
          "__init__",
          [](CriterionHandle* self, const std::string& name, double alpha,
             const std::string& reference) {
            const CriterionSpec spec{name, alpha, reference};
            new (self) CriterionHandle{spec, make_criterion(spec)};
          },
          nb::arg("name"), nb::arg("alpha") = 0.5, nb::arg("reference") = "prior")
      .def_prop_ro("name", [](const CriterionHandle& self) { return self.spec.name; })
      .def("score", &score, nb::arg("tables").noconvert(),
           "Values of (tables x children x classes) counts.");
}

}  // namespace rarewood

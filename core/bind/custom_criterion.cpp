// Criteria that are functions of Python, or of a C ABI.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <optional>

#include "bind/handles.hpp"
#include "criterion/custom.hpp"

namespace rarewood {

namespace {

using Tables = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

// The GIL is held for the call only, in whichever thread it is made.
class PythonCriterion : public CustomCriterion {
 public:
  PythonCriterion(std::string name, bool is_convex, nb::object function)
      : CustomCriterion(std::move(name), is_convex), function_(std::move(function)) {}
  ~PythonCriterion() override {
    nb::gil_scoped_acquire acquire;
    function_.reset();
  }

 protected:
  void call(const TableBatch& tables, double* values) const override {
    nb::gil_scoped_acquire acquire;
    // The function may keep its argument: it is a copy.
    auto given = new_numpy<double>(tables.n, tables.n_children, tables.n_classes);
    std::copy_n(tables.cells, tables.n * tables.size(), given.data());
    const auto found = nb::cast<ArrayIn<double>>(function_(given));
    throw_if(found.size() != tables.n, "a criterion must return one value per table.");
    std::copy_n(found.data(), tables.n, values);
  }

 private:
  nb::object function_;
};

// A function with the C ABI, which is called without the GIL.
class CompiledCriterion : public CustomCriterion {
 public:
  using Function = void (*)(const double* tables, std::int64_t n_tables, std::int64_t n_children,
                            std::int64_t n_classes, double* values);
  using FunctionWithData = void (*)(const double* tables, std::int64_t n_tables,
                                    std::int64_t n_children, std::int64_t n_classes, double* values,
                                    void* data);

  CompiledCriterion(std::string name, bool is_convex, std::uintptr_t address,
                    std::optional<std::uintptr_t> data)
      : CustomCriterion(std::move(name), is_convex), address_(address), data_(data) {}

 protected:
  void call(const TableBatch& tables, double* values) const override {
    const auto n = static_cast<std::int64_t>(tables.n);
    if (data_) {
      reinterpret_cast<FunctionWithData>(address_)(tables.cells, n, tables.n_children,
                                                   tables.n_classes, values,
                                                   reinterpret_cast<void*>(*data_));
    } else {
      reinterpret_cast<Function>(address_)(tables.cells, n, tables.n_children, tables.n_classes,
                                           values);
    }
  }

 private:
  std::uintptr_t address_;
  std::optional<std::uintptr_t> data_;
};

ArrayOut<double> evaluate(const CriterionHandle& self, const Tables& tables) {
  const auto* custom = dynamic_cast<const CustomCriterion*>(self.criterion.get());
  throw_if(!custom, "only a custom criterion is evaluated in batches.");
  auto values = new_numpy<double>(tables.shape(0));
  without_gil([&] {
    custom->evaluate({tables.data(), tables.shape(0), static_cast<int>(tables.shape(1)),
                      static_cast<int>(tables.shape(2))},
                     values.data());
  });
  return values;
}

}  // namespace

void bind_custom_criteria(nb::module_& m) {
  m.def(
      "python_criterion",
      [](const std::string& name, nb::object function, bool convex) {
        return CriterionHandle(name, std::make_shared<PythonCriterion>(name, convex, function));
      },
      nb::arg("name"), nb::arg("function"), nb::arg("convex"),
      "A criterion that calls a function with an array (tables x children x classes).");
  m.def(
      "compiled_criterion",
      [](const std::string& name, std::uintptr_t address, std::optional<std::uintptr_t> data,
         bool convex) {
        return CriterionHandle(name,
                               std::make_shared<CompiledCriterion>(name, convex, address, data));
      },
      nb::arg("name"), nb::arg("address"), nb::arg("data").none(), nb::arg("convex"),
      "A criterion that calls a compiled function, which must exist as long as the criterion.");
  m.def("evaluate_custom", &evaluate, nb::arg("criterion"), nb::arg("tables").noconvert(),
        "Values of a custom criterion in one call; no child may be empty, no class absent.");
}

}  // namespace rarewood

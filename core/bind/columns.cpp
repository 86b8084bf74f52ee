#include "columns.hpp"

#include <memory>
#include <stdexcept>

#include "bind/bind.hpp"
#include "bind/columns_handle.hpp"

namespace rarewood {

namespace {

template <class T>
void make_columns(ColumnsHandle* self, const MatrixIn<T>& x,
                  const ArrayIn<std::int64_t>& n_categories, int max_bins, int n_threads) {
  std::unique_ptr<Columns> columns;
  {
    nb::gil_scoped_release release;
    columns = std::make_unique<Columns>(
        to_matrix(x), std::span<const std::int64_t>(n_categories.data(), n_categories.size()),
        max_bins, n_threads);
  }
  new (self) ColumnsHandle{std::move(columns), nb::cast(x)};
}

// Codes are made when somebody asks for them.
const Columns& encoded(const ColumnsHandle& self, std::size_t f) {
  if (f >= self.columns->n_features()) throw nb::index_error("there is no such feature");
  nb::gil_scoped_release release;
  self.columns->encode();
  return *self.columns;
}

}  // namespace

void bind_columns(nb::module_& m) {
  nb::class_<ColumnsHandle>(m, "Columns",
                            "A table as coarse codes, with its raw values beside them.")
      .def("__init__", &make_columns<float>, nb::arg("X").noconvert(),
           nb::arg("n_categories").noconvert(), nb::arg("max_bins") = 0, nb::arg("n_threads") = 1)
      .def("__init__", &make_columns<double>, nb::arg("X").noconvert(),
           nb::arg("n_categories").noconvert(), nb::arg("max_bins") = 0, nb::arg("n_threads") = 1)
      .def_prop_ro("n_rows", [](const ColumnsHandle& self) { return self.columns->n_rows(); })
      .def_prop_ro("n_features",
                   [](const ColumnsHandle& self) { return self.columns->n_features(); })
      .def_prop_ro("has_missing",
                   [](const ColumnsHandle& self) { return self.columns->has_missing(); })
      .def_prop_ro("max_bins", [](const ColumnsHandle& self) { return self.columns->max_bins(); })
      .def_prop_ro("nbytes", [](const ColumnsHandle& self) { return self.columns->n_bytes(); })
      .def(
          "codes",
          [](const ColumnsHandle& self, std::size_t f) {
            const Columns& columns = encoded(self, f);
            const Code* codes = columns.codes(f);
            return to_numpy(std::vector<Code>(codes, codes + columns.n_rows()), columns.n_rows());
          },
          nb::arg("feature"), "The codes of a feature (copied); 255 is missing.")
      .def(
          "edges",
          [](const ColumnsHandle& self, std::size_t f) {
            const std::vector<double>& edges = encoded(self, f).column(f).edges;
            return to_numpy(edges, edges.size());
          },
          nb::arg("feature"), "The upper edges of a numeric feature's bins but the last.");
}

}  // namespace rarewood

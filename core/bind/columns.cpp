#include "table/columns.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>

#include <map>
#include <memory>
#include <optional>

#include "bind/handles.hpp"

namespace rarewood {

namespace {

template <class T>
void make_columns(ColumnsHandle* self, const MatrixIn<T>& x,
                  const ArrayIn<std::int64_t>& n_categories, int max_bins, int n_threads) {
  const std::span<const std::int64_t> kinds(n_categories.data(), n_categories.size());
  auto columns = without_gil(
      [&] { return std::make_unique<Columns>(to_matrix(x), kinds, max_bins, n_threads); });
  new (self) ColumnsHandle{std::move(columns), nb::cast(x)};
}

// The arrays of a matrix in compressed columns are read where they are and kept alive.
template <class T>
ColumnsHandle from_sparse(const ArrayIn<T>& values, const ArrayIn<Row>& rows,
                          const ArrayIn<std::int64_t>& begin, std::size_t n_rows, int n_threads) {
  const SparseMatrix<T> sparse = to_sparse(values, rows, begin, n_rows);
  nb::list alive;
  alive.append(nb::cast(values));
  alive.append(nb::cast(rows));
  alive.append(nb::cast(begin));
  auto made = without_gil([&] { return std::make_unique<Columns>(sparse, n_threads); });
  return {std::move(made), std::move(alive)};
}

using RowSpace = nb::ndarray<Code, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

using WideCategories = std::map<std::int64_t, ArrayIn<std::int32_t>>;

// The categories of wide columns, which are kept alive.
std::vector<const std::int32_t*> to_categories(const WideCategories& wide, std::size_t n_rows,
                                               std::size_t n_features, nb::list& alive) {
  std::vector<const std::int32_t*> categories(n_features, nullptr);
  for (const auto& [f, of_rows] : wide) {
    throw_if(f < 0 || static_cast<std::size_t>(f) >= n_features || of_rows.size() != n_rows,
             "`wide` must hold the categories of all ", n_rows,
             " rows for features that exist; feature ", f, " has ", of_rows.size(), ".");
    categories[f] = of_rows.data();
    alive.append(nb::cast(of_rows));
  }
  return categories;
}

// The codes, and the categories of wide columns, are read where they are and kept alive.
ColumnsHandle from_codes(const MatrixIn<Code>& codes, const EdgeArrays& edges,
                         const ArrayIn<std::int64_t>& n_categories,
                         const ArrayIn<bool>& has_missing, int max_bins, const WideCategories& wide,
                         int n_threads, std::optional<RowSpace> row_space) {
  const std::size_t n_features = codes.shape(0), n_rows = codes.shape(1);
  throw_if(edges.size() != n_features, "there are codes of ", n_features,
           " features, but edges of ", edges.size(), ".");
  std::vector<Column> columns = to_columns(edges, n_categories, has_missing);
  nb::list alive;
  alive.append(nb::cast(codes));
  std::vector<const std::int32_t*> categories = to_categories(wide, n_rows, n_features, alive);
  Code* space = nullptr;
  if (row_space) {
    throw_if(row_space->shape(0) != n_rows || row_space->shape(1) != n_features,
             "`row_space` must have a place for every row and feature.");
    space = row_space->data();
    alive.append(nb::cast(*row_space));
  }
  auto made = without_gil([&] {
    return std::make_unique<Columns>(
        Matrix<Code>{codes.data(), n_rows, n_features, codes.stride(1), codes.stride(0)},
        std::move(columns), std::move(categories), max_bins, n_threads, space);
  });
  return {std::move(made), std::move(alive)};
}

using RowCodes = nb::ndarray<const Code, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

ColumnsHandle from_row_codes(const RowCodes& codes, const EdgeArrays& coordinates,
                             const ArrayIn<std::int64_t>& n_categories,
                             const ArrayIn<bool>& has_missing, const WideCategories& wide,
                             bool is_float32, int n_threads) {
  const std::size_t n_rows = codes.shape(0), n_features = codes.shape(1);
  throw_if(coordinates.size() != n_features, "there are codes of ", n_features,
           " features, but coordinates of ", coordinates.size(), ".");
  std::vector<Column> columns = rarewood::make_columns({n_categories.data(), n_categories.size()});
  throw_if(columns.size() != n_features || has_missing.size() != n_features,
           "coordinates, n_categories and has_missing must be of equal length.");
  std::vector<std::vector<double>> own(n_features);
  for (std::size_t f = 0; f < n_features; ++f) {
    columns[f].has_missing = has_missing.data()[f];
    own[f].assign(coordinates[f].data(), coordinates[f].data() + coordinates[f].size());
  }
  nb::list alive;
  alive.append(nb::cast(codes));
  std::vector<const std::int32_t*> categories = to_categories(wide, n_rows, n_features, alive);
  auto made = without_gil([&] {
    return std::make_unique<Columns>(
        Matrix<Code>{codes.data(), n_rows, n_features, static_cast<std::ptrdiff_t>(n_features), 1},
        std::move(columns), own, std::move(categories), is_float32, n_threads);
  });
  return {std::move(made), std::move(alive)};
}

// Codes are made on first use.
const Columns& encoded(const ColumnsHandle& self, std::size_t f) {
  if (f >= self.columns->n_features()) throw nb::index_error("there is no such feature");
  throw_if(self.columns->is_sparse(), "a sparse table has no codes.");
  throw_if(self.columns->has_coordinates(), "the table has codes by row only.");
  without_gil([&] { self.columns->encode(); });
  return *self.columns;
}

}  // namespace

void bind_columns(nb::module_& m) {
  nb::class_<ColumnsHandle> columns(m, "Columns",
                                    "A table as coarse codes, with its raw values beside them.");
  def_both(columns, "__init__", &make_columns<float>, &make_columns<double>,
           nb::arg("X").noconvert(), nb::arg("n_categories").noconvert(), nb::arg("max_bins") = 0,
           nb::arg("n_threads") = 1);
  columns
      .def_static("from_codes", &from_codes, nb::arg("codes").noconvert(), nb::arg("edges"),
                  nb::arg("n_categories").noconvert(), nb::arg("has_missing").noconvert(),
                  nb::arg("max_bins"), nb::arg("wide").noconvert() = nb::dict(),
                  nb::arg("n_threads") = 1, nb::arg("row_space").noconvert() = nb::none(),
                  "A table of codes (features x rows) that were made elsewhere, without values. "
                  "`wide` has the categories of categorical features with more than 255 of them. "
                  "`row_space` (rows x features) is where the codes are put row by row, such as a "
                  "mapped file; by default in memory.")
      .def_static("from_row_codes", &from_row_codes, nb::arg("codes").noconvert(),
                  nb::arg("coordinates"), nb::arg("n_categories").noconvert(),
                  nb::arg("has_missing").noconvert(), nb::arg("wide").noconvert() = nb::dict(),
                  nb::arg("is_float32") = false, nb::arg("n_threads") = 1,
                  "A table of codes (rows x features) that were made elsewhere, for hyperplanes: "
                  "`coordinates` has for each numeric feature the value that stands for each code.")
      .def_static("from_sparse", &from_sparse<float>, nb::arg("values").noconvert(),
                  nb::arg("rows").noconvert(), nb::arg("begin").noconvert(), nb::arg("n_rows"),
                  nb::arg("n_threads") = 1,
                  "A sparse table of numeric features: values that are not zero, with their rows, "
                  "feature by feature. It is searched by values.")
      .def_static("from_sparse", &from_sparse<double>, nb::arg("values").noconvert(),
                  nb::arg("rows").noconvert(), nb::arg("begin").noconvert(), nb::arg("n_rows"),
                  nb::arg("n_threads") = 1)
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
            const Columns& made = encoded(self, f);
            return to_numpy(std::vector<Code>(made.codes(f), made.codes(f) + made.n_rows()));
          },
          nb::arg("feature"), "The codes of a feature (copied); 255 is missing.")
      .def(
          "edges",
          [](const ColumnsHandle& self, std::size_t f) {
            return to_numpy(encoded(self, f).column(f).edges);
          },
          nb::arg("feature"), "The upper edges of a numeric feature's bins but the last.");
}

}  // namespace rarewood

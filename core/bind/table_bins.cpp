#include "table/table_bins.hpp"

#include <nanobind/stl/optional.h>

#include <optional>
#include <stdexcept>

#include "bind/handles.hpp"
#include "table/sparse_bins.hpp"

namespace rarewood {

namespace {

using CodesOut = nb::ndarray<Code, nb::ndim<2>, nb::device::cpu>;
using RowCodesOut = nb::ndarray<Code, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using OptionalArrays = std::optional<std::vector<ArrayIn<double>>>;

TableBins make_bins(const EdgeArrays& edges, const ArrayIn<std::int64_t>& n_categories,
                    const ArrayIn<bool>& has_missing, int max_bins,
                    const OptionalArrays& coordinates) {
  Coordinates given;
  if (coordinates) {
    for (const ArrayIn<double>& x : *coordinates) given.emplace_back(x.data(), x.data() + x.size());
    throw_if(given.size() != edges.size(), "edges and coordinates must be of equal length.");
  }
  return TableBins(to_columns(edges, n_categories, has_missing), std::move(given), max_bins);
}

void check_room(std::size_t n_rows, std::size_t n_room, std::int64_t first_row) {
  throw_if(first_row < 0 || static_cast<std::size_t>(first_row) > n_room ||
               n_rows > n_room - static_cast<std::size_t>(first_row),
           "there is no space for ", n_rows, " rows from row ", first_row, " on: the codes have ",
           n_room, ".");
}

template <class T>
ArrayOut<Code> encode(const TableBins& self, const MatrixIn<T>& x, int n_threads) {
  auto codes = new_numpy<Code>(self.columns().size(), x.shape(0));
  without_gil([&] { self.encode(to_matrix(x), codes.data(), codes.stride(0), n_threads); });
  return codes;
}

template <class T>
void encode_into(const TableBins& self, const MatrixIn<T>& x, const CodesOut& codes,
                 std::int64_t first_row, int n_threads) {
  throw_if(codes.shape(0) != self.columns().size() || (codes.stride(1) != 1 && codes.shape(1) > 1),
           "the codes must be an array of ", self.columns().size(),
           " features x rows, those of a feature side by side.");
  check_room(x.shape(0), codes.shape(1), first_row);
  without_gil(
      [&] { self.encode(to_matrix(x), codes.data() + first_row, codes.stride(0), n_threads); });
}

template <class T>
void encode_rows_into(const TableBins& self, const MatrixIn<T>& x, const RowCodesOut& codes,
                      std::int64_t first_row, int n_threads) {
  const std::size_t n_features = self.columns().size();
  throw_if(codes.shape(1) != n_features, "the codes must be an array of rows x ", n_features,
           " features.");
  check_room(x.shape(0), codes.shape(0), first_row);
  without_gil([&] {
    Code* const to = codes.data() + static_cast<std::size_t>(first_row) * n_features;
    self.encode_by_row(to_matrix(x), to, n_threads);
  });
}

template <class T, class Value>
nb::object snapped(const TableBins& self, const MatrixIn<T>& x, int n_threads) {
  auto values = new_numpy<Value>(self.columns().size(), x.shape(0));
  without_gil([&] { self.snap(to_matrix(x), values.data(), n_threads); });
  return nb::cast(values).attr("T");
}

template <class T>
nb::object snap(const TableBins& self, const MatrixIn<T>& x, int n_threads) {
  return self.is_float32() ? snapped<T, float>(self, x, n_threads)
                           : snapped<T, double>(self, x, n_threads);
}

template <class T>
TableBins of_sparse(const ArrayIn<T>& values, const ArrayIn<Row>& rows,
                    const ArrayIn<std::int64_t>& begin, const ArrayIn<std::int32_t>& classes,
                    const ArrayIn<std::int64_t>& class_counts, int max_bins, int n_threads) {
  const SparseMatrix<T> sparse = to_sparse(values, rows, begin, classes.size());
  return without_gil([&] {
    return choose_sparse_bins<T>(sparse, {classes.data(), classes.size()},
                                 {class_counts.data(), class_counts.size()}, max_bins, n_threads);
  });
}

template <class T, class Value>
nb::object snapped_entries(const TableBins& self, const SparseMatrix<T>& sparse, int n_threads) {
  std::vector<Value> values(static_cast<std::size_t>(sparse.begin[sparse.n_columns])), zeros;
  without_gil([&] { zeros = snap_entries(self, sparse, values.data(), n_threads); });
  return nb::make_tuple(to_numpy(std::move(values)), to_numpy(std::move(zeros)));
}

template <class T>
nb::object snap_sparse(const TableBins& self, const ArrayIn<T>& values, const ArrayIn<Row>& rows,
                       const ArrayIn<std::int64_t>& begin, std::size_t n_rows, int n_threads) {
  const SparseMatrix<T> sparse = to_sparse(values, rows, begin, n_rows);
  return self.is_float32() ? snapped_entries<T, float>(self, sparse, n_threads)
                           : snapped_entries<T, double>(self, sparse, n_threads);
}

nb::list edges_of(const TableBins& self) {
  nb::list edges;
  for (const Column& column : self.columns()) {
    edges.append(to_numpy(std::vector<double>(column.edges)));
  }
  return edges;
}

nb::object coordinates_of(const TableBins& self) {
  if (self.coordinates().empty()) return nb::none();
  nb::list coordinates;
  for (const std::vector<double>& of_column : self.coordinates()) {
    coordinates.append(to_numpy(std::vector<double>(of_column)));
  }
  return coordinates;
}

ArrayOut<std::int64_t> n_categories_of(const TableBins& self) {
  std::vector<std::int64_t> n_categories;
  for (const Column& column : self.columns()) n_categories.push_back(column.n_categories);
  return to_numpy(std::move(n_categories));
}

ArrayOut<bool> has_missing_of(const TableBins& self) {
  std::vector<char> has_missing;
  for (const Column& column : self.columns()) has_missing.push_back(column.has_missing);
  return to_numpy(has_missing);
}

nb::dict state(const TableBins& self) {
  nb::dict out;
  out["edges"] = edges_of(self);
  out["n_categories"] = n_categories_of(self);
  out["has_missing"] = has_missing_of(self);
  out["max_bins"] = self.max_bins();
  out["coordinates"] = coordinates_of(self);
  return out;
}

TableBins from_state(const nb::dict& dict) {
  return read_state(dict, "not valid bins", [](auto&& get) {
    return make_bins(nb::cast<EdgeArrays>(get("edges")),
                     nb::cast<ArrayIn<std::int64_t>>(get("n_categories")),
                     nb::cast<ArrayIn<bool>>(get("has_missing")), nb::cast<int>(get("max_bins")),
                     nb::cast<OptionalArrays>(get("coordinates")));
  });
}

}  // namespace

void bind_bins(nb::module_& m) {
  nb::class_<TableBins> bins(m, "Bins",
                             "The bins of all columns of a table; encodes any rows of it.");
  bins.def(
          "__init__",
          [](TableBins* self, const EdgeArrays& edges, const ArrayIn<std::int64_t>& n_categories,
             const ArrayIn<bool>& has_missing, int max_bins, const OptionalArrays& coordinates) {
            new (self)
                TableBins(make_bins(edges, n_categories, has_missing, max_bins, coordinates));
          },
          nb::arg("edges"), nb::arg("n_categories").noconvert(), nb::arg("has_missing").noconvert(),
          nb::arg("max_bins"), nb::arg("coordinates") = nb::none())
      .def_prop_ro("n_features", [](const TableBins& self) { return self.columns().size(); })
      .def_prop_ro("max_bins", &TableBins::max_bins)
      .def_prop_ro("edges", &edges_of, "The upper edges of each column's bins but the last.")
      .def_prop_ro("coordinates", &coordinates_of,
                   "For each column a value within each bin, empty for a categorical one; None if "
                   "values are not replaced.")
      .def_prop_ro("is_float32", &TableBins::is_float32,
                   "Whether all coordinates are exact in single precision.")
      .def_prop_ro("n_categories", &n_categories_of, nb::rv_policy::move)
      .def_prop_ro("has_missing", &has_missing_of, nb::rv_policy::move)
      .def("state", &state)
      .def_static("from_state", &from_state, nb::arg("state"))
      .def("__getstate__", &state)
      .def("__setstate__",
           [](TableBins* self, const nb::dict& dict) { new (self) TableBins(from_state(dict)); });
  const char* const of_sparse_doc =
      "The bins, with coordinates, of a sparse table of numeric features: its values that are not "
      "zero, with their rows, feature by feature.";
  auto def_of_sparse = [&](auto function) {
    bins.def_static("of_sparse", function, nb::arg("values").noconvert(),
                    nb::arg("rows").noconvert(), nb::arg("begin").noconvert(),
                    nb::arg("classes").noconvert(), nb::arg("class_counts").noconvert(),
                    nb::arg("max_bins"), nb::arg("n_threads") = 1, of_sparse_doc);
  };
  def_of_sparse(&of_sparse<float>);
  def_of_sparse(&of_sparse<double>);
  def_both(bins, "snap_sparse", &snap_sparse<float>, &snap_sparse<double>,
           nb::arg("values").noconvert(), nb::arg("rows").noconvert(), nb::arg("begin").noconvert(),
           nb::arg("n_rows"), nb::arg("n_threads") = 1,
           "The coordinates of the entries of a sparse table, and that of a zero of each feature.");
  def_both(bins, "encode", &encode<float>, &encode<double>, nb::arg("X").noconvert(),
           nb::arg("n_threads") = 1,
           "The codes of rows, features x rows; 255 is missing, and a categorical feature with "
           "more than 255 categories has code 0.");
  def_both(bins, "encode_into", &encode_into<float>, &encode_into<double>, nb::arg("X").noconvert(),
           nb::arg("codes").noconvert(), nb::arg("first_row") = 0, nb::arg("n_threads") = 1,
           "Write the codes of rows to codes[:, first_row : first_row + len(X)].");
  def_both(bins, "encode_rows_into", &encode_rows_into<float>, &encode_rows_into<double>,
           nb::arg("X").noconvert(), nb::arg("codes").noconvert(), nb::arg("first_row") = 0,
           nb::arg("n_threads") = 1,
           "Write the codes of rows to codes[first_row : first_row + len(X)], rows x features.");
  def_both(bins, "snap", &snap<float>, &snap<double>, nb::arg("X").noconvert(),
           nb::arg("n_threads") = 1,
           "Replace the values of numeric columns by the coordinates of their bins; in Fortran "
           "order, of single precision if all coordinates are.");
}

}  // namespace rarewood

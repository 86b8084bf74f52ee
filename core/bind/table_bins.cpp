#include "table/table_bins.hpp"

#include <stdexcept>

#include "bind/handles.hpp"

namespace rarewood {

namespace {

using CodesOut = nb::ndarray<Code, nb::ndim<2>, nb::device::cpu>;

template <class T>
ArrayOut<Code> encode(const TableBins& self, const MatrixIn<T>& x, int n_threads) {
  auto codes = new_numpy<Code>(self.columns().size(), x.shape(0));
  without_gil([&] { self.encode(to_matrix(x), codes.data(), codes.stride(0), n_threads); });
  return codes;
}

template <class T>
void encode_into(const TableBins& self, const MatrixIn<T>& x, const CodesOut& codes,
                 std::int64_t first_row, int n_threads) {
  const auto n_rows = static_cast<std::int64_t>(x.shape(0));
  const auto n_room = static_cast<std::int64_t>(codes.shape(1));
  throw_if(codes.shape(0) != self.columns().size() || (codes.stride(1) != 1 && n_room > 1),
           "the codes must be an array of ", self.columns().size(),
           " features x rows, those of a feature side by side.");
  throw_if(first_row < 0 || first_row > n_room || n_rows > n_room - first_row,
           "there is no space for ", n_rows, " rows from row ", first_row, " on: the codes have ",
           n_room, ".");
  without_gil(
      [&] { self.encode(to_matrix(x), codes.data() + first_row, codes.stride(0), n_threads); });
}

nb::list edges_of(const TableBins& self) {
  nb::list edges;
  for (const Column& column : self.columns()) {
    edges.append(to_numpy(std::vector<double>(column.edges)));
  }
  return edges;
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
  return out;
}

TableBins from_state(const nb::dict& dict) {
  return read_state(dict, "not valid bins", [](auto&& get) {
    return TableBins(to_columns(nb::cast<EdgeArrays>(get("edges")),
                                nb::cast<ArrayIn<std::int64_t>>(get("n_categories")),
                                nb::cast<ArrayIn<bool>>(get("has_missing"))),
                     nb::cast<int>(get("max_bins")));
  });
}

}  // namespace

void bind_bins(nb::module_& m) {
  nb::class_<TableBins> bins(m, "Bins",
                             "The bins of all columns of a table; encodes any rows of it.");
  bins.def(
          "__init__",
          [](TableBins* self, const EdgeArrays& edges, const ArrayIn<std::int64_t>& n_categories,
             const ArrayIn<bool>& has_missing, int max_bins) {
            new (self) TableBins(to_columns(edges, n_categories, has_missing), max_bins);
          },
          nb::arg("edges"), nb::arg("n_categories").noconvert(), nb::arg("has_missing").noconvert(),
          nb::arg("max_bins"))
      .def_prop_ro("n_features", [](const TableBins& self) { return self.columns().size(); })
      .def_prop_ro("max_bins", &TableBins::max_bins)
      .def_prop_ro("edges", &edges_of, "The upper edges of each column's bins but the last.")
      .def_prop_ro("n_categories", &n_categories_of, nb::rv_policy::move)
      .def_prop_ro("has_missing", &has_missing_of, nb::rv_policy::move)
      .def("state", &state)
      .def_static("from_state", &from_state, nb::arg("state"))
      .def("__getstate__", &state)
      .def("__setstate__",
           [](TableBins* self, const nb::dict& dict) { new (self) TableBins(from_state(dict)); });
  def_both(bins, "encode", &encode<float>, &encode<double>, nb::arg("X").noconvert(),
           nb::arg("n_threads") = 1,
           "The codes of rows, features x rows; 255 is missing, and a categorical feature with "
           "more than 255 categories has code 0.");
  def_both(bins, "encode_into", &encode_into<float>, &encode_into<double>, nb::arg("X").noconvert(),
           nb::arg("codes").noconvert(), nb::arg("first_row") = 0, nb::arg("n_threads") = 1,
           "Write the codes of rows to codes[:, first_row : first_row + len(X)].");
}

}  // namespace rarewood

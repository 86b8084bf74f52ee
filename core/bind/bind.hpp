// Shared helpers of the bindings.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "base/throw_if.hpp"
#include "table/columns.hpp"

namespace rarewood {

namespace nb = nanobind;

void bind_criteria(nb::module_& m);
void bind_columns(nb::module_& m);
void bind_bins(nb::module_& m);
void bind_bin_statistics(nb::module_& m);
void bind_tree(nb::module_& m);
void bind_prune(nb::module_& m);
void bind_grow(nb::module_& m);
void bind_forest(nb::module_& m);
void bind_weights(nb::module_& m);
void bind_cluster(nb::module_& m);

template <class T>
using ArrayIn = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using MatrixIn = nb::ndarray<const T, nb::ndim<2>, nb::device::cpu>;

// A NumPy array that owns `values`.
template <class T, class... Shape>
nb::ndarray<nb::numpy, T> to_numpy(std::vector<T> values, Shape... shape) {
  auto* owned = new std::vector<T>(std::move(values));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T>(owned->data(), {static_cast<std::size_t>(shape)...}, owner);
}

// A NumPy array of truth values.
inline nb::ndarray<nb::numpy, bool> to_numpy(const std::vector<char>& flags) {
  bool* values = new bool[flags.size()];
  nb::capsule owner(values, [](void* p) noexcept { delete[] static_cast<bool*>(p); });
  std::copy(flags.begin(), flags.end(), values);
  return nb::ndarray<nb::numpy, bool>(values, {flags.size()}, owner);
}

// A matrix of any strides.
template <class T>
Matrix<T> to_matrix(const MatrixIn<T>& x) {
  return {x.data(), x.shape(0), x.shape(1), x.stride(0), x.stride(1)};
}

// Throws std::invalid_argument unless X has as many columns as the model has features.
template <class T>
void check_width(const MatrixIn<T>& x, std::int64_t n_features, const char* model) {
  throw_if(static_cast<std::int64_t>(x.shape(1)) != n_features, "X has ", x.shape(1),
           " features, but the ", model, " expects ", n_features, ".");
}

// Throws std::invalid_argument unless all are numbers of classes.
inline void check_classes(const ArrayIn<std::int32_t>& classes, int n_classes) {
  if (std::any_of(classes.data(), classes.data() + classes.size(),
                  [&](std::int32_t c) { return c < 0 || c >= n_classes; })) {
    throw std::invalid_argument("classes must be numbers 0 ... n_classes - 1.");
  }
}

// Numbers of rows.
inline std::vector<std::uint64_t> to_counts(const ArrayIn<std::int64_t>& values) {
  std::vector<std::uint64_t> out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    throw_if(values.data()[i] < 0, "numbers of rows must not be negative.");
    out.push_back(static_cast<std::uint64_t>(values.data()[i]));
  }
  return out;
}

}  // namespace rarewood

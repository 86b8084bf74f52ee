// What the pieces of the compiled module share.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <vector>

#include "table/columns.hpp"

namespace rarewood {

namespace nb = nanobind;

void bind_criteria(nb::module_& m);
void bind_columns(nb::module_& m);
void bind_bins(nb::module_& m);
void bind_survey(nb::module_& m);
void bind_tree(nb::module_& m);
void bind_prune(nb::module_& m);
void bind_grow(nb::module_& m);
void bind_forest(nb::module_& m);
void bind_weights(nb::module_& m);
void bind_spread(nb::module_& m);

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

}  // namespace rarewood

// Shared helpers of the bindings.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/interrupt.hpp"
#include "base/throw_if.hpp"
#include "table/columns.hpp"

namespace rarewood {

namespace nb = nanobind;

void bind_criteria(nb::module_& m);
void bind_custom_criteria(nb::module_& m);
void bind_columns(nb::module_& m);
void bind_bins(nb::module_& m);
void bind_bin_statistics(nb::module_& m);
void bind_tree(nb::module_& m);
void bind_prune(nb::module_& m);
void bind_grow(nb::module_& m);
void bind_forest(nb::module_& m);
void bind_pilot(nb::module_& m);
void bind_c45(nb::module_& m);
void bind_cluster(nb::module_& m);
void bind_rules(nb::module_& m);
void bind_explain(nb::module_& m);
void bind_planted(nb::module_& m);

template <class T>
using ArrayIn = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using MatrixIn = nb::ndarray<const T, nb::ndim<2>, nb::device::cpu>;
template <class T>
using ArrayOut = nb::ndarray<nb::numpy, T>;

// A NumPy array of a shape, not initialized.
template <class T, class... Shape>
ArrayOut<T> new_numpy(Shape... shape) {
  T* values = new T[(static_cast<std::size_t>(shape) * ...)];
  nb::capsule owner(values, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return ArrayOut<T>(values, {static_cast<std::size_t>(shape)...}, owner);
}

// A NumPy array that owns `values`; of one dimension without a shape.
template <class T, class... Shape>
ArrayOut<T> to_numpy(std::vector<T> values, Shape... shape) {
  if constexpr (sizeof...(Shape) == 0) {
    const std::size_t n = values.size();
    return to_numpy(std::move(values), n);
  } else {
    auto* owned = new std::vector<T>(std::move(values));
    nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return ArrayOut<T>(owned->data(), {static_cast<std::size_t>(shape)...}, owner);
  }
}

// A NumPy array of truth values.
inline ArrayOut<bool> to_numpy(const std::vector<char>& flags) {
  ArrayOut<bool> values = new_numpy<bool>(flags.size());
  std::copy(flags.begin(), flags.end(), values.data());
  return values;
}

// The result of work that does not touch Python; a signal, such as that of Ctrl-C, ends it.
template <class Work>
auto without_gil(Work&& work) {
  std::optional<nb::python_error> error;
  Interrupt interrupt([&] {
    const nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() == 0) return false;
    error.emplace();
    return true;
  });
  try {
    const nb::gil_scoped_release release;
    const InterruptScope scope(&interrupt);
    return work();
  } catch (const Stopped&) {
    if (!error) throw;
  }
  throw nb::python_error(std::move(*error));
}

// A matrix in compressed columns, whose arrays must outlive it.
template <class T>
SparseMatrix<T> to_sparse(const ArrayIn<T>& values, const ArrayIn<Row>& rows,
                          const ArrayIn<std::int64_t>& begin, std::size_t n_rows) {
  throw_if(values.size() != rows.size() || begin.size() < 1 || begin.data()[0] != 0 ||
               begin.data()[begin.size() - 1] != static_cast<std::int64_t>(values.size()) ||
               !std::is_sorted(begin.data(), begin.data() + begin.size()),
           "the arrays do not make a sparse matrix.");
  throw_if(std::any_of(rows.data(), rows.data() + rows.size(),
                       [n_rows](Row row) { return row >= n_rows; }),
           "the rows of a sparse matrix must be below the number of rows.");
  return {values.data(), rows.data(), begin.data(), n_rows, begin.size() - 1};
}

// Binds both instances of a function template, for matrices of float and of double values.
template <class Narrow, class Wide, class Class, class... Extra>
void def_both(Class& bound, const char* name, Narrow narrow, Wide wide, const Extra&... extra) {
  bound.def(name, narrow, extra...);
  bound.def(name, wide, extra...);
}

// Calls read(get), where get(name) is an entry of a state that Python has kept. Throws
// std::invalid_argument if it is missing or has another type; `what` begins the message.
template <class Read>
auto read_state(const nb::dict& state, const char* what, Read&& read) {
  auto get = [&](const char* name) -> nb::handle {
    throw_if(!state.contains(name), what, ": '", name, "' is missing.");
    return state[name];
  };
  try {
    return read(get);
  } catch (const nb::cast_error&) {
    refuse(what, ": an entry has the wrong type.");
  }
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
  for (std::size_t i = 0; i < classes.size(); ++i) {
    throw_if(classes.data()[i] < 0 || classes.data()[i] >= n_classes,
             "classes must be numbers 0 ... n_classes - 1.");
  }
}

// Numbers of rows.
inline std::vector<std::uint64_t> to_counts(const ArrayIn<std::int64_t>& values) {
  std::vector<std::uint64_t> out(values.data(), values.data() + values.size());
  throw_if(std::any_of(out.begin(), out.end(), [](std::uint64_t n) { return n >> 63 != 0; }),
           "numbers of rows must not be negative.");
  return out;
}

}  // namespace rarewood

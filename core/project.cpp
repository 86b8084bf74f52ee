#include "project.hpp"

#include <limits>

#include "lanes.hpp"
#include "multiversion.hpp"

namespace rarewood {

namespace {

using Doubles = Lanes<double>;
constexpr std::size_t kLanes = kLanesOf<double>;

// Products and sums are rounded one by one (contraction is off), so every clone agrees to the bit.
template <class T>
[[gnu::always_inline]] inline Extent<double> project_all(const T* const* x, const double* weights,
                                                         std::size_t dim, std::size_t n,
                                                         double* out) {
  using Quad [[gnu::vector_size(kLanes * sizeof(T))]] = T;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Doubles low = Doubles{} + kInfinity, high = -low;
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    Quad part;
    load_lanes(x[0] + i, part);
    Doubles sum = weights[0] * __builtin_convertvector(part, Doubles);
    for (std::size_t j = 1; j < dim; ++j) {
      load_lanes(x[j] + i, part);
      sum += weights[j] * __builtin_convertvector(part, Doubles);
    }
    low = sum < low ? sum : low;
    high = sum > high ? sum : high;
    std::memcpy(out + i, &sum, sizeof(sum));
  }
  Extent<double> found = kNoExtent<double>;
  for (std::size_t lane = 0; lane < kLanes; ++lane) found.widen(low[lane], high[lane]);
  for (; i < n; ++i) {
    double sum = weights[0] * static_cast<double>(x[0][i]);
    for (std::size_t j = 1; j < dim; ++j) sum += weights[j] * static_cast<double>(x[j][i]);
    out[i] = sum;
    found.widen(sum, sum);
  }
  return found;
}

template <class T>
[[gnu::always_inline]] inline Extent<double> project_any(const T* const* x, const double* weights,
                                                         std::size_t dim, std::size_t n,
                                                         double* out) {
  return dim == 2 ? project_all(x, weights, 2, n, out) : project_all(x, weights, dim, n, out);
}

}  // namespace

RAREWOOD_MULTIVERSION
Extent<double> project(const float* const* x, const double* weights, std::size_t dim, std::size_t n,
                       double* out) {
  return project_any(x, weights, dim, n, out);
}

RAREWOOD_MULTIVERSION
Extent<double> project(const double* const* x, const double* weights, std::size_t dim,
                       std::size_t n, double* out) {
  return project_any(x, weights, dim, n, out);
}

}  // namespace rarewood

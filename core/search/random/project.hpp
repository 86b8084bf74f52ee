// Sums of weighted columns, for hyperplanes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/extent.hpp"
#include "base/interrupt.hpp"
#include "base/lanes.hpp"
#include "base/multiversion.hpp"

namespace rarewood {

// Row i has the sum weights[0] * x[0][i] + weights[1] * x[1][i] + ... Prediction adds up in the
// same order and precision, so a row falls on the same side there.
template <class T>
struct PlaneRows {
  const T* const* x;
  std::size_t dim;
  std::size_t begin, end;  // rows
};

namespace detail {

using Doubles = Lanes<double>;
constexpr std::size_t kLanes = kLanesOf<double>;
constexpr std::size_t kTogether = 5;  // planes, so that a value is read once for all of them

// Calls of_lanes(plane, first row, sums) and of_row(plane, row, sum) for every plane and row.
// Products and sums are rounded one by one (contraction is off), so every clone agrees to the bit.
template <std::size_t kPlanes, class T, class OfLanes, class OfRow>
[[gnu::always_inline]] inline void add_up(const PlaneRows<T>& rows, std::size_t dim,
                                          const double* weights, OfLanes&& of_lanes,
                                          OfRow&& of_row) {
  using Part [[gnu::vector_size(kLanes * sizeof(T))]] = T;
  std::size_t i = rows.begin;
  for (; i + kLanes <= rows.end; i += kLanes) {
    Doubles sum[kPlanes];
    for (std::size_t j = 0; j < dim; ++j) {
      Part part;
      load_lanes(rows.x[j] + i, part);
      const Doubles x = __builtin_convertvector(part, Doubles);
      for (std::size_t p = 0; p < kPlanes; ++p) {
        const Doubles product = weights[p * dim + j] * x;
        sum[p] = j == 0 ? product : sum[p] + product;
      }
    }
    for (std::size_t p = 0; p < kPlanes; ++p) of_lanes(p, i, sum[p]);
  }
  for (; i < rows.end; ++i) {
    for (std::size_t p = 0; p < kPlanes; ++p) {
      double sum = weights[p * dim] * static_cast<double>(rows.x[0][i]);
      for (std::size_t j = 1; j < dim; ++j) {
        sum += weights[p * dim + j] * static_cast<double>(rows.x[j][i]);
      }
      of_row(p, i, sum);
    }
  }
}

template <std::size_t kPlanes, class T>
[[gnu::always_inline]] inline void extents_of(const PlaneRows<T>& rows, std::size_t dim,
                                              const double* weights, Extent<double>* extents) {
  Doubles low[kPlanes], high[kPlanes];
  for (std::size_t p = 0; p < kPlanes; ++p) {
    low[p] = Doubles{} + kNoExtent<double>.low;
    high[p] = Doubles{} + kNoExtent<double>.high;
    extents[p] = kNoExtent<double>;
  }
  add_up<kPlanes>(
      rows, dim, weights,
      [&](std::size_t p, std::size_t, const Doubles& sums) __attribute__((always_inline)) {
        low[p] = sums < low[p] ? sums : low[p];
        high[p] = sums > high[p] ? sums : high[p];
      },
      [&](std::size_t p, std::size_t, double sum)
          __attribute__((always_inline)) { extents[p].widen(sum, sum); });
  for (std::size_t p = 0; p < kPlanes; ++p) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      extents[p].widen(low[p][lane], high[p][lane]);
    }
  }
}

template <std::size_t kPlanes, class T>
[[gnu::always_inline]] inline void count_of(const PlaneRows<T>& rows, std::size_t dim,
                                            const double* weights, const double* thresholds,
                                            std::uint32_t* up_to) {
  const std::size_t whole = rows.begin + (rows.end - rows.begin) / kLanes * kLanes;
  Lanes<std::int64_t> count[kPlanes] = {};
  auto add = [&](PlaneRows<T> part,
                 const Lanes<std::int64_t>& mask) __attribute__((always_inline)) {
    add_up<kPlanes>(
        part, dim, weights,
        [&](std::size_t p, std::size_t, const Doubles& sums) __attribute__((always_inline)) {
          count[p] -= (sums <= thresholds[p]) & mask;  // true is -1
        },
        [](std::size_t, std::size_t, double) __attribute__((always_inline)) {});
  };
  Lanes<std::int64_t> lane = {0, 1, 2, 3};
  add({rows.x, rows.dim, rows.begin, whole}, lane >= 0);
  if (whole < rows.end) {
    add({rows.x, rows.dim, whole, whole + kLanes},
        lane < static_cast<std::int64_t>(rows.end - whole));
  }
  for (std::size_t p = 0; p < kPlanes; ++p) {
    up_to[p] = static_cast<std::uint32_t>(count[p][0] + count[p][1] + count[p][2] + count[p][3]);
  }
}

// The planes in groups, with two features, the usual number, known to the compiler.
template <class Group>
[[gnu::always_inline]] inline void for_groups(std::size_t dim, std::size_t n_planes,
                                              Group&& group) {
  std::size_t p = 0;
  for (; p + kTogether <= n_planes; p += kTogether) {
    check_interrupt();
    if (dim == 2) {
      group.template operator()<kTogether>(p, 2);
    } else {
      group.template operator()<kTogether>(p, dim);
    }
  }
  for (; p < n_planes; ++p) group.template operator()<1>(p, dim);
}

}  // namespace detail

// out[i] = the sum of row i.
template <class T>
RAREWOOD_MULTIVERSION void project(const PlaneRows<T>& rows, const double* weights, double* out) {
  detail::add_up<1>(
      rows, rows.dim, weights,
      [&](std::size_t, std::size_t i, const detail::Doubles& sums)
          __attribute__((always_inline)) { std::memcpy(out + i, &sums, sizeof(sums)); },
      [&](std::size_t, std::size_t i, double sum) __attribute__((always_inline)) { out[i] = sum; });
}

// For each of several planes over the same columns, the weights of one after those of the other:
// how far its sums reach, sums that are NaN passed over; how many of them are at most its
// threshold. Counting reads up to kLanes - 1 values beyond the last row.
template <class T>
RAREWOOD_MULTIVERSION void find_extents(const PlaneRows<T>& rows, const double* weights,
                                        std::size_t n_planes, Extent<double>* extents) {
  detail::for_groups(rows.dim, n_planes,
                     [&]<std::size_t kPlanes>(std::size_t p, std::size_t dim)
                         __attribute__((always_inline)) {
                           detail::extents_of<kPlanes>(rows, dim, weights + p * dim, extents + p);
                         });
}

template <class T>
RAREWOOD_MULTIVERSION void count_sums(const PlaneRows<T>& rows, const double* weights,
                                      const double* thresholds, std::size_t n_planes,
                                      std::uint32_t* up_to) {
  detail::for_groups(
      rows.dim, n_planes,
      [&]<std::size_t kPlanes>(std::size_t p, std::size_t dim) __attribute__((always_inline)) {
        detail::count_of<kPlanes>(rows, dim, weights + p * dim, thresholds + p, up_to + p);
      });
}

}  // namespace rarewood

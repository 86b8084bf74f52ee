// Sums of weighted columns, for hyperplanes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/extent.hpp"

namespace rarewood {

// Row i has the sum weights[0] * x[0][i] + weights[1] * x[1][i] + ... Prediction adds up in the
// same order and precision, so a row falls on the same side there.
template <class T>
struct PlaneRows {
  const T* const* x;
  std::size_t dim;
  std::size_t begin, end;  // rows
};

// out[i] = the sum of row i.
void project(const PlaneRows<float>& rows, const double* weights, double* out);
void project(const PlaneRows<double>& rows, const double* weights, double* out);

// For each of several planes over the same columns, the weights of one after those of the other:
// how far its sums reach, sums that are NaN passed over; how many of them are at most its
// threshold.
void find_extents(const PlaneRows<float>& rows, const double* weights, std::size_t n_planes,
                  Extent<double>* extents);
void find_extents(const PlaneRows<double>& rows, const double* weights, std::size_t n_planes,
                  Extent<double>* extents);
void count_sums(const PlaneRows<float>& rows, const double* weights, const double* thresholds,
                std::size_t n_planes, std::uint32_t* up_to);
void count_sums(const PlaneRows<double>& rows, const double* weights, const double* thresholds,
                std::size_t n_planes, std::uint32_t* up_to);

}  // namespace rarewood

// Sums of weighted columns, for hyperplanes.
#pragma once

#include <cstddef>

#include "extent.hpp"

namespace rarewood {

// out[i] = weights[0] * x[0][i] + weights[1] * x[1][i] + ..., and their extent. Prediction adds up
// in the same order and precision, so a row falls on the same side there.
Extent<double> project(const float* const* x, const double* weights, std::size_t dim, std::size_t n,
                       double* out);
Extent<double> project(const double* const* x, const double* weights, std::size_t dim,
                       std::size_t n, double* out);

}  // namespace rarewood

// Sums of weighted columns, for hyperplanes.
#pragma once

#include <cstddef>

namespace rarewood {

// out[i] = weight * x[i] for the first term of a hyperplane; += for the further ones. Prediction
// adds up in the same order and precision, so a row falls on the same side there.
void project_first(const float* x, std::size_t n, double weight, double* out);
void project_first(const double* x, std::size_t n, double weight, double* out);
void project_next(const float* x, std::size_t n, double weight, double* out);
void project_next(const double* x, std::size_t n, double weight, double* out);

}  // namespace rarewood

#include "project.hpp"

#include "multiversion.hpp"

// Products and sums are rounded one by one (contraction is off), so the clones agree to the bit.
#define RAREWOOD_PROJECT(T)                                                            \
  RAREWOOD_MULTIVERSION                                                                \
  void project_first(const T* x, std::size_t n, double weight, double* out) {          \
    for (std::size_t i = 0; i < n; ++i) out[i] = weight * static_cast<double>(x[i]);   \
  }                                                                                    \
  RAREWOOD_MULTIVERSION                                                                \
  void project_next(const T* x, std::size_t n, double weight, double* out) {           \
    for (std::size_t i = 0; i < n; ++i) out[i] += weight * static_cast<double>(x[i]);  \
  }

namespace rarewood {

RAREWOOD_PROJECT(float)
RAREWOOD_PROJECT(double)

}  // namespace rarewood

// How many values lie below each of a few marks: every pair is compared, in vector code.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rarewood {

// below[i] = number of values < marks[i], up_to[i] = number of values <= marks[i].
void count_below(const float* marks, std::size_t n_marks, const float* values, std::size_t n,
                 std::uint32_t* below, std::uint32_t* up_to);
void count_below(const double* marks, std::size_t n_marks, const double* values, std::size_t n,
                 std::uint32_t* below, std::uint32_t* up_to);

// Number of values <= mark.
std::uint32_t count_up_to(const float* values, std::size_t n, float mark);
std::uint32_t count_up_to(const double* values, std::size_t n, double mark);

}  // namespace rarewood

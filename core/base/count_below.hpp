// Number of values below each of a few marks: every pair is compared, in vector code.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rarewood {

// below[i] = number of values < marks[i], up_to[i] = number of values <= marks[i].
void count_below(const float* marks, std::size_t n_marks, const float* values, std::size_t n,
                 std::uint32_t* below, std::uint32_t* up_to);
void count_below(const double* marks, std::size_t n_marks, const double* values, std::size_t n,
                 std::uint32_t* below, std::uint32_t* up_to);

// up_to[i] = number of values <= marks[i]. Both arrays have kMarkRoom further elements, which
// are read and written without meaning.
inline constexpr std::size_t kMarkRoom = 7;
void count_up_to(const float* marks, std::size_t n_marks, const float* values, std::size_t n,
                 std::uint32_t* up_to);
void count_up_to(const double* marks, std::size_t n_marks, const double* values, std::size_t n,
                 std::uint32_t* up_to);

}  // namespace rarewood

#include "count_below.hpp"

#include "multiversion.hpp"

namespace rarewood {

namespace {

template <class T>
[[gnu::always_inline]] inline void count_pairs(const T* marks, std::size_t n_marks, const T* values,
                                               std::size_t n, std::uint32_t* below,
                                               std::uint32_t* up_to) {
  for (std::size_t i = 0; i < n_marks; ++i) {
    const T mark = marks[i];
    std::uint32_t less = 0, less_equal = 0;
    for (std::size_t j = 0; j < n; ++j) {
      less += values[j] < mark;
      less_equal += values[j] <= mark;
    }
    below[i] = less;
    up_to[i] = less_equal;
  }
}

}  // namespace

RAREWOOD_MULTIVERSION
void count_below(const float* marks, std::size_t n_marks, const float* values, std::size_t n,
                 std::uint32_t* below, std::uint32_t* up_to) {
  count_pairs(marks, n_marks, values, n, below, up_to);
}

RAREWOOD_MULTIVERSION
void count_below(const double* marks, std::size_t n_marks, const double* values, std::size_t n,
                 std::uint32_t* below, std::uint32_t* up_to) {
  count_pairs(marks, n_marks, values, n, below, up_to);
}

}  // namespace rarewood

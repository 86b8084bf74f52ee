#include "count_below.hpp"

#include <algorithm>
#include <type_traits>

#include "multiversion.hpp"

namespace rarewood {

namespace {

constexpr std::size_t kLanes = 8;

// Few marks: the lanes of a vector hold values.
template <class T>
[[gnu::always_inline]] inline void count_by_value(const T* marks, std::size_t n_marks,
                                                  const T* values, std::size_t n,
                                                  std::uint32_t* below, std::uint32_t* up_to) {
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

// Many marks: the lanes hold marks, and there is nothing to add up at the end.
template <class T>
[[gnu::always_inline]] inline void count_by_mark(const T* marks, std::size_t n_marks,
                                                 const T* values, std::size_t n,
                                                 std::uint32_t* below, std::uint32_t* up_to) {
  using Lane = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  for (std::size_t first = 0; first < n_marks; first += kLanes) {
    const std::size_t n_here = std::min(kLanes, n_marks - first);
    T own[kLanes] = {};
    Lane less[kLanes] = {}, less_equal[kLanes] = {};
    for (std::size_t lane = 0; lane < n_here; ++lane) own[lane] = marks[first + lane];
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        less[lane] += values[j] < own[lane];
        less_equal[lane] += values[j] <= own[lane];
      }
    }
    for (std::size_t lane = 0; lane < n_here; ++lane) {
      below[first + lane] = static_cast<std::uint32_t>(less[lane]);
      up_to[first + lane] = static_cast<std::uint32_t>(less_equal[lane]);
    }
  }
}

template <class T>
[[gnu::always_inline]] inline void count_pairs(const T* marks, std::size_t n_marks, const T* values,
                                               std::size_t n, std::uint32_t* below,
                                               std::uint32_t* up_to) {
  if (n_marks < kLanes / 2) {
    count_by_value(marks, n_marks, values, n, below, up_to);
  } else {
    count_by_mark(marks, n_marks, values, n, below, up_to);
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

RAREWOOD_MULTIVERSION
std::uint32_t count_up_to(const float* values, std::size_t n, float mark) {
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < n; ++i) count += values[i] <= mark;
  return count;
}

RAREWOOD_MULTIVERSION
std::uint32_t count_up_to(const double* values, std::size_t n, double mark) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < n; ++i) count += values[i] <= mark;
  return static_cast<std::uint32_t>(count);
}

}  // namespace rarewood

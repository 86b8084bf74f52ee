// Number of values below each of a few marks: every pair is compared, in vector code.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "base/lanes.hpp"
#include "base/multiversion.hpp"

namespace rarewood {

namespace detail {

constexpr std::size_t kMarksAtOnce = 8;

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
  for (std::size_t first = 0; first < n_marks; first += kMarksAtOnce) {
    const std::size_t n_here = std::min(kMarksAtOnce, n_marks - first);
    T own[kMarksAtOnce] = {};
    Lane less[kMarksAtOnce] = {}, less_equal[kMarksAtOnce] = {};
    for (std::size_t lane = 0; lane < n_here; ++lane) own[lane] = marks[first + lane];
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t lane = 0; lane < kMarksAtOnce; ++lane) {
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

// Lane for lane the whole numbers of the width of T.
template <class T>
using Whole = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

// Many values, a few marks at once: the lanes hold values, each of which is loaded once for all
// marks. The last lanes may be read twice; those that were counted before are made NaN, which is up
// to no mark. There are as many values as lanes at least.
template <std::size_t kMarks, class T>
[[gnu::always_inline]] inline void count_for_marks(const T* marks, const T* values, std::size_t n,
                                                   std::uint32_t* up_to) {
  constexpr std::size_t kWidth = kLanesOf<T>;
  Lanes<T> mark[kMarks], x;
  Lanes<Whole<T>> count[kMarks] = {}, number;
  for (std::size_t m = 0; m < kMarks; ++m) mark[m] = Lanes<T>{} + marks[m];
  std::size_t i = 0;
  for (; i + kWidth <= n; i += kWidth) {
    load_lanes(values + i, x);
    for (std::size_t m = 0; m < kMarks; ++m) count[m] -= x <= mark[m];  // true is -1
  }
  if (i < n) {
    load_lanes(values + n - kWidth, x);
    for (std::size_t lane = 0; lane < kWidth; ++lane) number[lane] = static_cast<Whole<T>>(lane);
    const auto n_counted = static_cast<Whole<T>>(kWidth - (n - i));
    x = number < n_counted ? Lanes<T>{} + std::numeric_limits<T>::quiet_NaN() : x;
    for (std::size_t m = 0; m < kMarks; ++m) count[m] -= x <= mark[m];
  }
  for (std::size_t m = 0; m < kMarks; ++m) {
    Whole<T> sum = 0;
    for (std::size_t lane = 0; lane < kWidth; ++lane) sum += count[m][lane];
    up_to[m] = static_cast<std::uint32_t>(sum);
  }
}

// Few values: the lanes hold marks, and there is nothing to add up at the end.
template <class T>
[[gnu::always_inline]] inline void count_for_values(const T* marks, std::size_t n_marks,
                                                    const T* values, std::size_t n,
                                                    std::uint32_t* up_to) {
  constexpr std::size_t kWidth = kLanesOf<T>;
  using Counts [[gnu::vector_size(kWidth * sizeof(std::uint32_t))]] = std::uint32_t;
  for (std::size_t first = 0; first < n_marks; first += kWidth) {
    Lanes<T> mark;
    Lanes<Whole<T>> count = {};
    load_lanes(marks + first, mark);
    for (std::size_t j = 0; j < n; ++j) count -= Lanes<T>{} + values[j] <= mark;
    const Counts found = __builtin_convertvector(count, Counts);
    std::memcpy(up_to + first, &found, sizeof(found));
  }
}

}  // namespace detail

// below[i] = number of values < marks[i], up_to[i] = number of values <= marks[i].
template <class T>
RAREWOOD_MULTIVERSION void count_below(const T* marks, std::size_t n_marks, const T* values,
                                       std::size_t n, std::uint32_t* below, std::uint32_t* up_to) {
  if (n_marks < detail::kMarksAtOnce / 2) {
    detail::count_by_value(marks, n_marks, values, n, below, up_to);
  } else {
    detail::count_by_mark(marks, n_marks, values, n, below, up_to);
  }
}

inline constexpr std::size_t kMarkRoom = 7;

// up_to[i] = number of values <= marks[i]. Both arrays have kMarkRoom further elements, which
// are read and written without meaning.
template <class T>
RAREWOOD_MULTIVERSION void count_up_to(const T* marks, std::size_t n_marks, const T* values,
                                       std::size_t n, std::uint32_t* up_to) {
  if (n < 64) return detail::count_for_values(marks, n_marks, values, n, up_to);
  std::size_t i = 0;
  for (; i + 10 <= n_marks; i += 10) detail::count_for_marks<10>(marks + i, values, n, up_to + i);
  for (; i + 5 <= n_marks; i += 5) detail::count_for_marks<5>(marks + i, values, n, up_to + i);
  for (; i < n_marks; ++i) detail::count_for_marks<1>(marks + i, values, n, up_to + i);
}

}  // namespace rarewood

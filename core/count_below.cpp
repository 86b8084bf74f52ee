#include "count_below.hpp"

#include <algorithm>
#include <type_traits>

#include "lanes.hpp"
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

// A few marks at once: every value is loaded once for all of them.
template <std::size_t kMarks, class T>
[[gnu::always_inline]] inline void count_for_marks(const T* marks, const T* values, std::size_t n,
                                                   std::uint32_t* up_to) {
  using Lane = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  Lanes<T> mark[kMarks], x;
  Lanes<Lane> count[kMarks] = {};
  for (std::size_t m = 0; m < kMarks; ++m) mark[m] = Lanes<T>{} + marks[m];
  std::size_t i = 0;
  for (; i + kLanesOf<T> <= n; i += kLanesOf<T>) {
    load_lanes(values + i, x);
    for (std::size_t m = 0; m < kMarks; ++m) count[m] -= x <= mark[m];  // true is -1
  }
  for (std::size_t m = 0; m < kMarks; ++m) {
    Lane sum = 0;
    for (std::size_t lane = 0; lane < kLanesOf<T>; ++lane) sum += count[m][lane];
    for (std::size_t rest = i; rest < n; ++rest) sum += values[rest] <= marks[m];
    up_to[m] = static_cast<std::uint32_t>(sum);
  }
}

template <class T>
[[gnu::always_inline]] inline void count_pairs_up_to(const T* marks, std::size_t n_marks,
                                                     const T* values, std::size_t n,
                                                     std::uint32_t* up_to) {
  using Lane = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  if (n_marks < kLanes / 2 || n >= 8 * kLanes) {
    std::size_t i = 0;
    for (; i + 10 <= n_marks; i += 10) count_for_marks<10>(marks + i, values, n, up_to + i);
    for (; i + 5 <= n_marks; i += 5) count_for_marks<5>(marks + i, values, n, up_to + i);
    for (; i < n_marks; ++i) count_for_marks<1>(marks + i, values, n, up_to + i);
    return;
  }
  for (std::size_t first = 0; first < n_marks; first += kLanes) {
    const std::size_t n_here = std::min(kLanes, n_marks - first);
    T own[kLanes] = {};
    Lane count[kLanes] = {};
    for (std::size_t lane = 0; lane < n_here; ++lane) own[lane] = marks[first + lane];
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) count[lane] += values[j] <= own[lane];
    }
    for (std::size_t lane = 0; lane < n_here; ++lane) {
      up_to[first + lane] = static_cast<std::uint32_t>(count[lane]);
    }
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
void count_up_to(const float* marks, std::size_t n_marks, const float* values, std::size_t n,
                 std::uint32_t* up_to) {
  count_pairs_up_to(marks, n_marks, values, n, up_to);
}

RAREWOOD_MULTIVERSION
void count_up_to(const double* marks, std::size_t n_marks, const double* values, std::size_t n,
                 std::uint32_t* up_to) {
  count_pairs_up_to(marks, n_marks, values, n, up_to);
}

}  // namespace rarewood

// Faults on purpose, in builds with a sanitizer only: fuzz/planted.py checks that each is reported.
#include "bind/bind.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

#include <atomic>
#include <limits>
#include <thread>

#include "base/parallel.hpp"

namespace rarewood {

namespace {

#ifdef __SANITIZE_THREAD__

// Two threads wait here for each other. Nothing orders what they do before and after.
void meet(std::atomic<int>& n_here) {
  n_here.fetch_add(1, std::memory_order_relaxed);
  while (n_here.load(std::memory_order_relaxed) < 2) std::this_thread::yield();
}

// Two threads of the core count in the same variable.
int race_of_workers() {
  std::atomic<int> n_here{0};
  int n = 0;
  without_gil([&] {
    parallel_for(2, 2, [&](std::size_t) {
      meet(n_here);
      ++n;
    });
  });
  return n;
}

// Two threads of Python, both of which must call it, count while they do not hold the GIL.
int race_of_callers() {
  static std::atomic<int> n_here{0};
  static int n = 0;
  without_gil([&] {
    meet(n_here);
    ++n;
  });
  return n;
}

#else

int read_past_end() {
  const std::vector<int> values(3);
  const volatile std::size_t at = values.size();
  return values.data()[at];
}

int overflow() {
  const volatile int most = std::numeric_limits<int>::max();
  return most + 1;
}

#endif

}  // namespace

void bind_planted(nb::module_& m) {
#ifdef __SANITIZE_THREAD__
  m.def("planted_race_of_workers", &race_of_workers);
  m.def("planted_race_of_callers", &race_of_callers);
#else
  m.def("planted_read_past_end", &read_past_end);
  m.def("planted_overflow", &overflow);
#endif
}

}  // namespace rarewood

#else

namespace rarewood {
void bind_planted(nb::module_&) {}
}  // namespace rarewood

#endif

// Threads over independent pieces of work; the first exception of a worker reaches the caller.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

#include "base/interrupt.hpp"

namespace rarewood {

// Calls work(i) for i = 0 ... n-1. Every piece must write only to its own memory: the
// result then does not depend on the number of threads. Between pieces it looks for an interrupt.
template <class Work>
void parallel_for(std::size_t n, int n_threads, Work&& work) {
  const std::size_t n_workers = std::min<std::size_t>(n, n_threads < 1 ? 1 : n_threads);
  if (n_workers <= 1) {
    for (std::size_t i = 0; i < n; ++i) {
      check_interrupt();
      work(i);
    }
    return;
  }
  // Relaxed, since pieces are independent: an order between them would hide their data races from
  // ThreadSanitizer.
  std::atomic<std::size_t> next{0};
  std::vector<std::exception_ptr> errors(n_workers);
  Interrupt* const interrupt = detail::interrupt;
  const bool is_owner = detail::is_interrupt_owner;
  auto run = [&](std::size_t worker) {
    const InterruptScope scope(interrupt, is_owner && worker == 0);
    try {
      for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < n;) {
        check_interrupt();
        work(i);
      }
    } catch (...) {
      errors[worker] = std::current_exception();
      next.store(n, std::memory_order_relaxed);
    }
  };
  {
    std::vector<std::jthread> threads;
    threads.reserve(n_workers - 1);
    for (std::size_t worker = 1; worker < n_workers; ++worker) {
      try {
        threads.emplace_back(run, worker);
      } catch (const std::system_error&) {
        break;  // no thread available: the caller's own thread does the rest
      }
    }
    run(0);
  }
  for (const auto& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace rarewood

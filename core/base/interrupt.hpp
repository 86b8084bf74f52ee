// Work that can be interrupted. Whoever starts it says, through an Interrupt, how to find out;
// loops that may last longer than a second call check_interrupt() between short pieces of work.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <utility>

namespace rarewood {

// Work was stopped early.
struct Stopped : std::exception {
  const char* what() const noexcept override { return "growing was stopped."; }
};

// Throws if another thread has set the flag.
inline void throw_if_stopped(const std::atomic<bool>* stop) {
  if (stop && stop->load(std::memory_order_relaxed)) throw Stopped();
}

class Interrupt {
 public:
  // `is_requested` is called now and then, on the thread that made this object, while it works.
  explicit Interrupt(std::function<bool()> is_requested) : is_requested_(std::move(is_requested)) {}

  void check(bool is_owner) {
    throw_if_stopped(&stop_);
    if (!is_owner || Clock::now() < next_) return;
    if (is_requested_()) {
      request();
      throw Stopped();
    }
    next_ = Clock::now() + kPause;
  }

  void request() { stop_ = true; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kPause{50};

  std::function<bool()> is_requested_;
  std::atomic<bool> stop_{false};
  Clock::time_point next_ = Clock::now() + kPause;
};

namespace detail {
inline thread_local Interrupt* interrupt = nullptr;  // of the work of this thread
inline thread_local bool is_interrupt_owner = false;
}  // namespace detail

// Sets the interrupt of the work of this thread, which the threads of parallel_for take over.
class InterruptScope {
 public:
  explicit InterruptScope(Interrupt* interrupt, bool is_owner = true)
      : before_(std::exchange(detail::interrupt, interrupt)),
        was_owner_(std::exchange(detail::is_interrupt_owner, is_owner)) {}
  ~InterruptScope() {
    detail::interrupt = before_;
    detail::is_interrupt_owner = was_owner_;
  }
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

 private:
  Interrupt* before_;
  bool was_owner_;
};

// Throws Stopped if the work of this thread is interrupted.
inline void check_interrupt() {
  if (detail::interrupt) detail::interrupt->check(detail::is_interrupt_owner);
}

}  // namespace rarewood

// Drawing with replacement: how often each of many members is drawn.
//
// The members are halved again and again, and a binomial number gives how many of the draws fall
// into each half, until a block is small. So drawing some of the members costs in proportion to
// them: a part of a table draws its own rows, and counts stay in the cache.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/binomial.hpp"
#include "base/rng.hpp"
#include "search/grow_options.hpp"

namespace rarewood {

// Some of the members 0 ... n_members-1: `size` of them, from `first` on.
struct Members {
  std::uint64_t n_members, first, size;

  bool has(std::uint64_t member) const { return member - first < size; }  // wraps below the first
};

// Calls step(i) for begin <= i < end, and between a million steps looks whether to stop.
template <class Step>
void repeat_until_stopped(std::uint64_t begin, std::uint64_t end, const std::atomic<bool>* stop,
                          Step&& step) {
  constexpr std::uint64_t kSteps = 1 << 20;
  for (std::uint64_t i = begin; i < end;) {
    throw_if_stopped(stop);
    for (const std::uint64_t pause = end - i > kSteps ? i + kSteps : end; i < pause; ++i) step(i);
  }
}

class RepeatedDraw {
 public:
  explicit RepeatedDraw(const Members& wanted, const std::atomic<bool>* stop = nullptr)
      : wanted_(wanted), stop_(stop) {}

  // Draws n of the members and calls take(i, copies) for those that are the i-th of the wanted
  // ones, ascending; some may come with no copies.
  template <class Take>
  void draw(std::uint64_t n, std::uint64_t key, Take&& take) {
    divide(0, wanted_.n_members, n, key, take);
  }

 private:
  static constexpr std::uint64_t kBlock = 65'536;
  static constexpr std::uint64_t kSparse = 16;  // times as many members as are drawn

  template <class Take>
  void divide(std::uint64_t begin, std::uint64_t size, std::uint64_t n, std::uint64_t key,
              Take& take) {
    const bool is_apart =
        begin + size <= wanted_.first || begin >= wanted_.first + wanted_.size || n == 0;
    if (is_apart) return;
    if (size <= kBlock) {
      auto take_wanted = [&](std::uint64_t i, std::uint32_t copies) {
        if (wanted_.has(begin + i)) take(begin + i - wanted_.first, copies);
      };
      if (size < kSparse * n) {
        draw_many(size, n, Random(key), take_wanted);
      } else {
        draw_few(size, n, Random(key), take_wanted);
      }
      return;
    }
    const std::uint64_t n_blocks = (size + kBlock - 1) / kBlock, half = n_blocks / 2 * kBlock;
    const std::uint64_t n_lower = binomial(n, half, size, Random(key));
    divide(begin, half, n_lower, child_key(key, 0), take);
    divide(begin + half, size - half, n - n_lower, child_key(key, 1), take);
  }

  template <class Take>
  void draw_many(std::uint64_t size, std::uint64_t n, Random random, Take& take) {
    copies_.assign(size, 0);
    repeat_until_stopped(0, n, stop_, [&](std::uint64_t) { ++copies_[random.below(size)]; });
    for (std::uint64_t i = 0; i < size; ++i) take(i, copies_[i]);
  }

  // The same where most members are not drawn: these are not looked at.
  template <class Take>
  void draw_few(std::uint64_t size, std::uint64_t n, Random random, Take& take) {
    is_drawn_.assign((size + 63) / 64, 0);
    again_.clear();
    for (std::uint64_t i = 0; i < n; ++i) {
      const std::uint64_t member = random.below(size);
      std::uint64_t& word = is_drawn_[member / 64];
      const std::uint64_t bit = std::uint64_t{1} << (member % 64);
      if (word & bit) again_.push_back(member);
      word |= bit;
    }
    std::sort(again_.begin(), again_.end());
    auto next = again_.begin();
    for (std::size_t word = 0; word < is_drawn_.size(); ++word) {
      for (std::uint64_t bits = is_drawn_[word]; bits != 0; bits &= bits - 1) {
        const std::uint64_t member = 64 * word + static_cast<std::uint64_t>(std::countr_zero(bits));
        std::uint32_t copies = 1;
        for (; next != again_.end() && *next == member; ++next) ++copies;
        take(member, copies);
      }
    }
  }

  Members wanted_;
  const std::atomic<bool>* stop_;
  std::vector<std::uint32_t> copies_;
  std::vector<std::uint64_t> is_drawn_, again_;
};

}  // namespace rarewood

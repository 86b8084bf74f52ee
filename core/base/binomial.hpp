// Binomial numbers from coin tosses alone: no floating point, so they are the same on every
// machine.
#pragma once

#include <bit>
#include <cstdint>

#include "base/rng.hpp"

namespace rarewood {

// Number of heads among n coins.
inline std::uint64_t toss(std::uint64_t n, Random& random) {
  std::uint64_t heads = 0;
  for (; n >= 64; n -= 64) heads += static_cast<std::uint64_t>(std::popcount(random.bits()));
  if (n > 0) heads += static_cast<std::uint64_t>(std::popcount(random.bits() >> (64 - n)));
  return heads;
}

// Number of n uniform numbers below part / total, which must be below 1. Their binary digits
// are tossed one place at a time, for all together: a number is decided at the first digit in which
// it differs from the bound, so half of them are decided in each place. About n / 32 words are
// used.
inline std::uint64_t binomial(std::uint64_t n, std::uint64_t part, std::uint64_t total,
                              Random random) {
  std::uint64_t n_below = 0;
  while (n > 0 && part > 0) {  // the bound's digits end at 0: what is left is not below it
    const std::uint64_t ones = toss(n, random);
    const bool digit = part >= total - part;  // of the bound: 2 * part >= total
    if (digit) {
      part -= total - part;
      n_below += n - ones;
      n = ones;
    } else {
      part += part;
      n -= ones;
    }
  }
  return n_below;
}

}  // namespace rarewood

// Logarithm, exponential and powers for screening: branch-free, so that the compiler turns a
// loop over candidates into vector code. Absolute errors stay below 1e-11 for fractions in [0, 1].
#pragma once

#include <bit>
#include <cstdint>

namespace rarewood::fast {

// Natural logarithm of a normal positive number, relative error about 1e-12.
[[gnu::always_inline]] inline double log(double x) {
  constexpr std::uint64_t kSqrtHalf = 0x3fe6a09e667f3bcdULL;  // bits of sqrt(1/2)
  constexpr std::uint64_t kBias = std::uint64_t{1023} << 52;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t biased = (bits - kSqrtHalf + kBias) >> 52;          // exponent + 1023
  const double m = std::bit_cast<double>(bits - (biased << 52) + kBias);  // in [sqrt(1/2), sqrt 2)
  // Small integers become doubles through the mantissa: no 64-bit conversion is needed.
  const double exponent =
      std::bit_cast<double>(biased | 0x4330000000000000ULL) - (4503599627370496.0 + 1023.0);
  const double s = (m - 1.0) / (m + 1.0);
  const double z = s * s;
  const double series =
      1.0 + z * (1.0 / 3 + z * (1.0 / 5 + z * (1.0 / 7 + z * (1.0 / 9 + z * (1.0 / 11 + z / 13)))));
  return exponent * 0.6931471805599453 + 2.0 * s * series;
}

// x ln x, and 0 at x = 0.
[[gnu::always_inline]] inline double xlogx(double x) { return x * log(x > 1e-300 ? x : 1e-300); }

// e^x for |x| <= 700, relative error about 1e-12.
[[gnu::always_inline]] inline double exp(double x) {
  constexpr double kRound = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds to an integer
  const double t = x * 1.4426950408889634 + kRound;
  const double k = t - kRound;
  const double f = (x - k * 0.693147180369123816490) - k * 1.90821492927058770002e-10;
  const double series =
      1.0 +
      f * (1.0 +
           f * (1.0 / 2 +
                f * (1.0 / 6 +
                     f * (1.0 / 24 +
                          f * (1.0 / 120 +
                               f * (1.0 / 720 +
                                    f * (1.0 / 5040 + f * (1.0 / 40320 +
                                                           f * (1.0 / 362880 + f / 3628800)))))))));
  const std::uint64_t scale = (std::bit_cast<std::uint64_t>(t) + 1023) << 52;
  return series * std::bit_cast<double>(scale);
}

// x^a for x in [0, 1] and a in [-1, 2]; 0 at x = 0.
[[gnu::always_inline]] inline double pow(double x, double a) {
  const double y = a * log(x > 1e-300 ? x : 1e-300);
  return x > 0 ? exp(y < -700 ? -700 : (y > 700 ? 700 : y)) : 0.0;
}

}  // namespace rarewood::fast

// Divides a list of rows in two, in their order, by a test of four rows, eight rows at a time.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSSE3__)
#include <tmmintrin.h>
#endif

namespace rarewood {

using BlockRow = std::uint16_t;  // a row of a block

inline constexpr std::size_t kTestedRows = 4;
using TestedRows = std::array<BlockRow, kTestedRows>;
inline constexpr std::size_t kDividedRows = 2 * kTestedRows;

template <class V>
using Four [[gnu::vector_size(kTestedRows * sizeof(V))]] = V;

// One bit for each of four results of a comparison, which are 0 or -1.
template <class Result>
[[gnu::always_inline]] inline unsigned to_bits(const Result& is_true) {
  const auto narrow = __builtin_convertvector(is_true, Four<std::int32_t>);
#if defined(__SSSE3__)
  return static_cast<unsigned>(_mm_movemask_ps(std::bit_cast<__m128>(narrow)));
#else
  return (narrow[0] & 1) | (narrow[1] & 2) | (narrow[2] & 4) | (narrow[3] & 8);
#endif
}

// For each pattern of bits, the bytes of the rows whose bit is `bit`, then zeros.
constexpr auto bytes_of_rows(unsigned bit) {
  std::array<std::array<std::uint8_t, kDividedRows * sizeof(BlockRow)>, 1 << kDividedRows> table{};
  for (unsigned bits = 0; bits < table.size(); ++bits) {
    table[bits].fill(0x80);  // writes a zero
    std::size_t n = 0;
    for (unsigned lane = 0; lane < kDividedRows; ++lane) {
      if ((bits >> lane & 1) != bit) continue;
      table[bits][n++] = static_cast<std::uint8_t>(2 * lane);
      table[bits][n++] = static_cast<std::uint8_t>(2 * lane + 1);
    }
  }
  return table;
}

inline constexpr auto kBytesOfFirst = bytes_of_rows(0), kBytesOfSecond = bytes_of_rows(1);

// test(four rows) returns a bit for each. Rows whose bit is 0 are written to `first`, the others to
// `second`; returns the number of the former. Both may be the list itself. Lists are read and
// written in groups of eight: each needs room for seven more rows, which must be rows of the block.
template <class Test>
[[gnu::always_inline]] inline std::size_t divide(const BlockRow* rows, std::size_t n,
                                                 BlockRow* first, BlockRow* second,
                                                 const Test& test) {
  constexpr unsigned kAll = (1u << kDividedRows) - 1;
  std::size_t n_first = 0, n_second = 0;
  for (std::size_t i = 0; i < n; i += kDividedRows) {
    std::array<TestedRows, 2> eight;
    std::memcpy(&eight, rows + i, sizeof(eight));
    unsigned bits = test(eight[0]);
    if (n - i > kTestedRows) bits |= test(eight[1]) << kTestedRows;
    if (n - i < kDividedRows) bits |= kAll << (n - i) & kAll;  // not rows of the list
#if defined(__SSSE3__)
    const auto from = std::bit_cast<__m128i>(eight);
    auto write = [&](BlockRow* to, const auto& bytes) {
      const auto order = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes[bits].data()));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_shuffle_epi8(from, order));
    };
    write(first + n_first, kBytesOfFirst);
    write(second + n_second, kBytesOfSecond);
    const auto n_here = static_cast<std::size_t>(std::popcount(bits));
    n_second += n_here;
    n_first += kDividedRows - n_here;
#else
    for (std::size_t lane = 0; lane < std::min(kDividedRows, n - i); ++lane) {
      const std::size_t is_second = bits >> lane & 1;
      first[n_first] = second[n_second] = eight[lane / kTestedRows][lane % kTestedRows];
      n_second += is_second;
      n_first += 1 - is_second;
    }
#endif
  }
  return n_first;
}

}  // namespace rarewood

// Which of up to 256 counts are not zero.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace rarewood {

using BinMask = std::array<std::uint64_t, 4>;

template <class Count>
BinMask occupied_bins(const Count* counts) {
  BinMask mask{};
#if defined(__SSE2__)
  if constexpr (std::is_same_v<Count, std::uint32_t>) {
    const __m128i zero = _mm_setzero_si128();
    for (std::size_t b = 0; b < 256; b += 16) {
      auto is_zero = [&](std::size_t at) {
        return _mm_cmpeq_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(counts + b + at)),
                               zero);
      };
      const __m128i low = _mm_packs_epi32(is_zero(0), is_zero(4));
      const __m128i high = _mm_packs_epi32(is_zero(8), is_zero(12));
      const auto zeros = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
      mask[b / 64] |= static_cast<std::uint64_t>(~zeros & 0xffffu) << (b % 64);
    }
    return mask;
  }
#endif
  for (std::size_t b = 0; b < 256; ++b) {
    mask[b / 64] |= static_cast<std::uint64_t>(counts[b] > 0) << (b % 64);
  }
  return mask;
}

// Calls visit(b) for every bin of the mask, ascending.
template <class Visit>
void for_each_bin(const BinMask& mask, Visit&& visit) {
  for (int word = 0; word < 4; ++word) {
    for (std::uint64_t bits = mask[word]; bits != 0; bits &= bits - 1) {
      visit(64 * word + std::countr_zero(bits));
    }
  }
}

}  // namespace rarewood

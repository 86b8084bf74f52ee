// Sorts floating-point numbers by their bits: quicker than comparisons from a few dozen on.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace rarewood {

// Sorts values (no NaN) ascending; `scratch` is working space.
template <class T>
void radix_sort(std::vector<T>& values, std::vector<T>& scratch) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  constexpr int kDigits = sizeof(T);
  constexpr Bits kSign = Bits{1} << (8 * sizeof(T) - 1);
  // Order of the numbers = order of the keys: negative ones have all bits flipped.
  auto key = [](T value) {
    const auto bits = std::bit_cast<Bits>(value);
    return bits & kSign ? static_cast<Bits>(~bits) : static_cast<Bits>(bits | kSign);
  };
  const std::size_t n = values.size();
  if (n < 64) {
    std::sort(values.begin(), values.end());
    return;
  }
  std::array<std::array<std::uint32_t, 256>, kDigits> count{};
  for (T value : values) {
    const Bits bits = key(value);
    for (int d = 0; d < kDigits; ++d) ++count[d][(bits >> (8 * d)) & 255];
  }
  scratch.resize(n);
  for (int d = 0; d < kDigits; ++d) {
    auto& at = count[d];
    if (at[(key(values[0]) >> (8 * d)) & 255] == n) continue;  // all have the same digit
    std::uint32_t next = 0;
    for (std::uint32_t& c : at) {
      const std::uint32_t size = c;
      c = next;
      next += size;
    }
    for (T value : values) scratch[at[(key(value) >> (8 * d)) & 255]++] = value;
    values.swap(scratch);
  }
}

}  // namespace rarewood

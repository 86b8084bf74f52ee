// Vectors of 32 bytes, in the compiler's own notation: arithmetic and comparisons go lane by lane.
#pragma once

#include <cstddef>
#include <cstring>

namespace rarewood {

template <class T>
using Lanes [[gnu::vector_size(32)]] = T;

template <class T>
constexpr std::size_t kLanesOf = 32 / sizeof(T);

// Reads lanes from anywhere; the copy becomes one load.
template <class T, class V>
[[gnu::always_inline]] inline void load_lanes(const T* from, V& lanes) {
  std::memcpy(&lanes, from, sizeof(lanes));
}

}  // namespace rarewood

// Finds the bin of a value.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "types.hpp"

namespace rarewood {

// The largest T that is not above `edge`: x <= edge and x <= that T say the same of every T.
template <class T>
T round_down(double edge) {
  if constexpr (sizeof(T) == sizeof(double)) {
    return edge;
  } else {
    // The neighbour below is one bit pattern nearer to zero, or farther from it when negative. The
    // two cases are not branches: they are as likely as each other.
    const auto rounded = static_cast<float>(edge);
    if (rounded == 0) return edge < 0 ? -std::numeric_limits<float>::denorm_min() : rounded;
    const std::int32_t is_above = static_cast<double>(rounded) > edge;
    const std::int32_t towards_zero = rounded > 0 ? 1 : -1;
    return std::bit_cast<float>(std::bit_cast<std::int32_t>(rounded) - is_above * towards_zero);
  }
}

// The edges of one column, ready to be searched. A grid of equal cells from the first edge to the
// last says where to begin; in most columns the right bin is at most two edges further. Where the
// values are so skewed that many edges crowd into few cells, a binary search is quicker.
template <class T>
class EdgeSearch {
 public:
  EdgeSearch() { edges_.fill(std::numeric_limits<T>::infinity()); }

  // Increasing edges, at most 254.
  explicit EdgeSearch(std::span<const double> edges) : EdgeSearch() {
    for (std::size_t b = 0; b < edges.size(); ++b) edges_[b] = round_down<T>(edges[b]);
    has_grid_ = edges.size() <= kSteps;  // so few are found from the first one on
    if (has_grid_) return;
    const T width = (edges_[edges.size() - 1] - edges_[0]) / static_cast<T>(kCells);
    if (!(width > 0) || !std::isfinite(width) || !std::isfinite(1 / width)) return;
    lowest_ = edges_[0];
    scale_ = 1 / width;
    std::array<std::uint8_t, kCells> n_edges{};
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const std::size_t at = cell(edges_[e]);
      n_edges[at] = static_cast<std::uint8_t>(n_edges[at] + 1);
    }
    std::size_t b = 0;
    std::size_t crowded = 0;
    for (std::size_t c = 0; c < kCells; ++c) {
      first_[c] = static_cast<std::uint8_t>(b);
      b += n_edges[c];
      if (n_edges[c] > kSteps) crowded += n_edges[c];
    }
    has_grid_ = 8 * crowded <= edges.size();
  }

  // Codes of n values; a missing value gets any code.
  void find(const T* values, std::size_t n, Code* codes) const {
    if (!has_grid_) {
      for (std::size_t i = 0; i < n; ++i) codes[i] = find_by_halves(values[i]);
      return;
    }
    for (std::size_t i = 0; i < n; ++i) {
      const T x = values[i];
      // The cell is monotone in x, so no edge of an earlier cell can be at or above x.
      std::size_t b = first_[cell(x)];
      for (int step = 0; step < kSteps; ++step) b += edges_[b] < x;
      if (edges_[b] < x) b = find_by_halves(x);
      codes[i] = static_cast<Code>(b);
    }
  }

 private:
  static constexpr std::size_t kCells = 2048;
  static constexpr int kSteps = 2;

  std::size_t cell(T x) const {
    const T position = (x - lowest_) * scale_;
    // A NaN compares false with everything and lands in cell 0.
    const T clamped =
        position > 0
            ? (position < static_cast<T>(kCells - 1) ? position : static_cast<T>(kCells - 1))
            : 0;
    return static_cast<std::size_t>(static_cast<std::int32_t>(clamped));
  }

  // The number of edges below x, without branches.
  Code find_by_halves(T x) const {
    unsigned b = 0;
    for (unsigned bit = 8; bit-- > 0;) {
      b += static_cast<unsigned>(edges_[b + (1u << bit) - 1] < x) << bit;
    }
    return static_cast<Code>(b);
  }

  std::array<T, 260> edges_;  // padded with infinities
  std::array<std::uint8_t, kCells> first_{};
  T lowest_ = 0, scale_ = 0;
  bool has_grid_ = false;
};

}  // namespace rarewood

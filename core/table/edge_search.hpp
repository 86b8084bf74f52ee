// Finds the bins of values.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "base/multiversion.hpp"
#include "base/types.hpp"

namespace rarewood {

// The largest T that is not above `edge`: x <= edge and x <= that T say the same of every T.
template <class T>
T round_down(double edge) {
  if constexpr (sizeof(T) == sizeof(double)) {
    return edge;
  } else {
    // The neighbour below is one bit pattern nearer to zero, or farther from it when negative. The
    // two cases are not branches: they are equally likely.
    const auto rounded = static_cast<float>(edge);
    if (rounded == 0) return edge < 0 ? -std::numeric_limits<float>::denorm_min() : rounded;
    const std::int32_t is_above = static_cast<double>(rounded) > edge;
    const std::int32_t towards_zero = rounded > 0 ? 1 : -1;
    return std::bit_cast<float>(std::bit_cast<std::int32_t>(rounded) - is_above * towards_zero);
  }
}

// A number that grows with x, by as much from 1 to 2 as from 1000 to 2000: its bit pattern, of a
// double the upper half. Adding zero makes the two zeros one.
template <class T>
std::int32_t rank_of(T x) {
  std::int32_t bits;
  if constexpr (sizeof(T) == sizeof(double)) {
    bits = static_cast<std::int32_t>(std::bit_cast<std::int64_t>(x + T{0}) >> 32);
  } else {
    bits = std::bit_cast<std::int32_t>(x + T{0});
  }
  return bits ^ ((bits >> 31) & 0x7fffffff);  // the patterns of negative numbers grow downwards
}

// A grid of equal cells, over values or over their ranks.
template <class T>
struct Grid {
  T lowest = 0, scale = 0;
  bool is_ranked = false;

  T position(T x) const { return ((is_ranked ? static_cast<T>(rank_of(x)) : x) - lowest) * scale; }
};

// The cells of values: monotone in the value, and the same for each vector width. A missing value
// gets any cell.
template <class T>
RAREWOOD_MULTIVERSION void find_cells(const T* values, std::size_t n, Grid<T> grid,
                                      std::int32_t n_cells, std::int32_t* cells) {
  const T last = static_cast<T>(n_cells - 1);
  for (std::size_t i = 0; i < n; ++i) {
    const T position = grid.position(values[i]);
    const T clamped = position > 0 ? (position < last ? position : last) : T{0};
    cells[i] = static_cast<std::int32_t>(clamped);
  }
}

// The edges of one column, ready to be searched. A grid of equal cells from the first edge to the
// last says where to begin; in most columns the right bin is at most one or two edges further.
// Where the values are so skewed that many edges crowd into few cells, the cells are those of their
// ranks, and if this does not help either, a binary search is quicker.
template <class T>
class EdgeSearch {
 public:
  EdgeSearch() { edges_.fill(std::numeric_limits<T>::infinity()); }

  // Increasing edges, at most 254.
  explicit EdgeSearch(std::span<const double> edges) : EdgeSearch() {
    for (std::size_t b = 0; b < edges.size(); ++b) edges_[b] = round_down<T>(edges[b]);
    if (edges.size() <= kMostSteps) {  // so few are found from the first one on
      n_steps_ = kMostSteps;
      return;
    }
    if (!lay_grid(edges.size(), false)) lay_grid(edges.size(), true);
  }

  // Codes of n values; a missing value gets any code.
  void find(const T* values, std::size_t n, Code* codes) const {
    for (std::size_t begin = 0; begin < n; begin += kChunk) {
      const std::size_t n_here = std::min(kChunk, n - begin);
      switch (n_steps_) {
        case 1:
          find_on_grid<1>(values + begin, n_here, codes + begin);
          break;
        case kMostSteps:
          find_on_grid<kMostSteps>(values + begin, n_here, codes + begin);
          break;
        default:
          for (std::size_t i = 0; i < n_here; ++i)
            codes[begin + i] = find_by_halves(values[begin + i]);
      }
    }
  }

 private:
  static constexpr std::int32_t kCells = 2048;
  static constexpr std::size_t kMostSteps = 2;
  static constexpr std::size_t kChunk = 512;  // values whose cells are found at once

  // Whether nearly all bins are at most a few steps from the first edge of a cell.
  bool lay_grid(std::size_t n, bool is_ranked) {
    grid_ = {0, 1, is_ranked};
    const T lowest = grid_.position(edges_[0]), highest = grid_.position(edges_[n - 1]);
    const T width = (highest - lowest) / static_cast<T>(kCells);
    if (!(width > 0) || !std::isfinite(width) || !std::isfinite(1 / width)) return false;
    grid_ = {lowest, 1 / width, is_ranked};
    std::array<std::int32_t, kCodes> cells;
    find_cells(edges_.data(), n, grid_, kCells, cells.data());
    std::array<std::uint8_t, kCells> n_edges{};
    for (std::size_t e = 0; e < n; ++e) {
      std::uint8_t& n_here = n_edges[cells[e]];
      n_here = static_cast<std::uint8_t>(n_here + 1);
    }
    std::size_t b = 0;
    std::array<std::size_t, kMostSteps + 1> crowded{};  // edges of cells with more than so many
    for (std::size_t c = 0; c < kCells; ++c) {
      first_[c] = static_cast<std::uint8_t>(b);
      b += n_edges[c];
      for (std::size_t steps = 1; steps <= kMostSteps; ++steps) {
        if (n_edges[c] > steps) crowded[steps] += n_edges[c];
      }
    }
    for (std::size_t steps = kMostSteps; steps > 0; --steps) {
      if (8 * crowded[steps] <= n) n_steps_ = steps;
    }
    return n_steps_ > 0;
  }

  // No edge of an earlier cell can be at or above a value, since cells are monotone.
  template <std::size_t kSteps>
  void find_on_grid(const T* values, std::size_t n, Code* codes) const {
    std::array<std::int32_t, kChunk> cells;
    find_cells(values, n, grid_, kCells, cells.data());
    for (std::size_t i = 0; i < n; ++i) {
      const T x = values[i];
      std::size_t b = first_[cells[i]];
      for (std::size_t step = 0; step < kSteps; ++step) b += edges_[b] < x;
      if (edges_[b] < x) [[unlikely]]
        b = find_by_halves(x);
      codes[i] = static_cast<Code>(b);
    }
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
  Grid<T> grid_;
  std::size_t n_steps_ = 0;  // from the first edge of a cell to nearly every bin of it; 0: no grid
};

}  // namespace rarewood

// Rows of each class between which thresholds are drawn.
//
// Of each class at a node they are the rows whose content has the smallest hashes for the node's
// key. Equal rows are one landmark, so neither the order of rows nor repeated rows have an effect.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/multiversion.hpp"
#include "search/node.hpp"
#include "search/random/plane_draw.hpp"

namespace rarewood {

// A hash of 32 bits for a key of 64; distinct for distinct numbers.
constexpr std::uint32_t hash_for(std::uint64_t key, std::uint32_t number) {
  std::uint32_t x = number ^ static_cast<std::uint32_t>(key);
  x = (x ^ (x >> 16)) * 0x7feb352dU;
  x = ((x ^ (x >> 15)) + static_cast<std::uint32_t>(key >> 32)) * 0x846ca68bU;
  return x ^ (x >> 16);
}

template <class Number>
RAREWOOD_MULTIVERSION void hash_numbers(std::uint64_t key, const Number* numbers, std::size_t n,
                                        std::uint32_t* hashes) {
  for (std::size_t i = 0; i < n; ++i) hashes[i] = hash_for(key, numbers[i]);
}

class Landmarks {
 public:
  static constexpr std::size_t kMost = 8;  // of a class

  template <class T>
  void find(const Source<T>& source, const Node& node) {
    places_.clear();
    begin_.assign(1, 0);
    std::size_t first = 0;
    for (const Segment& segment : node.segments) {
      find_smallest(source.rows_of(segment), source.hashes, node.key);
      for (std::size_t i = 0; i < n_found_; ++i) places_.push_back(first + found_[i].place);
      begin_.push_back(places_.size());
      first += segment.count;
    }
  }

  // Their places among the rows of the node, segment after segment.
  std::span<const std::size_t> all() const { return places_; }

  // Draws one of segment s: its index among all.
  std::size_t draw(std::size_t s, FourBelow& draws) const {
    return begin_[s] + draws.next(begin_[s + 1] - begin_[s]);
  }

 private:
  struct Found {
    std::uint32_t hash;
    std::uint32_t place;
  };

  // The smallest hashes so far are kept in order; most rows are beyond the last of them.
  void find_smallest(std::span<const Row> rows, const std::uint32_t* hashes, std::uint64_t key) {
    constexpr std::size_t kBlock = 256;
    std::array<std::uint32_t, kBlock> numbers, here;
    n_found_ = 0;
    for (std::size_t begin = 0; begin < rows.size(); begin += kBlock) {
      const std::size_t n = std::min(kBlock, rows.size() - begin);
      for (std::size_t i = 0; i < n; ++i) numbers[i] = hashes[rows[begin + i]];
      hash_numbers(key, numbers.data(), n, here.data());
      for (std::size_t i = 0; i < n; ++i) {
        if (n_found_ == kMost && here[i] >= found_[kMost - 1].hash) continue;
        insert({here[i], static_cast<std::uint32_t>(begin + i)});
      }
    }
  }

  // Equal hashes are equal rows, of which the first is kept.
  void insert(Found found) {
    std::size_t at = n_found_;
    while (at > 0 && found_[at - 1].hash > found.hash) --at;
    if (at > 0 && found_[at - 1].hash == found.hash) return;
    n_found_ = std::min(n_found_ + 1, kMost);
    for (std::size_t i = n_found_ - 1; i > at; --i) found_[i] = found_[i - 1];
    found_[at] = found;
  }

  std::array<Found, kMost> found_{};
  std::size_t n_found_ = 0;
  std::vector<std::size_t> places_;
  std::vector<std::size_t> begin_;
};

}  // namespace rarewood

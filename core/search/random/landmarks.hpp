// Rows of each class between which thresholds are drawn.
//
// Of each class at a node they are the rows whose content has the smallest hashes for the node's
// key. Equal rows are one landmark, so neither the order of rows nor repeated rows have an effect.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "search/node.hpp"

namespace rarewood {

// A hash of 32 bits for a key of 64; distinct for distinct numbers.
constexpr std::uint32_t hash_for(std::uint64_t key, std::uint32_t number) {
  std::uint32_t x = number ^ static_cast<std::uint32_t>(key);
  x = (x ^ (x >> 16)) * 0x7feb352dU;
  x = ((x ^ (x >> 15)) + static_cast<std::uint32_t>(key >> 32)) * 0x846ca68bU;
  return x ^ (x >> 16);
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

  // Their places among the rows of the node, for segment s.
  std::span<const std::size_t> of(std::size_t s) const {
    return {places_.data() + begin_[s], begin_[s + 1] - begin_[s]};
  }

 private:
  struct Found {
    std::uint32_t hash;
    std::uint32_t place;
  };

  // The smallest hashes so far are kept in order; most rows are beyond the last of them.
  void find_smallest(std::span<const Row> rows, const std::uint32_t* hashes, std::uint64_t key) {
    n_found_ = 0;
    std::uint32_t last = std::numeric_limits<std::uint32_t>::max();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::uint32_t hash = hash_for(key, hashes[rows[i]]);
      if (n_found_ == kMost && hash >= last) continue;
      insert({hash, static_cast<std::uint32_t>(i)});
      last = found_[n_found_ - 1].hash;
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

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
      for (std::size_t i = 0; i < n_found_; ++i) {
        places_.push_back(first + static_cast<std::uint32_t>(found_[i]));
      }
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
  // First among rows whose hashes are below a limit, then among all.
  void find_smallest(std::span<const Row> rows, const std::uint32_t* hashes, std::uint64_t key) {
    constexpr std::size_t kExpected = 3 * kMost;  // below the limit
    if (rows.size() > kExpected) {
      collect(rows, hashes, key, static_cast<std::uint32_t>((kExpected << 32) / rows.size()));
      if (take_smallest() || insert_all()) return;
    }
    collect(rows, hashes, key, std::numeric_limits<std::uint32_t>::max());
    if (!take_smallest()) insert_all();
  }

  // Hashes and places of the rows whose hash is not above a limit.
  void collect(std::span<const Row> rows, const std::uint32_t* hashes, std::uint64_t key,
               std::uint32_t limit) {
    constexpr std::size_t kBlock = 256;
    std::array<std::uint32_t, kBlock> numbers, here;
    n_collected_ = 0;
    for (std::size_t begin = 0; begin < rows.size(); begin += kBlock) {
      const std::size_t n = std::min(kBlock, rows.size() - begin);
      for (std::size_t i = 0; i < n; ++i) numbers[i] = hashes[rows[begin + i]];
      hash_numbers(key, numbers.data(), n, here.data());
      if (collected_.size() < n_collected_ + n) collected_.resize(2 * (n_collected_ + kBlock));
      for (std::size_t i = 0; i < n; ++i) {  // no branch: which hashes are small is random
        collected_[n_collected_] = std::uint64_t{here[i]} << 32 | (begin + i);
        n_collected_ += here[i] <= limit;
      }
    }
  }

  // Takes the smallest of those collected, without a branch; false if they are too few, or if two
  // of them are equal rows.
  bool take_smallest() {
    if (n_collected_ < kMost) return false;
    std::array<std::uint64_t, kMost> smallest;
    smallest.fill(std::numeric_limits<std::uint64_t>::max());
    for (std::size_t i = 0; i < n_collected_; ++i) {
      const std::uint64_t x = collected_[i];
      for (std::size_t j = kMost - 1; j > 0; --j) {
        smallest[j] = std::max(smallest[j - 1], std::min(smallest[j], x));
      }
      smallest[0] = std::min(smallest[0], x);
    }
    bool are_distinct = true;
    for (std::size_t j = 1; j < kMost; ++j) {
      are_distinct &= smallest[j - 1] >> 32 != smallest[j] >> 32;
    }
    found_ = smallest;
    n_found_ = kMost;
    return are_distinct;
  }

  // Takes the smallest of those collected; false if they are too few.
  bool insert_all() {
    n_found_ = 0;
    for (std::size_t i = 0; i < n_collected_; ++i) insert(collected_[i]);
    return n_found_ == kMost;
  }

  // Keeps the smallest in order. Equal hashes are equal rows, of which the first is kept.
  void insert(std::uint64_t found) {
    std::size_t at = n_found_;
    while (at > 0 && found_[at - 1] >> 32 > found >> 32) --at;
    if (at == kMost || (at > 0 && found_[at - 1] >> 32 == found >> 32)) return;
    n_found_ = std::min(n_found_ + 1, kMost);
    for (std::size_t i = n_found_ - 1; i > at; --i) found_[i] = found_[i - 1];
    found_[at] = found;
  }

  std::array<std::uint64_t, kMost> found_{};  // a hash, then a place among the rows of the class
  std::size_t n_found_ = 0;
  std::vector<std::uint64_t> collected_;  // the first n_collected_ of them
  std::size_t n_collected_ = 0;
  std::vector<std::size_t> places_;
  std::vector<std::size_t> begin_;
};

}  // namespace rarewood

// Rows of each class between which thresholds are drawn.
//
// Of each class at a node they are the rows whose content has the smallest hashes for the node's
// key. Equal rows are one landmark, so neither the order of rows nor repeated rows have an effect.
#pragma once

#include <algorithm>
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
  static constexpr std::size_t kMost = 16;  // of a class

  template <class T>
  void find(const Source<T>& source, const Node& node) {
    places_.clear();
    begin_.assign(1, 0);
    std::size_t first = 0;
    for (const Segment& segment : node.segments) {
      find_smallest(source.rows_of(segment), source.hashes, node.key);
      for (const Found& found : found_) places_.push_back(first + found.place);
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
    friend bool operator<(const Found& a, const Found& b) { return a.hash < b.hash; }
  };

  // Most rows are out of reach of a limit under which a few more than kMost are expected; where
  // equal rows leave too few, the limit rises.
  void find_smallest(std::span<const Row> rows, const std::uint32_t* hashes, std::uint64_t key) {
    constexpr std::uint64_t kAll = std::numeric_limits<std::uint32_t>::max();
    constexpr std::size_t kExpected = 2 * kMost;
    std::uint64_t limit = rows.size() <= kExpected ? kAll : kAll / rows.size() * kExpected;
    while (true) {
      collect(rows, hashes, key, static_cast<std::uint32_t>(limit));
      if (found_.size() >= kMost || limit == kAll) break;
      limit = std::min(kAll, 8 * limit);
    }
    if (found_.size() > kMost) found_.resize(kMost);
  }

  void collect(std::span<const Row> rows, const std::uint32_t* hashes, std::uint64_t key,
               std::uint32_t limit) {
    found_.clear();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::uint32_t hash = hash_for(key, hashes[rows[i]]);
      if (hash <= limit) found_.push_back({hash, static_cast<std::uint32_t>(i)});
    }
    std::sort(found_.begin(), found_.end());
    const auto same = [](const Found& a, const Found& b) { return a.hash == b.hash; };
    found_.erase(std::unique(found_.begin(), found_.end(), same), found_.end());
  }

  std::vector<Found> found_;
  std::vector<std::size_t> places_;
  std::vector<std::size_t> begin_;
};

}  // namespace rarewood

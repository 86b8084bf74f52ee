// A sample of the rows of a large node, class by class, on which its split is chosen.
//
// Of a class with more rows it has those whose numbers have the smallest hashes for the node's key,
// so samples of the parts of a table can be merged. Sampling by class keeps the rare class whole.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/multiversion.hpp"
#include "search/node.hpp"
#include "search/random/landmarks.hpp"

namespace rarewood {

template <class Number>
RAREWOOD_MULTIVERSION void hash_numbers(std::uint64_t key, const Number* numbers, std::size_t n,
                                        std::uint32_t* hashes) {
  for (std::size_t i = 0; i < n; ++i) hashes[i] = hash_for(key, numbers[i]);
}

template <class T>
class NodeSample {
 public:
  static bool is_smaller(const Node& node, std::int64_t n_most) {
    return n_most > 0 && std::any_of(node.segments.begin(), node.segments.end(),
                                     [&](const Segment& s) { return s.count > n_most; });
  }

  void draw(const Source<T>& source, const Node& node, std::int64_t n_most) {
    source_.raw = source.raw;
    source_.row_codes = source.row_codes;
    source_.coordinates = source.coordinates;
    source_.columns = source.columns;
    source_.has_codes = source.has_codes;
    source_.weights = source.weights;
    source_.hashes = source.hashes;
    source_.rows.clear();
    scale_ = {};
    node_ = {};
    node_.key = node.key;
    node_.depth = node.depth;
    node_.totals = node.totals;
    node_.weight = node.weight;
    for (std::size_t s = 0; s < node.segments.size(); ++s) {
      const Segment& segment = node.segments[s];
      const auto begin = static_cast<Row>(source_.rows.size());
      add_rows(source, segment, node.key ^ kStream, static_cast<std::size_t>(n_most));
      const Row count = static_cast<Row>(source_.rows.size()) - begin;
      node_.segments.push_back({segment.of_class, begin, count});
      node_.rows.push_back(count);
      node_.n_rows += count;
      double total = count;
      if (source.weights) {
        total = 0;
        for (Row row : source_.rows_of(node_.segments.back())) total += source.weights[row];
      }
      scale_.counts.push_back(node.totals[s] / total);
      scale_.rows.push_back(static_cast<double>(segment.count) / count);
    }
    node_.scale = &scale_;
  }

  const Source<T>& source() const { return source_; }
  Source<T>& source() { return source_; }
  const Node& node() const { return node_; }

 private:
  static constexpr std::uint64_t kStream = 0x73616d706c65;  // apart from the hashes of landmarks

  struct Found {
    std::uint32_t hash;
    Row row;
    friend bool operator<(const Found& a, const Found& b) {
      return a.hash != b.hash ? a.hash < b.hash : a.row < b.row;
    }
  };

  // Few rows are below a limit under which a little more than n_most are expected.
  void add_rows(const Source<T>& source, const Segment& segment, std::uint64_t key,
                std::size_t n_most) {
    const std::span<const Row> rows = source.rows_of(segment);
    if (rows.size() <= n_most) {
      source_.rows.insert(source_.rows.end(), rows.begin(), rows.end());
      return;
    }
    constexpr std::uint64_t kAll = std::numeric_limits<std::uint32_t>::max();
    const std::uint64_t n_expected = n_most + n_most / 8 + 16;
    std::uint64_t limit = n_expected >= rows.size() ? kAll : kAll / rows.size() * n_expected;
    while (collect(source, rows, key, static_cast<std::uint32_t>(limit)) < n_most) {
      limit = std::min(kAll, 2 * limit);
    }
    std::nth_element(found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(n_most) - 1,
                     found_.end());
    found_.resize(n_most);
    std::sort(found_.begin(), found_.end(),
              [](const Found& a, const Found& b) { return a.row < b.row; });
    for (const Found& found : found_) source_.rows.push_back(found.row);
  }

  std::size_t collect(const Source<T>& source, std::span<const Row> rows, std::uint64_t key,
                      std::uint32_t limit) {
    constexpr std::size_t kBlock = 512;
    Row numbers[kBlock];
    std::uint32_t hashes[kBlock];
    found_.clear();
    for (std::size_t begin = 0; begin < rows.size(); begin += kBlock) {
      const std::size_t n = std::min(kBlock, rows.size() - begin);
      for (std::size_t i = 0; i < n; ++i) numbers[i] = source.number(rows[begin + i]);
      hash_numbers(key, numbers, n, hashes);
      for (std::size_t i = 0; i < n; ++i) {
        if (hashes[i] <= limit) found_.push_back({hashes[i], rows[begin + i]});
      }
    }
    return found_.size();
  }

  Source<T> source_;
  Node node_;
  SampleScale scale_;
  std::vector<Found> found_;
};

}  // namespace rarewood

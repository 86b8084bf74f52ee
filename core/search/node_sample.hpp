// A sample of the rows of a large node, class by class, on which its split is chosen.
//
// Of a class with more rows it has those whose numbers have the smallest hashes for the node's key,
// so the sample of a table is that of the joined samples of its parts. Sampling by class keeps the
// rare class whole.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/multiversion.hpp"
#include "search/node.hpp"
#include "search/random/landmarks.hpp"

namespace rarewood {

// Is the sample of a node smaller than the node?
inline bool is_sampled(const Node& node, std::int64_t n_most) {
  for (std::size_t s = 0; n_most > 0 && s < node.segments.size(); ++s) {
    if (node.rows_in(s) > static_cast<double>(n_most)) return true;
  }
  return false;
}

template <class Number>
RAREWOOD_MULTIVERSION void hash_numbers(std::uint64_t key, const Number* numbers, std::size_t n,
                                        std::uint32_t* hashes) {
  for (std::size_t i = 0; i < n; ++i) hashes[i] = hash_for(key, numbers[i]);
}

// Selects rows of one class by the hashes of their numbers in the whole table.
template <class T>
class HashSelection {
 public:
  static constexpr std::uint32_t kAll = std::numeric_limits<std::uint32_t>::max();

  // A limit of hashes under which a little more than n_most of the rows are expected.
  static std::uint32_t expected_limit(double n_rows, std::size_t n_most) {
    const auto n_expected = static_cast<double>(n_most + n_most / 8 + 16);
    return n_expected >= n_rows ? kAll : static_cast<std::uint32_t>(kAll * (n_expected / n_rows));
  }
  static std::uint32_t twice(std::uint32_t limit) { return limit > kAll / 2 ? kAll : 2 * limit; }

  // Appends the n_most rows with the smallest hashes for a node, ascending.
  void add_smallest(const Source<T>& source, std::span<const Row> rows, const Node& node,
                    std::size_t n_most, std::vector<Row>& out) {
    if (rows.size() <= n_most) {
      out.insert(out.end(), rows.begin(), rows.end());
      return;
    }
    std::uint32_t limit = expected_limit(static_cast<double>(rows.size()), n_most);
    while (collect(source, rows, node.key, limit) < n_most) limit = twice(limit | 1);
    add_found(n_most, out);
  }

  // Those of them whose hashes are not above a limit.
  void add_below(const Source<T>& source, std::span<const Row> rows, const Node& node,
                 std::size_t n_most, std::uint32_t limit, std::vector<Row>& out) {
    collect(source, rows, node.key, limit);
    add_found(n_most, out);
  }

 private:
  static constexpr std::uint64_t kStream = 0x73616d706c65;  // apart from the hashes of landmarks

  struct Found {
    std::uint32_t hash;
    Row row;
  };

  // Rows were found in ascending order, and stay so. Equal hashes are copies of one row.
  void add_found(std::size_t n_most, std::vector<Row>& out) {
    std::uint32_t last = kAll;
    std::size_t n_last = found_.size();  // rows with the last hash that are taken
    if (found_.size() > n_most) {
      hashes_.clear();
      for (const Found& found : found_) hashes_.push_back(found.hash);
      const auto nth = hashes_.begin() + static_cast<std::ptrdiff_t>(n_most) - 1;
      std::nth_element(hashes_.begin(), nth, hashes_.end());
      last = *nth;
      n_last = n_most - static_cast<std::size_t>(std::count_if(
                            hashes_.begin(), nth, [&](std::uint32_t hash) { return hash < last; }));
    }
    for (const Found& found : found_) {
      if (found.hash > last || (found.hash == last && n_last == 0)) continue;
      if (found.hash == last) --n_last;
      out.push_back(found.row);
    }
  }

  std::size_t collect(const Source<T>& source, std::span<const Row> rows, std::uint64_t key,
                      std::uint32_t limit) {
    constexpr std::size_t kBlock = 512;
    Row numbers[kBlock];
    std::uint32_t hashes[kBlock];
    found_.clear();
    for (std::size_t begin = 0; begin < rows.size(); begin += kBlock) {
      const std::size_t n = std::min(kBlock, rows.size() - begin);
      for (std::size_t i = 0; i < n; ++i) numbers[i] = source.global_number(rows[begin + i]);
      hash_numbers(key ^ kStream, numbers, n, hashes);
      for (std::size_t i = 0; i < n; ++i) {
        if (hashes[i] <= limit) found_.push_back({hashes[i], rows[begin + i]});
      }
    }
    return found_.size();
  }

  std::vector<Found> found_;
  std::vector<std::uint32_t> hashes_;
};

template <class T>
class NodeSample {
 public:
  // The source has the sample at least; totals and numbers of rows are those of the whole node.
  void draw(const Source<T>& source, const Node& node, std::int64_t n_most) {
    source_.raw = source.raw;
    source_.row_codes = source.row_codes;
    source_.coordinates = source.coordinates;
    source_.columns = source.columns;
    source_.has_codes = source.has_codes;
    source_.weights = source.weights;
    source_.numbers = source.numbers;
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
      selection_.add_smallest(source, source.rows_of(segment), node,
                              static_cast<std::size_t>(n_most), source_.rows);
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
      scale_.rows.push_back(node.rows_in(s) / count);
    }
    node_.scale = &scale_;
  }

  Source<T>& source() { return source_; }
  const Node& node() const { return node_; }

 private:
  HashSelection<T> selection_;
  Source<T> source_;
  Node node_;
  SampleScale scale_;
};

}  // namespace rarewood

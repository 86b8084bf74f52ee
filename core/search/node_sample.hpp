// A sample of the rows of a large node, class by class, on which its split is chosen.
//
// Of a class with more rows it has those whose numbers have the smallest hashes for the node's key,
// so the sample of a table is that of the joined samples of its parts. Sampling by class keeps the
// rare class whole.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

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
                    std::size_t n_most, RowList& out) {
    if (rows.size() <= n_most) {
      out.insert(out.end(), rows.begin(), rows.end());
      return;
    }
    std::uint32_t limit = expected_limit(static_cast<double>(rows.size()), n_most);
    while (collect(source, rows, node.key, limit) < n_most) limit = twice(limit | 1);
    add_found(n_most, limit, out);
  }

  // Those of them whose hashes are not above a limit.
  void add_below(const Source<T>& source, std::span<const Row> rows, const Node& node,
                 std::size_t n_most, std::uint32_t limit, RowList& out) {
    collect(source, rows, node.key, limit);
    add_found(n_most, limit, out);
  }

 private:
  static constexpr std::uint64_t kStream = 0x73616d706c65;  // apart from the hashes of landmarks

  struct Found {
    std::uint32_t hash;
    Row row;
  };

  // Rows were found in ascending order, and stay so. Equal hashes are copies of one row.
  void add_found(std::size_t n_most, std::uint32_t limit, RowList& out) {
    std::uint32_t last = kAll;
    std::size_t n_last = n_found_;  // rows with the last hash that are taken
    if (n_found_ > n_most) std::tie(last, n_last) = find_last(n_most, limit);
    const std::size_t begin = out.size();
    out.resize(begin + n_found_);
    Row* to = out.data() + begin;
    for (std::size_t i = 0; i < n_found_; ++i) {  // no branch: what is taken is random
      const std::uint32_t hash = found_[i].hash;
      const bool is_last = hash == last && n_last > 0;
      *to = found_[i].row;
      to += hash < last || is_last;
      n_last -= is_last;
    }
    out.resize(static_cast<std::size_t>(to - out.data()));
  }

  // The n-th smallest of the hashes found, none of them above the limit, and how many of the n
  // smallest are equal to it. Hashes are uniform: few are in the same of many intervals.
  std::pair<std::uint32_t, std::size_t> find_last(std::size_t n, std::uint32_t limit) {
    constexpr std::size_t kIntervals = 256;
    const std::uint64_t scale = (std::uint64_t{kIntervals} << 32) / (std::uint64_t{limit} + 1);
    auto interval_of = [&](std::uint32_t hash) { return (hash * scale) >> 32; };
    std::array<std::uint32_t, kIntervals> count{};
    for (std::size_t i = 0; i < n_found_; ++i) ++count[interval_of(found_[i].hash)];
    std::size_t interval = 0, n_before = 0;
    for (; n_before + count[interval] < n; ++interval) n_before += count[interval];
    hashes_.clear();
    for (std::size_t i = 0; i < n_found_; ++i) {
      if (interval_of(found_[i].hash) == interval) hashes_.push_back(found_[i].hash);
    }
    const auto nth = hashes_.begin() + static_cast<std::ptrdiff_t>(n - n_before) - 1;
    std::nth_element(hashes_.begin(), nth, hashes_.end());
    const auto n_smaller =
        std::count_if(hashes_.begin(), nth, [&](std::uint32_t hash) { return hash < *nth; });
    return {*nth, n - n_before - static_cast<std::size_t>(n_smaller)};
  }

  // Returns how many rows were found.
  std::size_t collect(const Source<T>& source, std::span<const Row> rows, std::uint64_t key,
                      std::uint32_t limit) {
    constexpr std::size_t kBlock = 512;
    const bool are_numbers = !source.numbers && !source.global_numbers;
    Row numbers[kBlock];
    std::uint32_t hashes[kBlock];
    n_found_ = 0;
    for (std::size_t begin = 0; begin < rows.size(); begin += kBlock) {
      const std::size_t n = std::min(kBlock, rows.size() - begin);
      const Row* const here = rows.data() + begin;
      for (std::size_t i = 0; i < n && !are_numbers; ++i)
        numbers[i] = source.global_number(here[i]);
      hash_numbers(key ^ kStream, are_numbers ? here : numbers, n, hashes);
      if (found_.size() < n_found_ + n) found_.resize(2 * (n_found_ + kBlock));
      for (std::size_t i = 0; i < n; ++i) {  // no branch: what is found is random
        found_[n_found_] = {hashes[i], here[i]};
        n_found_ += hashes[i] <= limit;
      }
    }
    return n_found_;
  }

  std::vector<Found> found_;  // the first n_found_ of them
  std::size_t n_found_ = 0;
  std::vector<std::uint32_t> hashes_;
};

template <class T>
class NodeSample {
 public:
  // The source has the sample at least; totals and numbers of rows are those of the whole node.
  void draw(const Source<T>& source, const Node& node, std::int64_t n_most) {
    source_.raw = source.raw;
    source_.sparse = source.sparse;
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

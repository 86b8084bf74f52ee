// A copy of the values of one small subtree, column by column: it stays in the cache while that
// subtree grows. Depth-first growth finishes a subtree before it comes back to the table, so one
// such copy is enough.
#pragma once

#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>
#include <vector>

#include "search/node.hpp"
#include "search/node_values.hpp"

namespace rarewood {

template <class T>
class LocalSource {
 public:
  static constexpr std::size_t kMaxBytes = 256 << 10;

  static bool fits(const Source<T>& table, const Node& node, std::size_t n_features) {
    const std::size_t n_bytes = table.row_codes ? sizeof(Code) : sizeof(T);
    return node.n_rows * n_features * n_bytes <= kMaxBytes;
  }

  Source<T>& source() { return source_; }

  // Copies the node's rows from the table and renumbers them; the node becomes local.
  void settle(const Source<T>& table, Node& node) {
    const std::size_t n = node.n_rows, n_features = table.columns->n_features();
    if (table.row_codes) {
      make_room(codes_, n * n_features);
    } else {
      make_room(values_, n * n_features);
    }
    weights_.resize(table.weights ? n : 0);
    hashes_.resize(table.hashes ? n : 0);
    numbers_.resize(n);
    Row next = 0;
    for (Segment& segment : node.segments) {
      const std::span<const Row> rows = table.rows_of(segment);
      for (Row i = 0; i < segment.count; ++i) {
        if (table.row_codes) {
          copy_codes(table.codes_of(rows[i]), n_features, codes_.data() + (next + i) * n_features);
        } else {
          for (std::size_t f = 0; f < n_features; ++f) {
            values_[f * n + next + i] = table.raw.at(rows[i], f);
          }
        }
        numbers_[next + i] = table.number(rows[i]);
        if (table.weights) weights_[next + i] = table.weights[rows[i]];
        if (table.hashes) hashes_[next + i] = table.hashes[rows[i]];
      }
      segment.begin = next;
      next += segment.count;
    }
    source_.row_codes = table.row_codes ? codes_.data() : nullptr;
    source_.coordinates = table.coordinates;
    source_.numbers = numbers_.data();
    source_.global_numbers = table.global_numbers;
    source_.raw = {values_.data(), n, n_features, 1, static_cast<std::ptrdiff_t>(n)};
    source_.columns = table.columns;
    source_.has_codes = false;
    source_.weights = table.weights ? weights_.data() : nullptr;
    source_.hashes = table.hashes ? hashes_.data() : nullptr;
    source_.rows.resize(n);
    std::iota(source_.rows.begin(), source_.rows.end(), Row{0});
    node.is_local = true;
  }

 private:
  // A call for each of these few bytes would take longer.
  static void copy_codes(const Code* from, std::size_t n, Code* to) {
    std::size_t i = 0;
    for (; i + sizeof(std::uint64_t) <= n; i += sizeof(std::uint64_t)) {
      std::memcpy(to + i, from + i, sizeof(std::uint64_t));
    }
    for (; i < n; ++i) to[i] = from[i];
  }

  Source<T> source_;
  std::vector<T> values_;
  std::vector<Code> codes_;  // by row, where the table has them
  std::vector<Row> numbers_;
  std::vector<double> weights_;
  std::vector<std::uint32_t> hashes_;
};

}  // namespace rarewood

// A copy of the values of one small subtree, column by column: it stays in the cache while that
// subtree grows. Depth-first growth finishes a subtree before it comes back to the table, so one
// such copy is enough.
#pragma once

#include <numeric>
#include <span>
#include <vector>

#include "search/node.hpp"

namespace rarewood {

template <class T>
class LocalSource {
 public:
  static constexpr std::size_t kMaxBytes = 256 << 10;

  static bool fits(const Node& node, std::size_t n_features) {
    return node.n_rows * n_features * sizeof(T) <= kMaxBytes;
  }

  Source<T>& source() { return source_; }

  // Copies the node's rows from the table and renumbers them; the node becomes local.
  void settle(const Source<T>& table, Node& node) {
    const std::size_t n = node.n_rows, n_features = table.raw.n_columns;
    values_.resize(n * n_features);
    weights_.resize(table.weights ? n : 0);
    Row next = 0;
    for (Segment& segment : node.segments) {
      const std::span<const Row> rows = table.rows_of(segment);
      for (Row i = 0; i < segment.count; ++i) {
        for (std::size_t f = 0; f < n_features; ++f) {
          values_[f * n + next + i] = table.raw.at(rows[i], f);
        }
        if (table.weights) weights_[next + i] = table.weights[rows[i]];
      }
      segment.begin = next;
      next += segment.count;
    }
    source_.raw = {values_.data(), n, n_features, 1, static_cast<std::ptrdiff_t>(n)};
    source_.columns = table.columns;
    source_.has_codes = false;
    source_.weights = table.weights ? weights_.data() : nullptr;
    source_.rows.resize(n);
    std::iota(source_.rows.begin(), source_.rows.end(), Row{0});
    node.is_local = true;
  }

 private:
  Source<T> source_;
  std::vector<T> values_;
  std::vector<double> weights_;
};

}  // namespace rarewood

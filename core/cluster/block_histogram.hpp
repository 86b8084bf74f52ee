// Class counts per code of some features of several nodes of one tree.
//
// Rows of deep nodes lie far apart: node by node, the columns would be fetched from memory for each
// of them. All nodes are counted block of rows by block of rows instead, while the block's codes
// are in the cache.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "search/histogram.hpp"

namespace rarewood {

template <class Count>
class BlockHistogram {
 public:
  // Forgets all nodes.
  void clear() {
    nodes_.clear();
    n_cells_ = 0;
  }

  // The node and the features must stay where they are until all is counted.
  void add(const Node& node, std::span<const std::int32_t> features) {
    nodes_.push_back({&node, features, n_cells_});
    n_cells_ += features.size() * node.segments.size() * kCodes;
  }

  void count(const Source<double>& source) {
    if (n_cells_ == 0) return;
    counts_.assign(n_cells_, Count{0});
    cursors_.clear();
    for (const Counted& counted : nodes_) {
      cursors_.insert(cursors_.end(), counted.node->segments.size(), Row{0});
    }
    const std::size_t n_rows = source.columns->n_rows();
    for (std::size_t begin = 0; begin < n_rows; begin += kBlockRows) {
      count_block(source, std::min(begin + kBlockRows, n_rows));
    }
  }

  // The place-th feature of the i-th node.
  FeatureHistogram<Count> feature(std::size_t i, std::size_t place) const {
    const Counted& counted = nodes_[i];
    const std::size_t n_segments = counted.node->segments.size();
    return {counts_.data() + counted.first + place * n_segments * kCodes, kCodes,
            counted.node->segments.data(), false};
  }

 private:
  static constexpr std::size_t kBlockRows = 1 << 16;
  static constexpr std::size_t kAtOnce = 8;  // features

  struct Counted {
    const Node* node;
    std::span<const std::int32_t> features;
    std::size_t first;  // of its counts
  };

  // Counts the rows up to one that are not counted yet.
  void count_block(const Source<double>& source, std::size_t end_row) {
    auto cursor = cursors_.begin();
    for (const Counted& counted : nodes_) {
      const ShortVector<Segment>& segments = counted.node->segments;
      for (std::size_t s = 0; s < segments.size(); ++s, ++cursor) {
        const Row* const rows = source.rows_of(segments[s]).data();
        const Row begin = *cursor, end = find_row(rows, begin, segments[s].count, end_row);
        *cursor = end;
        if (begin == end) continue;
        Count* bins = counts_.data() + counted.first + s * kCodes;
        for (std::size_t f = 0; f < counted.features.size(); f += kAtOnce) {
          const std::size_t n = std::min(kAtOnce, counted.features.size() - f);
          count_rows(source, counted.features.subspan(f, n), {rows + begin, rows + end},
                     bins + f * segments.size() * kCodes, segments.size() * kCodes);
        }
      }
    }
  }

  // Counts features together, row by row: no count waits for the one before it, which is of another
  // feature. The number of features is known to the compiler. `stride` is from one to the next.
  template <std::size_t N = kAtOnce>
  static void count_rows(const Source<double>& source, std::span<const std::int32_t> features,
                         std::span<const Row> rows, Count* bins, std::size_t stride) {
    if constexpr (N > 1) {
      if (features.size() < N) return count_rows<N - 1>(source, features, rows, bins, stride);
    }
    const Code* codes[N];
    for (std::size_t j = 0; j < N; ++j) {
      codes[j] = source.columns->codes(features[j]);
    }
    for (Row row : rows) {
      std::size_t at[N];
      for (std::size_t j = 0; j < N; ++j) at[j] = j * stride + codes[j][row];
      const auto amount = std::is_integral_v<Count> ? Count{1} : Count(source.weight(row));
      for (std::size_t j = 0; j < N; ++j) bins[at[j]] += amount;
    }
  }

  // The first place from `at` on that holds this row or a later one: rows ascend.
  static Row find_row(const Row* rows, Row at, Row count, std::size_t row) {
    std::size_t step = 1;
    while (step < count - at && rows[at + step] < row) step *= 2;
    const Row* const end = rows + at + std::min<std::size_t>(step, count - at);
    return static_cast<Row>(std::lower_bound(rows + at, end, row) - rows);
  }

  std::vector<Counted> nodes_;
  std::vector<Row> cursors_;  // of each node and segment: rows that are counted
  std::size_t n_cells_ = 0;
  std::vector<Count> counts_;
};

}  // namespace rarewood

// Rows of a small node that shards have sent, and the branch that grows from them.
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/wire.hpp"
#include "grow/grow.hpp"
#include "search/node.hpp"
#include "table/columns.hpp"
#include "table/weight_grid.hpp"

namespace rarewood {

class SentRows {
 public:
  SentRows(std::span<const Column> columns, bool is_weighted)
      : columns_(columns), is_weighted_(is_weighted), wide_(columns.size()) {}

  // What one shard has of a node.
  void read(ByteReader& in, const Node& node);

  // The rows must be all that the node has.
  Tree grow_branch(const Node& node, int n_classes, int max_bins, const WeightGrid& grid,
                   const Criterion& criterion, const GrowOptions& options) const;

 private:
  void check(const Node& node, const WeightGrid& grid) const;

  std::span<const Column> columns_;
  bool is_weighted_;
  std::vector<std::int32_t> classes_;
  std::vector<std::uint64_t> copies_;
  std::vector<std::uint64_t> units_;
  std::vector<Code> codes_;                      // row by row
  std::vector<std::vector<std::int32_t>> wide_;  // categories of wide features
};

}  // namespace rarewood

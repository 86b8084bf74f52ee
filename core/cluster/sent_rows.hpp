// Rows of a node that shards have sent: all of them, or those from which its sample is drawn.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cluster/table_facts.hpp"
#include "cluster/wire.hpp"
#include "grow/row_sampling.hpp"
#include "search/node.hpp"

namespace rarewood {

// The rows as a table.
struct SentTable {
  std::vector<std::int32_t> classes;
  std::vector<double> weights;
  std::vector<Row> global_numbers;  // where hyperplanes are drawn
  std::vector<Code> codes;
  std::vector<std::vector<std::int32_t>> wide;  // categories of wide features
  std::unique_ptr<const Columns> columns;
  ClassRows rows;
};

class SentRows {
 public:
  SentRows(const TableFacts& facts, bool is_weighted)
      : facts_(facts), is_weighted_(is_weighted), wide_(facts.columns.size()) {}

  // What one shard has of a node.
  void read(ByteReader& in, const Node& node);

  // Throws std::invalid_argument unless the rows are all that the node has.
  void check_all(const Node& node, const WeightGrid& grid) const;

  // Are there as many rows of each class as its sample has?
  bool has_sample(const Node& node, std::int64_t n_most) const;

  // Where rows have numbers, they are in the order of the whole table.
  SentTable to_table(const WeightGrid& grid) const;

 private:
  struct ClassSums {
    std::vector<double> rows, units;
  };
  ClassSums sum_up(const Node& node) const;
  void make_columns(SentTable& table) const;

  const TableFacts& facts_;
  bool is_weighted_;
  std::vector<std::int32_t> classes_;
  std::vector<std::uint64_t> copies_;
  std::vector<std::uint64_t> units_;
  std::vector<std::uint64_t> global_numbers_;    // where hyperplanes are drawn
  std::vector<Code> codes_;                      // row by row
  std::vector<std::vector<std::int32_t>> wide_;  // categories of wide features
};

}  // namespace rarewood

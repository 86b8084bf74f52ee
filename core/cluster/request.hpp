// The orders of the coordinator to every shard in one round.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"
#include "grow/row_sampling.hpp"
#include "search/cut.hpp"

namespace rarewood {

// Divide the rows of a node among new nodes, first_child and those after it.
struct SplitOrder {
  NodeId node = 0;
  NodeId first_child = 0;
  std::int32_t feature = 0;
  std::int32_t n_children = 2;
  std::int32_t missing_child = 0;
  std::int32_t code = 0;                  // numeric: codes up to this one go to the first child
  std::vector<CategoryRoute> categories;  // categorical
  std::vector<PlaneTerm> plane;           // hyperplane: its terms, or a cut of one feature
  double threshold = 0;                   // of their sum
};

// Count the classes of a node's rows, code by code.
struct CountOrder {
  NodeId node = 0;
  std::vector<std::int32_t> features;  // ascending; none: all
  bool only_classes = false;           // not code by code
};

// Send the rows of a node.
struct GatherOrder {
  std::vector<NodeId> nodes;          // that have them now
  std::uint64_t n_most = 0;           // of each class those with the smallest hashes; 0: all
  std::vector<std::uint32_t> limits;  // of these hashes, by class
};

struct TreeOrders {
  std::uint64_t tree = 0;       // its number in the forest
  bool starts = false;          // draw its rows, and count their classes
  std::vector<double> factors;  // multiply the weights of each class by these, and round them
  int grid = 0;                 // to this grid
  std::vector<SplitOrder> splits;
  std::vector<CountOrder> counts;
  std::vector<GatherOrder> gathers;

  bool is_balanced() const { return !factors.empty(); }
  bool counts_root() const { return starts || is_balanced(); }
};

inline constexpr std::uint64_t kFirstRequest = 1;  // shards then drop their state

struct Request {
  std::uint64_t number = 0;  // requests come in order; the last one may be repeated
  bool is_replay = false;    // shards drop their state, and count nothing
  std::uint64_t seed = 0;
  RowSampling sampling;
  bool is_weighted = false;  // the table has weights, to be rounded to the grid
  int grid = 0;
  std::vector<std::uint64_t> ended;  // trees whose rows are dropped
  std::vector<TreeOrders> trees;

  std::string to_bytes() const;
  // Throws std::invalid_argument for anything that to_bytes could not have made.
  static Request from_bytes(std::string_view bytes, std::size_t n_features, int n_classes);
};

}  // namespace rarewood

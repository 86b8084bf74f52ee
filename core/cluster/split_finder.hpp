// Searches a node by its counts alone, and gives the counts of its children.
#pragma once

#include <vector>

#include "cluster/node_histogram.hpp"
#include "search/histogram_search.hpp"

namespace rarewood {

struct Found {
  Split split;                  // none: the node stays a leaf
  std::vector<Node> children;   // what they have; not where
  bool lacks_features = false;  // too many of those counted are constant: others must be counted
};

class Finder {
 public:
  Finder(std::span<const Column> columns, const Criterion& criterion, const GrowOptions& options,
         bool is_weighted)
      : columns_(columns),
        is_weighted_(is_weighted),
        search_(criterion, options, {columns.size(), is_weighted, false}) {}

  // The histogram has the classes of the node.
  Found find(const Node& node, const NodeHistogram& histogram, const WeightGrid& grid);

 private:
  bool consider(const NodeHistogram& histogram, int f, const WeightGrid& grid);
  void divide(const Node& node, const NodeHistogram& histogram, int slot, const WeightGrid& grid,
              Found& found);

  std::span<const Column> columns_;
  bool is_weighted_;
  HistogramSearch<std::uint64_t> search_;
  CategoryTable table_;
  std::vector<double> weights_;
};

}  // namespace rarewood

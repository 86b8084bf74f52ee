// The counts of one node over all shards, as the coordinator searches them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cluster/cells.hpp"
#include "search/categorical.hpp"
#include "search/histogram.hpp"
#include "table/columns.hpp"
#include "table/weight_grid.hpp"

namespace rarewood {

// The cells of a node in a response: feature by feature, class by class, code by code, the missing
// values last.
struct HistogramShape {
  std::span<const Column> columns;
  std::vector<std::int32_t> features;
  int n_classes = 0;
  bool is_weighted = false;

  // Codes of a column, or its categories where codes do not determine them, and one for missing
  // values.
  static std::uint64_t n_codes(const Column& column) {
    const std::int64_t n = column.is_wide() ? column.n_categories : column.n_bins;
    return static_cast<std::uint64_t>(n) + column.has_missing;
  }
};

class NodeHistogram {
 public:
  // Reads the counts of a node, or those of its parent: of these, other classes are left out.
  NodeHistogram(const HistogramShape& shape, const Node& node, const TalliedView& tallied,
                bool is_of_parent);

  // Takes away the counts of other nodes, which had their rows from this one.
  void subtract(const TalliedView& tallied);

  // Every row has one value of every feature: throws std::invalid_argument when it has not.
  void check(const Node& node, const WeightGrid& grid) const;

  Tallied to_cells() const;

  // The place of a feature among those counted, or -1.
  int slot_of(int feature) const { return slot_of_feature_[feature]; }

  FeatureHistogram<std::uint64_t> rows(int slot) const { return {dense(rows_, slot)}; }
  FeatureHistogram<double> weights(int slot, const WeightGrid& grid,
                                   std::vector<double>& buffer) const;
  bool any_missing(int slot) const;
  void categories(int slot, const WeightGrid& grid, CategoryTable& table) const;

 private:
  // A code, or a category of a wide feature; the missing values come after the last.
  struct Cell {
    std::size_t segment;
    std::uint64_t code;
    std::uint64_t rows, units;
  };

  const std::uint64_t* dense(const std::vector<std::uint64_t>& counts, int slot) const {
    return counts.data() + static_cast<std::size_t>(slot) * n_segments_ * kCodes;
  }
  const Column& column(std::size_t slot) const { return shape_.columns[shape_.features[slot]]; }
  // Where a narrow cell is in rows_ and units_: missing values are last in a response.
  std::size_t place_of(std::size_t slot, std::size_t segment, std::uint64_t code) const {
    const bool is_bin = code < static_cast<std::uint64_t>(column(slot).n_bins);
    return (slot * n_segments_ + segment) * kCodes + (is_bin ? code : kMissingCode);
  }
  std::vector<Cell> cells_of(std::size_t slot) const;  // those with rows, by segment and code
  template <class Visit>
  void visit(const TalliedView& tallied, bool has_other_classes, Visit&& visit) const;

  HistogramShape shape_;
  std::vector<std::ptrdiff_t> segment_of_;  // of each class; -1: the node has none of it
  std::size_t n_segments_;
  std::vector<int> slot_of_feature_;
  std::vector<std::uint64_t> rows_, units_;  // features x segments x 256
  std::vector<std::vector<Cell>> wide_;      // of each feature, by segment and category
};

}  // namespace rarewood

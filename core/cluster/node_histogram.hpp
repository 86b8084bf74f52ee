// The counts of one node over all shards, as the coordinator searches them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cluster/response.hpp"
#include "search/categorical.hpp"
#include "search/histogram.hpp"
#include "table/columns.hpp"
#include "table/weight_grid.hpp"

namespace rarewood {

// The counts of a node in a response, and their order: rows, feature by feature, class by
// class, code by code, the missing values last; then weights likewise, in units of their grid.
struct HistogramShape {
  std::span<const Column> columns;
  std::vector<std::int32_t> features;
  std::vector<std::int32_t> classes;
  bool is_weighted = false;

  // Codes of a column, or its categories where codes do not determine them, and one for missing
  // values.
  static std::uint64_t n_codes(const Column& column) {
    const auto n = static_cast<std::uint64_t>(column.n_bins);
    const auto n_categories = static_cast<std::uint64_t>(column.n_categories);
    return (column.is_wide() ? n_categories : n) + column.has_missing;
  }
  std::uint64_t n_cells() const;
};

class NodeHistogram {
 public:
  // Reads the counts of the classes wanted; others are left out.
  NodeHistogram(const HistogramShape& shape, const Tallied& tallied,
                std::span<const std::int32_t> classes);

  // Takes away the counts of other nodes, which had their rows from this one.
  void subtract(const HistogramShape& shape, const Tallied& tallied);

  // Every row has one value of every feature: throws std::invalid_argument when it has not.
  void check(const Node& node, const WeightGrid& grid) const;

  Tallied to_cells() const;
  const HistogramShape& shape() const { return shape_; }

  // The place of a feature among those counted, or -1.
  int slot_of(int feature) const { return slot_of_feature_[feature]; }

  FeatureHistogram<std::uint64_t> rows(int slot) const { return {dense(rows_, slot)}; }
  FeatureHistogram<double> weights(int slot, const WeightGrid& grid,
                                   std::vector<double>& buffer) const;
  bool any_missing(int slot) const;

  void categories(int slot, const WeightGrid& grid, CategoryTable& table) const;

 private:
  // A category of a wide feature; the missing values are the category after the last.
  struct WideCell {
    std::size_t segment;
    std::uint64_t category;
    std::uint64_t rows, units;
  };

  const std::uint64_t* dense(const std::vector<std::uint64_t>& counts, int slot) const {
    return counts.data() + static_cast<std::size_t>(slot) * shape_.classes.size() * kCodes;
  }
  const Column& column(std::size_t slot) const { return shape_.columns[shape_.features[slot]]; }
  template <class Visit>
  void visit(const HistogramShape& shape, const Tallied& tallied, Visit&& visit) const;
  WideCell* find_wide(std::size_t slot, std::size_t segment, std::uint64_t category);

  HistogramShape shape_;
  std::vector<int> slot_of_feature_;
  std::vector<std::uint64_t> rows_, units_;  // features x classes x 256
  std::vector<std::vector<WideCell>> wide_;  // of each feature, by segment and category
};

}  // namespace rarewood

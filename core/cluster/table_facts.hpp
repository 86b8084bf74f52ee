// Facts about the whole table.
#pragma once

#include <cstdint>
#include <vector>

#include "table/columns.hpp"
#include "table/weight_grid.hpp"

namespace rarewood {

struct TableFacts {
  std::vector<Column> columns;
  int max_bins = 0;
  std::vector<std::vector<double>> coordinates;  // of bins, for hyperplanes; else none
  bool is_float32 = false;                       // coordinates are single precision
  std::vector<std::uint64_t> class_totals;
  WeightSizes weight_sizes;  // of all rows; none: the table has no weights

  bool has_coordinates() const { return !coordinates.empty(); }
  int n_classes() const { return static_cast<int>(class_totals.size()); }
};

}  // namespace rarewood

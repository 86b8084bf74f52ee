// The bins of a column from what has been seen of it.
#pragma once

#include <vector>

#include "table/bins.hpp"
#include "table/few_values.hpp"

namespace rarewood {

// What the encoder of a table in memory arrives at, from a sorted sample and the distinct values.
Bins bins_of(const std::vector<double>& sorted_sample, const FewValues& few, bool has_missing,
             bool has_coordinates, int max_bins);

// The coordinates of bins: the only value of a bin, or else the mean of its values in the sample.
// They are within the range of these, so they increase, and are in the precision of the table.
std::vector<double> coordinates_of(const Bins& bins, const std::vector<double>& sorted_sample,
                                   bool is_float32);

}  // namespace rarewood

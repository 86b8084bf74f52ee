// Where a numeric column is cut into bins.
#pragma once

#include <vector>

#include "columns.hpp"

namespace rarewood {

// Rows whose values stand for a column: spread evenly, one from each of `n_sample` strata.
std::vector<Row> sample_rows(std::size_t n_rows, std::size_t n_sample);

// Cuts a sorted sample without missing values into at most `max_bins` bins of about equal size; a
// value that would fill a bin of its own gets one. Edges are midpoints of neighbouring values.
struct Bins {
  std::vector<double> edges;
  std::vector<double> single;  // per bin: its only value in the sample, or NaN
};
Bins choose_bins(const std::vector<double>& sorted_sample, int max_bins);

}  // namespace rarewood

// The response of shards: rows of counts, which add up, and rows of the table, which are joined.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/cells.hpp"

namespace rarewood {

// Parts of the bytes it was read from.
struct Response {
  std::uint64_t number = 0;             // of the request
  std::uint64_t n_shards = 0;           // that have responded
  std::vector<TalliedView> histograms;  // in the order of the request
  std::string_view rows;                // blocks of gathered rows, in any order

  std::string to_bytes() const;
  static Response from_bytes(std::string_view bytes);
};

// The sum of two rows of counts of the same length.
Tallied add(const TalliedView& a, const TalliedView& b);

// The response of two groups of shards together. It does not matter in which order and in which
// groups responses are combined.
std::string combine_responses(std::string_view a, std::string_view b);

}  // namespace rarewood

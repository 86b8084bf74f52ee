// The response of shards: rows of counts, which add up, and rows of the table, which are joined.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/wire.hpp"

namespace rarewood {

struct Tallied {
  std::uint64_t n_cells = 0;
  std::string cells;  // as a CellWriter leaves them
};

struct Response {
  std::uint64_t number = 0;         // of the request
  std::uint64_t n_shards = 0;       // that have responded
  std::vector<Tallied> histograms;  // in the order of the request
  std::string rows;                 // blocks of gathered rows, in any order

  std::string to_bytes() const;
  static Response from_bytes(std::string_view bytes);
};

// The sum of two rows of counts of the same length.
Tallied add(const Tallied& a, const Tallied& b);

// The response of two groups of shards together. It does not matter in which order and in which
// groups responses are combined.
std::string combine_responses(std::string_view a, std::string_view b);

}  // namespace rarewood

// What shards answer: rows of counts, which add up, and rows of the table, which come together.
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

struct Answer {
  std::uint64_t number = 0;      // of the request
  std::uint64_t n_shards = 0;    // that answered
  std::vector<Tallied> tallies;  // in the order of the request
  std::string rows;              // blocks of gathered rows, in any order

  std::string to_bytes() const;
  static Answer from_bytes(std::string_view bytes);
};

// The sum of two rows of counts of the same length.
Tallied add(const Tallied& a, const Tallied& b);

// The answer of two groups of shards together. It does not matter in which order and in which
// groups answers are combined.
std::string combine_answers(std::string_view a, std::string_view b);

}  // namespace rarewood

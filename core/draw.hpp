// Which rows a tree of a forest is grown on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "types.hpp"

namespace rarewood {

struct RowDraw {
  bool replaces = false;     // a row may be drawn several times
  bool balances = false;     // draws the same number of rows from every class
  std::int64_t n_drawn = 0;  // rows to draw, of each class when balanced; 0: as many as there are
                             // in the table, or in its smallest class

  // Otherwise every row is taken once.
  bool is_random() const { return replaces || balances || n_drawn > 0; }
};

// The rows of each class: those of class c are rows[begin[c]] ... rows[begin[c + 1] - 1],
// ascending.
struct ClassRows {
  ClassRows(std::span<const std::int32_t> classes, int n_classes);

  std::vector<Row> begin;
  std::vector<Row> rows;
};

// How often each row is drawn for a tree: a pure function of its arguments, so the draw need not
// be kept. Empty when every row is taken once.
std::vector<std::uint32_t> draw_copies(const RowDraw& draw, const ClassRows& table,
                                       std::uint64_t seed, std::uint64_t tree);

}  // namespace rarewood

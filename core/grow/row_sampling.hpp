// Which rows a tree of a forest is grown on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/types.hpp"

namespace rarewood {

struct RowDraw {
  bool replaces = false;     // a row may be drawn several times
  bool balances = false;     // draws the same number of rows from every class
  std::int64_t n_drawn = 0;  // rows to draw, of each class when balanced; 0: as many as there are
                             // in the table, or in its smallest class

  // Otherwise every row is taken once.
  bool is_random() const { return replaces || balances || n_drawn > 0; }
  // Rows to draw from so many.
  std::uint64_t amount(std::uint64_t n_members, std::uint64_t by_default) const {
    const std::uint64_t n = n_drawn > 0 ? static_cast<std::uint64_t>(n_drawn) : by_default;
    return replaces ? n : std::min(n, n_members);
  }
};

// The rows of each class: those of class c are rows[begin[c]] ... rows[begin[c + 1] - 1],
// ascending.
struct ClassRows {
  ClassRows() = default;
  ClassRows(std::span<const std::int32_t> classes, int n_classes);

  std::vector<Row> begin;
  std::vector<Row> rows;
};

// Where a run of rows lies in a table that may be spread over several of them: rows are drawn by
// their numbers in the whole table, or among all rows of their class.
struct Place {
  Place() = default;
  explicit Place(const ClassRows& table);  // all of it

  std::uint64_t n_rows = 0;  // of the whole table
  std::uint64_t first_row = 0;
  std::vector<std::uint64_t> class_totals;  // rows of each class in the whole table
  std::vector<std::uint64_t> class_firsts;  // how many of them come before the run
};

// The rows of a tree, class by class, each as often as it was drawn: a pure function of its
// arguments, so the draw need not be kept. Few rows drawn from each class cost little, however
// many the table has. Of a run of rows, those that the same draw from the whole table takes of it.
ClassRows draw_rows(const RowDraw& draw, const ClassRows& run, const Place& place,
                    std::uint64_t seed, std::uint64_t tree);
inline ClassRows draw_rows(const RowDraw& draw, const ClassRows& table, std::uint64_t seed,
                           std::uint64_t tree) {
  return draw_rows(draw, table, Place(table), seed, tree);
}

// The same draw counted: how often each row is taken. Empty when every row is taken once.
std::vector<std::uint32_t> draw_copies(const RowDraw& draw, const ClassRows& table,
                                       std::uint64_t seed, std::uint64_t tree);

}  // namespace rarewood

// Which rows a tree of a forest is grown on: every row once, a number of them drawn from all rows,
// or a number of each class drawn from the rows of that class.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "base/page_allocator.hpp"
#include "base/types.hpp"
#include "table/weight_grid.hpp"

namespace rarewood {

// Without amounts every row is taken once. Without replacement, an amount above the number of rows
// means all of them; a class without rows yields none.
struct RowSampling {
  bool with_replacement = false;
  std::uint64_t total = 0;               // rows to draw from all rows
  std::vector<std::uint64_t> per_class;  // or rows to draw from each class

  bool is_random() const { return total > 0 || is_by_class(); }
  bool is_by_class() const { return !per_class.empty(); }

  // Throws std::invalid_argument unless the amounts fit this number of classes.
  void check(int n_classes) const;

  // Bounds of what a tree draws from a table, for the grid of its weights.
  DrawBounds bounds(std::span<const std::uint64_t> class_totals) const;
};

// The rows of each class: those of class c are rows[begin[c]] ... rows[begin[c + 1] - 1],
// ascending.
struct ClassRows {
  ClassRows() = default;
  ClassRows(std::span<const std::int32_t> classes, int n_classes);

  std::vector<Row> begin;
  RowList rows;
};

// The place of a run of rows in a table that may be divided into several runs: rows are drawn by
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
// Throws Stopped soon after `stop` is set.
ClassRows draw_rows(const RowSampling& sampling, const ClassRows& run, const Place& place,
                    std::uint64_t seed, std::uint64_t tree,
                    const std::atomic<bool>* stop = nullptr);

// The same draw counted: how often each row is taken. Empty when every row is taken once.
std::vector<std::uint32_t> draw_copies(const RowSampling& sampling, const ClassRows& table,
                                       std::uint64_t seed, std::uint64_t tree,
                                       const std::atomic<bool>* stop = nullptr);

}  // namespace rarewood

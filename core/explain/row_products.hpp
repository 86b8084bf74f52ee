// Loops over the rows of a block and the points of an integral. Arrays have the points of a row
// next to each other, a multiple of four; a table has three times as many, for the states of a row.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rarewood {

// What a row does at an edge.
enum RowState : std::uint8_t {
  kLeftBefore,  // it has left the path at an edge of the same player above, or is divided
  kLeaves,
  kFollows,
};

struct RowPoints {
  std::size_t n_rows, n_points;
  const std::uint8_t* state;
};

// to = from * factor
void multiply(const RowPoints& rows, const double* from, const double* factor, double* to);

// sums += value * terms
void add_scaled(const RowPoints& rows, const double* terms, double value, double* sums);

// The sum of terms * table over the points of every row.
void add_points(const RowPoints& rows, const double* terms, const double* table, double* totals);

}  // namespace rarewood

#include "explain/row_products.hpp"

#include "base/lanes.hpp"
#include "base/multiversion.hpp"

namespace rarewood {

namespace {

using Points = Lanes<double>;
constexpr std::size_t kWidth = kLanesOf<double>;

[[gnu::always_inline]] inline void store(const Points& points, double* to) {
  std::memcpy(to, &points, sizeof(points));
}

// kPoints is the number of points when the compiler knows it, otherwise 0.
template <std::size_t kPoints>
[[gnu::always_inline]] inline void multiply_all(const RowPoints& rows, const double* from,
                                                const double* factor, double* to) {
  const std::size_t n = kPoints ? kPoints : rows.n_points;
  for (std::size_t row = 0; row < rows.n_rows; ++row) {
    const double* const own = factor + rows.state[row] * n;
    for (std::size_t i = 0; i < n; i += kWidth) {
      Points a, b;
      load_lanes(from + row * n + i, a);
      load_lanes(own + i, b);
      store(a * b, to + row * n + i);
    }
  }
}

template <std::size_t kPoints>
[[gnu::always_inline]] inline void add_all(const RowPoints& rows, const double* terms,
                                           const double* table, double* totals) {
  const std::size_t n = kPoints ? kPoints : rows.n_points;
  for (std::size_t row = 0; row < rows.n_rows; ++row) {
    const double* const own = table + rows.state[row] * n;
    Points total{};
    for (std::size_t i = 0; i < n; i += kWidth) {
      Points a, b;
      load_lanes(terms + row * n + i, a);
      load_lanes(own + i, b);
      total += a * b;
    }
    totals[row] = (total[0] + total[1]) + (total[2] + total[3]);
  }
}

}  // namespace

// Lanes are added in one order whatever their width is in the processor, and without contraction.

RAREWOOD_MULTIVERSION void multiply(const RowPoints& rows, const double* from, const double* factor,
                                    double* to) {
  switch (rows.n_points) {
    case 4:
      return multiply_all<4>(rows, from, factor, to);
    case 8:
      return multiply_all<8>(rows, from, factor, to);
    case 12:
      return multiply_all<12>(rows, from, factor, to);
    case 16:
      return multiply_all<16>(rows, from, factor, to);
    default:
      return multiply_all<0>(rows, from, factor, to);
  }
}

RAREWOOD_MULTIVERSION void add_scaled(const RowPoints& rows, const double* terms, double value,
                                      double* sums) {
  const std::size_t n = rows.n_rows * rows.n_points;
  for (std::size_t i = 0; i < n; i += kWidth) {
    Points a, b;
    load_lanes(terms + i, a);
    load_lanes(sums + i, b);
    store(b + a * value, sums + i);
  }
}

RAREWOOD_MULTIVERSION void add_points(const RowPoints& rows, const double* terms,
                                      const double* table, double* totals) {
  switch (rows.n_points) {
    case 4:
      return add_all<4>(rows, terms, table, totals);
    case 8:
      return add_all<8>(rows, terms, table, totals);
    case 12:
      return add_all<12>(rows, terms, table, totals);
    case 16:
      return add_all<16>(rows, terms, table, totals);
    default:
      return add_all<0>(rows, terms, table, totals);
  }
}

}  // namespace rarewood

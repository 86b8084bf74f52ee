// Cases: rows that reach a node, each with a weight. A row with a missing value reaches several
// children, with a part of its weight in each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "base/types.hpp"

namespace rarewood::c45 {

// Weights, gains and errors are sums of fractions: what differs by less than this is equal. It also
// is the lead that a later candidate needs to replace an earlier one. Both as in Weka.
inline constexpr double kSmall = 1e-6;
inline bool is_above(double a, double b) { return a - b > kSmall; }
inline bool is_at_most(double a, double b) { return a - b < kSmall; }

// The training table, column by column. Categories are numbers from 0; missing values are NaN.
struct Table {
  int n_classes = 0;
  std::vector<std::vector<double>> columns;
  std::vector<std::int64_t> n_categories;  // 0: numeric
  std::vector<std::int32_t> classes;
  std::vector<double> weights;                // empty: each row weighs 1
  std::vector<std::vector<double>> distinct;  // sorted values of each numeric column
};

struct Cases {
  std::vector<Row> rows;
  std::vector<double> weights;

  std::size_t size() const { return rows.size(); }
  void add(Row row, double weight) {
    rows.push_back(row);
    weights.push_back(weight);
  }
};

inline double sum(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

inline std::vector<double> class_weights(const Table& table, const Cases& cases) {
  std::vector<double> weights(static_cast<std::size_t>(table.n_classes), 0.0);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    weights[table.classes[cases.rows[i]]] += cases.weights[i];
  }
  return weights;
}

// Weight of the classes that a leaf does not predict.
inline double errors_of(std::span<const double> class_weights) {
  return sum(class_weights) - *std::max_element(class_weights.begin(), class_weights.end());
}

}  // namespace rarewood::c45

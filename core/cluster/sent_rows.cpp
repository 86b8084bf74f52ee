#include "cluster/sent_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rarewood {

void SentRows::read(ByteReader& in, const Node& node) {
  const std::vector<Column>& columns = facts_.columns;
  const std::size_t n_features = columns.size();
  for (std::size_t n_segments = in.count(); n_segments > 0; --n_segments) {
    const auto of_class = static_cast<int>(in.read_number(kMaxRows));
    std::size_t s = 0;
    while (s < node.segments.size() && node.segments[s].of_class != of_class) ++s;
    if (s == node.segments.size()) ByteReader::refuse_bytes();
    const std::size_t n = in.count();
    const auto most = static_cast<std::uint64_t>(node.rows_in(s)) + 1;
    for (std::size_t i = 0; i < n; ++i) copies_.push_back(in.read_number(most));
    if (is_weighted_) {
      for (std::size_t i = 0; i < n; ++i) units_.push_back(in.read_number());
    }
    if (facts_.has_coordinates()) {
      std::uint64_t number = 0;
      for (std::size_t i = 0; i < n; ++i) global_numbers_.push_back(number += in.read_number());
    }
    if (n > in.n_left() / n_features) ByteReader::refuse_bytes();
    const std::string_view codes = in.raw(n * n_features);
    codes_.insert(codes_.end(), codes.begin(), codes.end());
    for (std::size_t f = 0; f < n_features; ++f) {
      if (!columns[f].is_wide()) continue;
      const auto limit = static_cast<std::uint64_t>(columns[f].n_categories) + 1;
      for (std::size_t i = 0; i < n; ++i) {
        wide_[f].push_back(static_cast<std::int32_t>(in.read_number(limit)) - 1);
      }
    }
    classes_.insert(classes_.end(), n, of_class);
  }
}

SentRows::ClassSums SentRows::sum_up(const Node& node) const {
  const std::size_t k = node.segments.size();
  ClassSums sums{std::vector<double>(k, 0.0), std::vector<double>(k, 0.0)};
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    std::size_t s = 0;
    while (node.segments[s].of_class != classes_[i]) ++s;
    const auto copies = static_cast<double>(copies_[i]);
    sums.rows[s] += copies;
    if (is_weighted_) sums.units[s] += copies * static_cast<double>(units_[i]);
  }
  return sums;
}

void SentRows::check_all(const Node& node, const WeightGrid& grid) const {
  const ClassSums sums = sum_up(node);
  for (std::size_t s = 0; s < node.segments.size(); ++s) {
    const double total = is_weighted_ ? std::ldexp(sums.units[s], grid.exponent()) : sums.rows[s];
    if (sums.rows[s] != node.rows_in(s) || total != node.totals[s]) ByteReader::refuse_bytes();
  }
}

bool SentRows::has_sample(const Node& node, std::int64_t n_most) const {
  const ClassSums sums = sum_up(node);
  bool is_enough = true;
  for (std::size_t s = 0; s < node.segments.size(); ++s) {
    if (sums.rows[s] > node.rows_in(s)) ByteReader::refuse_bytes();
    is_enough &= sums.rows[s] >= std::min(node.rows_in(s), static_cast<double>(n_most));
  }
  return is_enough;
}

SentTable SentRows::to_table(const WeightGrid& grid) const {
  const std::size_t n = classes_.size(), n_features = facts_.columns.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (facts_.has_coordinates()) {
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return global_numbers_[a] < global_numbers_[b];
    });
  }
  SentTable table;
  table.wide.resize(n_features);
  table.codes.reserve(n * n_features);
  for (std::size_t i : order) {
    table.classes.push_back(classes_[i]);
    if (is_weighted_) table.weights.push_back(grid.to_weight(units_[i]));
    if (facts_.has_coordinates()) {
      table.global_numbers.push_back(static_cast<Row>(global_numbers_[i]));
    }
    const auto codes = codes_.begin() + static_cast<std::ptrdiff_t>(i * n_features);
    table.codes.insert(table.codes.end(), codes, codes + static_cast<std::ptrdiff_t>(n_features));
    for (std::size_t f = 0; f < n_features; ++f) {
      if (facts_.columns[f].is_wide()) table.wide[f].push_back(wide_[f][i]);
    }
  }
  make_columns(table);
  const ClassRows once(table.classes, facts_.n_classes());
  table.rows.begin.assign(1, 0);
  for (std::size_t c = 0; c + 1 < once.begin.size(); ++c) {
    for (Row at = once.begin[c]; at < once.begin[c + 1]; ++at) {
      table.rows.rows.insert(table.rows.rows.end(), copies_[order[once.rows[at]]], once.rows[at]);
    }
    table.rows.begin.push_back(static_cast<Row>(table.rows.rows.size()));
  }
  return table;
}

void SentRows::make_columns(SentTable& table) const {
  const std::size_t n = table.classes.size(), n_features = facts_.columns.size();
  const auto width = static_cast<std::ptrdiff_t>(n_features),
             height = static_cast<std::ptrdiff_t>(n);
  std::vector<const std::int32_t*> categories;
  for (const auto& of_rows : table.wide) {
    categories.push_back(of_rows.empty() ? nullptr : of_rows.data());
  }
  std::vector<Column> columns = facts_.columns;
  if (facts_.has_coordinates()) {
    for (Column& column : columns) column.has_missing = true;  // some may be
    table.columns = std::make_unique<const Columns>(
        Matrix<Code>{table.codes.data(), n, n_features, width, 1}, std::move(columns),
        facts_.coordinates, std::move(categories), facts_.is_float32, 1);
    return;
  }
  std::vector<Code> by_column(n * n_features);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t f = 0; f < n_features; ++f) {
      by_column[f * n + i] = table.codes[i * n_features + f];
    }
  }
  table.codes = std::move(by_column);
  table.columns = std::make_unique<const Columns>(
      Matrix<Code>{table.codes.data(), n, n_features, 1, height}, std::move(columns),
      std::move(categories), facts_.max_bins, 1);
}

}  // namespace rarewood

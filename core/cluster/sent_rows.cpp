#include "cluster/sent_rows.hpp"

#include <cmath>

namespace rarewood {

void SentRows::read(ByteReader& in, const Node& node) {
  const std::size_t n_features = columns_.size();
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
    if (n > in.n_left() / n_features) ByteReader::refuse_bytes();
    const std::string_view codes = in.raw(n * n_features);
    codes_.insert(codes_.end(), codes.begin(), codes.end());
    for (std::size_t f = 0; f < n_features; ++f) {
      if (!columns_[f].is_wide()) continue;
      const auto limit = static_cast<std::uint64_t>(columns_[f].n_categories) + 1;
      for (std::size_t i = 0; i < n; ++i) {
        wide_[f].push_back(static_cast<std::int32_t>(in.read_number(limit)) - 1);
      }
    }
    classes_.insert(classes_.end(), n, of_class);
  }
}

void SentRows::check(const Node& node, const WeightGrid& grid) const {
  std::vector<double> n_rows(node.segments.size(), 0), n_units(node.segments.size(), 0);
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    std::size_t s = 0;
    while (node.segments[s].of_class != classes_[i]) ++s;
    const auto copies = static_cast<double>(copies_[i]);
    n_rows[s] += copies;
    if (is_weighted_) n_units[s] += copies * static_cast<double>(units_[i]);
  }
  for (std::size_t s = 0; s < n_rows.size(); ++s) {
    const double total = is_weighted_ ? std::ldexp(n_units[s], grid.exponent()) : n_rows[s];
    if (n_rows[s] != node.rows_in(s) || total != node.totals[s]) ByteReader::refuse_bytes();
  }
}

Tree SentRows::grow_branch(const Node& node, int n_classes, int max_bins, const WeightGrid& grid,
                           const Criterion& criterion, const GrowOptions& options) const {
  check(node, grid);
  const std::size_t n = classes_.size(), n_features = columns_.size();
  std::vector<Code> codes(n * n_features);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t f = 0; f < n_features; ++f) codes[f * n + i] = codes_[i * n_features + f];
  }
  std::vector<const std::int32_t*> categories;
  for (const auto& of_rows : wide_)
    categories.push_back(of_rows.empty() ? nullptr : of_rows.data());
  const Columns columns({codes.data(), n, n_features, 1, static_cast<std::ptrdiff_t>(n)},
                        {columns_.begin(), columns_.end()}, std::move(categories), max_bins, 1);

  std::vector<double> weights;
  for (std::uint64_t units : units_) weights.push_back(grid.to_weight(units));
  const Target target{classes_, n_classes, weights};
  rarewood::check(columns, target);
  const ClassRows once(classes_, n_classes);
  ClassRows rows;
  rows.begin.assign(1, 0);
  for (int c = 0; c < n_classes; ++c) {
    for (Row at = once.begin[c]; at < once.begin[c + 1]; ++at) {
      rows.rows.insert(rows.rows.end(), copies_[once.rows[at]], once.rows[at]);
    }
    rows.begin.push_back(static_cast<Row>(rows.rows.size()));
  }
  return grow(columns, target, std::move(rows), criterion, options,
              SubtreeRoot{node.key, node.depth});
}

}  // namespace rarewood

#include "cluster/split_finder.hpp"

#include "base/rng.hpp"

namespace rarewood {

Found Finder::find(const Node& node, const NodeHistogram& histogram, const WeightGrid& grid) {
  Found found;
  search_.start(node);
  search_.features().try_all([&](int f) {
    const int slot = histogram.slot_of(f);
    found.lacks_features |= slot < 0;
    return found.lacks_features || consider(histogram, f, grid);
  });
  if (found.lacks_features) return found;
  search_.candidates().flush();
  const std::optional<Split> chosen = search_.choose();
  if (!chosen) return found;
  Split& split = found.split = *chosen;
  const int slot = histogram.slot_of(split.cut.feature);
  const Column& column = columns_[split.cut.feature];
  if (column.is_categorical()) {
    histogram.categories(slot, grid, table_);
    search_.resolve_categories(table_, split);
  } else {
    search_.resolve_edge(column, histogram.any_missing(slot), split);
  }
  divide(node, histogram, slot, grid, found);
  return found;
}

bool Finder::consider(const NodeHistogram& histogram, int f, const WeightGrid& grid) {
  const Column& column = columns_[f];
  const int slot = histogram.slot_of(f);
  if (column.is_categorical()) {
    histogram.categories(slot, grid, table_);
    return search_.consider_categories(table_, f);
  }
  auto never = [](int) { return false; };
  const FeatureHistogram<std::uint64_t> rows = histogram.rows(slot);
  if (!is_weighted_) return search_.consider_codes(column, f, rows, rows, never);
  return search_.consider_codes(column, f, histogram.weights(slot, grid, weights_), rows, never);
}

void Finder::divide(const Node& node, const NodeHistogram& histogram, int slot,
                    const WeightGrid& grid, Found& found) {
  const std::size_t k = node.segments.size();
  const auto n_children = static_cast<std::size_t>(found.split.n_children);
  std::vector<double> rows(n_children * k, 0.0), totals(n_children * k, 0.0);
  auto put = [&](std::int32_t child, std::size_t s, double n_rows, double total) {
    rows[static_cast<std::size_t>(child) * k + s] += n_rows;
    totals[static_cast<std::size_t>(child) * k + s] += total;
  };
  const Split& split = found.split;
  if (split.is_categorical()) {  // the table is that of the feature
    for (std::size_t s = 0; s < k; ++s) {
      for (std::size_t i = 0; i < table_.size(); ++i) {
        put(split.categories[i].child, s, table_.rows_of(i)[s], table_.of(i)[s]);
      }
      if (table_.has_missing()) {
        put(split.missing_child, s, table_.missing.rows[s], table_.missing.counts[s]);
      }
    }
  } else {
    const FeatureHistogram<std::uint64_t> counts = histogram.rows(slot);
    const FeatureHistogram<double> weights =
        is_weighted_ ? histogram.weights(slot, grid, weights_) : FeatureHistogram<double>{};
    for (std::size_t s = 0; s < k; ++s) {
      for (int b = 0; b < kCodes; ++b) {
        const auto n = static_cast<double>(counts.bins(s)[b]);
        if (n == 0) continue;
        const int child = b == kMissingCode ? split.missing_child : (b <= split.code ? 0 : 1);
        put(child, s, n, is_weighted_ ? weights.bins(s)[b] : n);
      }
    }
  }
  found.children.resize(n_children);
  for (std::size_t i = 0; i < n_children; ++i) {
    Node& child = found.children[i];
    child.depth = node.depth + 1;
    child.key = child_key(node.key, i);
    for (std::size_t s = 0; s < k; ++s) {
      const double n = rows[i * k + s];
      if (n == 0) continue;
      child.segments.push_back({node.segments[s].of_class, 0, 0});
      child.totals.push_back(totals[i * k + s]);
      if (is_weighted_) child.rows.push_back(n);
      child.n_rows += static_cast<std::size_t>(n);
      child.weight += child.totals.back();
    }
  }
  if (found.split.missing_child < 0) {
    found.split.missing_child =
        static_cast<int>(largest_of(found.children) - found.children.begin());
  }
}

}  // namespace rarewood

#include "search/categorical.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <span>

#include "base/multiversion.hpp"

namespace rarewood {

namespace {

// Without the last 12 bits: equal fractions stay equal although weights have been rounded.
double without_rounding(double fraction) {
  constexpr std::uint64_t kUnit = std::uint64_t{1} << 12;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(fraction) + kUnit / 2;
  return std::bit_cast<double>(bits & ~(kUnit - 1));
}

// Categories by their fraction of one class: for two classes and a convex criterion, the best of
// all subsets is a prefix of this order.
std::vector<std::size_t> order_by(const CategoryTable& table, std::size_t segment) {
  std::vector<double> fraction(table.size());
  for (std::size_t i = 0; i < fraction.size(); ++i) {
    const double* n = table.of(i);
    const double total = std::accumulate(n, n + table.n_classes(), 0.0);
    fraction[i] = without_rounding(n[segment] / total);
  }
  std::vector<std::size_t> order(table.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return fraction[a] < fraction[b]; });
  return order;
}

void add_category(const CategoryTable& table, std::size_t i, std::vector<double>& left,
                  std::vector<double>& rows) {
  for (std::size_t s = 0; s < left.size(); ++s) {
    left[s] += table.of(i)[s];
    rows[s] += table.rows_of(i)[s];
  }
}

void add_ordered(const CategoryTable& table, int feature, std::size_t by, CutCandidates& cuts) {
  const std::vector<std::size_t> order = order_by(table, by);
  std::vector<double> left(table.n_classes(), 0.0), rows(table.n_classes(), 0.0);
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    add_category(table, order[i], left, rows);
    cuts.add({.feature = feature,
              .bin = static_cast<std::int32_t>(by),
              .value = static_cast<double>(i + 1),
              .kind = CutKind::kOrdered},
             left.data(), rows.data());
  }
}

// Adds the counts of the categories on the left of many cuts, category by category, for all cuts at
// once: out[s * n + i] is that of segment s on the left of cut i.
RAREWOOD_MULTIVERSION void add_up_sides(std::span<const double> sides,
                                        std::span<const double> counts, std::size_t k,
                                        std::size_t n, std::span<double> out) {
  for (std::size_t c = 0; c * k < counts.size(); ++c) {
    for (std::size_t s = 0; s < k; ++s) {
      const double count = counts[c * k + s];
      if (count == 0) continue;
      const double* const __restrict side = sides.data() + c * n;
      double* const __restrict sums = out.data() + s * n;
      for (std::size_t i = 0; i < n; ++i) sums[i] += side[i] * count;
    }
  }
}

// Sixteen bits for each category, four categories to a draw.
void draw_sides(Random& random, std::uint32_t limit, std::vector<char>& is_left) {
  for (std::size_t i = 0; i < is_left.size(); i += 4) {
    const std::uint64_t bits = random.bits();
    const std::size_t n = std::min<std::size_t>(4, is_left.size() - i);
    for (std::size_t j = 0; j < n; ++j) is_left[i + j] = (bits >> 16 * j & 0xffff) < limit;
  }
}

// Each category is left with the same chance, one half or itself drawn; never all on one side.
void draw_subset(Random random, int draw, bool any_size, std::vector<char>& is_left) {
  Random own(combine_key(random.bits(), static_cast<std::uint64_t>(draw)));
  if (any_size) {
    draw_sides(own, static_cast<std::uint32_t>(own.bits() >> 48), is_left);
  } else {
    for (char& left : is_left) left = own.uniform() >= 0.5;
  }
  const auto n_left = static_cast<std::size_t>(std::count(is_left.begin(), is_left.end(), 1));
  if (n_left == 0 || n_left == is_left.size()) {
    char& odd = is_left[own.below(is_left.size())];
    odd = !odd;
  }
}

}  // namespace

void CategoricalSearch::add_splits(const CategoryTable& table, const Node& node, int feature,
                                   Candidates& candidates, CutCandidates& cuts) {
  cuts.start(node, table.missing);
  const std::size_t k = node.segments.size();
  if (options_.n_cuts > 0) {
    if (table.size() > 1) add_subsets(table, node, feature, cuts);
    cuts.add_present(feature);
    return;
  }
  switch (options_.categorical_split) {
    case CategoricalSplit::kMultiway:
      return add_multiway(table, node, feature, candidates);
    case CategoricalSplit::kOneHot:
      for (std::size_t i = 0; i < table.size() && table.size() > 1; ++i) {
        cuts.add({.feature = feature, .bin = table.category[i], .kind = CutKind::kOneCategory},
                 table.of(i), table.rows_of(i));
      }
      break;
    case CategoricalSplit::kSubset:
      // Two classes: the order of the second is that of the first, reversed.
      for (std::size_t by = k == 2 ? 1 : 0; by < k; ++by) add_ordered(table, feature, by, cuts);
      break;
  }
  cuts.add_present(feature);
}

void CategoricalSearch::add_subsets(const CategoryTable& table, const Node& node, int feature,
                                    CutCandidates& cuts) {
  const std::size_t k = table.n_classes(), n = static_cast<std::size_t>(options_.n_cuts);
  is_left_.resize(table.size());
  sides_.resize(table.size() * n);
  for (std::size_t draw = 0; draw < n; ++draw) {
    draw_subset(random_of(node, feature), static_cast<int>(draw), options_.uses_landmarks(),
                is_left_);
    for (std::size_t i = 0; i < table.size(); ++i) sides_[i * n + draw] = is_left_[i];
  }
  left_.assign(k * n, 0.0);
  add_up_sides(sides_, table.counts, k, n, left_);
  const bool is_weighted = !cuts.candidates().counts_rows();
  if (is_weighted) {
    rows_.assign(k * n, 0.0);
    add_up_sides(sides_, table.rows, k, n, rows_);
  }
  cuts.add_all(left_.data(), is_weighted ? rows_.data() : left_.data(), n, n, [&](std::size_t i) {
    return Cut{.feature = feature, .bin = static_cast<std::int32_t>(i), .kind = CutKind::kSubset};
  });
}

void CategoricalSearch::add_multiway(const CategoryTable& table, const Node& node, int feature,
                                     Candidates& candidates) {
  std::vector<double> counts = table.counts;
  if (table.has_missing()) {
    counts.insert(counts.end(), table.missing.counts.begin(), table.missing.counts.end());
  }
  const std::size_t k = node.segments.size();
  if (counts.size() < 2 * k) return;
  for (std::size_t v = 0; v < counts.size() / k; ++v) {
    const double weight = std::accumulate(counts.data() + v * k, counts.data() + (v + 1) * k, 0.0);
    const double* own = v < table.size() ? table.rows_of(v) : table.missing.rows.data();
    const double rows = std::accumulate(own, own + k, 0.0);
    if (!options_.allows(rows, weight)) return;
  }
  candidates.add_table({.feature = feature, .kind = CutKind::kMultiway}, std::move(counts));
}

std::vector<CategoryRoute> CategoricalSearch::routes(const CategoryTable& table, const Cut& cut,
                                                     const Node& node) const {
  std::vector<CategoryRoute> routes;
  for (std::size_t i = 0; i < table.size(); ++i) routes.push_back({table.category[i], 1});
  switch (cut.kind) {
    case CutKind::kMultiway:
      for (std::size_t i = 0; i < routes.size(); ++i)
        routes[i].child = static_cast<std::int32_t>(i);
      break;
    case CutKind::kOneCategory:
      for (CategoryRoute& route : routes) route.child = route.category == cut.bin ? 0 : 1;
      break;
    case CutKind::kOrdered: {
      const std::vector<std::size_t> order = order_by(table, static_cast<std::size_t>(cut.bin));
      for (std::size_t i = 0; i < static_cast<std::size_t>(cut.value); ++i)
        routes[order[i]].child = 0;
      break;
    }
    case CutKind::kSubset: {
      std::vector<char> is_left(table.size());
      draw_subset(random_of(node, cut.feature), cut.bin, options_.uses_landmarks(), is_left);
      for (std::size_t i = 0; i < routes.size(); ++i) routes[i].child = is_left[i] ? 0 : 1;
      break;
    }
    case CutKind::kPresent:
      for (CategoryRoute& route : routes) route.child = 0;
      break;
    case CutKind::kNumeric:
    case CutKind::kThreshold:
    case CutKind::kPlane:
      break;  // not cuts of a categorical feature
  }
  return routes;
}

}  // namespace rarewood

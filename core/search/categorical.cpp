#include "search/categorical.hpp"

#include <algorithm>
#include <numeric>

namespace rarewood {

template <class T>
template <class CategoryOf>
void CategoryCounter<T>::count_by(const Source<T>& source, const Node& node,
                                  CategoryOf&& category_of) {
  const std::size_t k = node.segments.size();
  auto for_each_row = [&](auto&& visit) {
    for (std::size_t s = 0; s < k; ++s) {
      for (Row row : source.rows_of(node.segments[s])) {
        visit(s, category_of(row), source.weight(row));
      }
    }
  };
  for_each_row([&](std::size_t s, std::int32_t category, double weight) {
    if (category < 0) {
      table_.missing.add(s, weight);
      return;
    }
    std::int32_t& slot = slot_[category];
    if (slot < 0) {
      slot = 0;
      table_.category.push_back(category);
    }
  });
  std::sort(table_.category.begin(), table_.category.end());
  for (std::size_t i = 0; i < table_.size(); ++i) {
    slot_[table_.category[i]] = static_cast<std::int32_t>(i);
  }
  table_.counts.assign(table_.size() * k, 0.0);
  table_.rows.assign(table_.size() * k, 0.0);
  for_each_row([&](std::size_t s, std::int32_t category, double weight) {
    if (category < 0) return;
    const auto slot = static_cast<std::size_t>(slot_[category]);
    table_.counts[slot * k + s] += weight;
    table_.rows[slot * k + s] += 1;
  });
}

template <class T>
const CategoryTable& CategoryCounter<T>::count(const Source<T>& source, const Node& node,
                                               int feature) {
  const auto n_categories = static_cast<std::size_t>(source.columns->column(feature).n_categories);
  slot_.resize(std::max(slot_.size(), n_categories), -1);
  table_.category.clear();
  table_.missing.start(node.segments.size());
  visit_categories(source, feature,
                   [&](auto&& category_of) { count_by(source, node, category_of); });
  for (std::int32_t category : table_.category) slot_[category] = -1;
  return table_;
}

template class CategoryCounter<float>;
template class CategoryCounter<double>;

namespace {

// Categories by their fraction of one class: for two classes and a convex criterion, the best of
// all subsets is a prefix of this order.
std::vector<std::size_t> order_by(const CategoryTable& table, std::size_t segment) {
  std::vector<double> fraction(table.size());
  for (std::size_t i = 0; i < fraction.size(); ++i) {
    const double* n = table.of(i);
    const double total = std::accumulate(n, n + table.n_classes(), 0.0);
    fraction[i] = n[segment] / total;
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

void add_subset(const CategoryTable& table, const Cut& cut, const std::vector<bool>& is_left,
                CutCandidates& cuts) {
  std::vector<double> left(table.n_classes(), 0.0), rows(table.n_classes(), 0.0);
  for (std::size_t i = 0; i < is_left.size(); ++i) {
    if (is_left[i]) add_category(table, i, left, rows);
  }
  cuts.add(cut, left.data(), rows.data());
}

// Each category is left with the same chance, one half or itself drawn; never all on one side.
std::vector<bool> draw_subset(std::size_t n_categories, Random random, int draw, bool any_size) {
  Random own(combine_key(random.bits(), static_cast<std::uint64_t>(draw)));
  const double chance = any_size ? own.uniform() : 0.5;
  std::vector<bool> is_left(n_categories);
  std::size_t n_left = 0;
  for (std::size_t i = 0; i < is_left.size(); ++i) {
    is_left[i] = own.uniform() >= 1 - chance;
    n_left += is_left[i];
  }
  if (n_left == 0 || n_left == is_left.size()) {
    const std::size_t odd = own.below(is_left.size());
    is_left[odd] = !is_left[odd];
  }
  return is_left;
}

}  // namespace

void CategoricalSearch::add_splits(const CategoryTable& table, const Node& node, int feature,
                                   Candidates& candidates, CutCandidates& cuts) {
  cuts.start(node, table.missing);
  const std::size_t k = node.segments.size();
  if (options_.n_cuts > 0) {
    for (int draw = 0; draw < options_.n_cuts && table.size() > 1; ++draw) {
      add_subset(
          table, {.feature = feature, .bin = draw, .kind = CutKind::kSubset},
          draw_subset(table.size(), random_of(node, feature), draw, options_.uses_landmarks()),
          cuts);
    }
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
      const std::vector<bool> is_left = draw_subset(table.size(), random_of(node, cut.feature),
                                                    cut.bin, options_.uses_landmarks());
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

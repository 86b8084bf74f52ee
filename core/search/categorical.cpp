#include "search/categorical.hpp"

#include <algorithm>
#include <numeric>

namespace rarewood {

template <class T>
template <class Visit>
void CategoryCounter<T>::for_each_row(const Source<T>& source, const Node& node, Visit&& visit) {
  for (std::size_t s = 0; s < node.segments.size(); ++s) {
    for (Row row : source.rows_of(node.segments[s])) visit(s, row);
  }
}

// Few categories: one pass, with a place for each of them, the first for missing values.
template <class T>
template <class CategoryOf>
void CategoryCounter<T>::count_few(const Source<T>& source, const Node& node,
                                   std::size_t n_categories, CategoryOf&& category_of) {
  const std::size_t k = node.segments.size();
  dense_.assign((n_categories + 1) * k, 0.0);
  weights_.assign(source.weights ? dense_.size() : 0, 0.0);
  for_each_row(source, node, [&](std::size_t s, Row row) {
    const std::size_t at = static_cast<std::size_t>(category_of(row) + 1) * k + s;
    dense_[at] += 1;
    if (source.weights) weights_[at] += source.weights[row];
  });
  const std::vector<double>& counts = source.weights ? weights_ : dense_;
  table_.counts.clear();
  table_.rows.clear();
  for (std::size_t c = 0; c <= n_categories; ++c) {
    const double* rows = dense_.data() + c * k;
    if (std::all_of(rows, rows + k, [](double n) { return n == 0; })) continue;
    if (c == 0) {
      table_.missing.set(counts.data(), rows);
      continue;
    }
    table_.category.push_back(static_cast<std::int32_t>(c) - 1);
    table_.counts.insert(table_.counts.end(), counts.data() + c * k, counts.data() + (c + 1) * k);
    table_.rows.insert(table_.rows.end(), rows, rows + k);
  }
}

// Many categories, few of which are in the node: the first pass finds them.
template <class T>
template <class CategoryOf>
void CategoryCounter<T>::count_many(const Source<T>& source, const Node& node,
                                    CategoryOf&& category_of) {
  const std::size_t k = node.segments.size();
  for_each_row(source, node, [&](std::size_t s, Row row) {
    const std::int32_t category = category_of(row);
    if (category < 0) {
      table_.missing.add(s, source.weight(row));
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
  for_each_row(source, node, [&](std::size_t s, Row row) {
    const std::int32_t category = category_of(row);
    if (category < 0) return;
    const auto slot = static_cast<std::size_t>(slot_[category]);
    table_.counts[slot * k + s] += source.weight(row);
    table_.rows[slot * k + s] += 1;
  });
  for (std::int32_t category : table_.category) slot_[category] = -1;
}

template <class T>
const CategoryTable& CategoryCounter<T>::count(const Source<T>& source, const Node& node,
                                               int feature) {
  const auto n_categories = static_cast<std::size_t>(source.columns->column(feature).n_categories);
  slot_.resize(std::max(slot_.size(), n_categories), -1);
  table_.category.clear();
  table_.missing.start(node.segments.size());
  visit_categories(source, feature, [&](auto&& category_of) {
    if (n_categories <= kFew || n_categories <= node.n_rows) {
      count_few(source, node, n_categories, category_of);
    } else {
      count_many(source, node, category_of);
    }
  });
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

// Sixteen bits for each category, four categories to a draw.
void draw_sides(Random& random, std::uint32_t limit, std::vector<char>& is_left) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < is_left.size(); ++i, bits >>= 16) {
    if (i % 4 == 0) bits = random.bits();
    is_left[i] = (bits & 0xffff) < limit;
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
  is_left_.resize(table.size());
  for (int draw = 0; draw < options_.n_cuts; ++draw) {
    draw_subset(random_of(node, feature), draw, options_.uses_landmarks(), is_left_);
    left_.assign(table.n_classes(), 0.0);
    rows_.assign(table.n_classes(), 0.0);
    for (std::size_t i = 0; i < table.size(); ++i) {
      if (is_left_[i]) add_category(table, i, left_, rows_);
    }
    cuts.add({.feature = feature, .bin = draw, .kind = CutKind::kSubset}, left_.data(),
             rows_.data());
  }
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

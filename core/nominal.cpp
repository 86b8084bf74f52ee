#include "nominal.hpp"

#include <algorithm>
#include <numeric>

#include "categories.hpp"

namespace rarewood {

template <class T>
template <class CategoryOf>
void NominalSearch<T>::count(const Source<T>& source, const Node& node, CategoryOf&& category_of) {
  const std::size_t k = node.segments.size();
  auto for_each_row = [&](auto&& visit) {
    for (std::size_t s = 0; s < k; ++s) {
      const Row* rows = source.rows_of(node.segments[s]);
      for (Row i = 0; i < node.segments[s].count; ++i) {
        visit(s, category_of(rows[i]), source.weight(rows[i]));
      }
    }
  };
  for_each_row([&](std::size_t s, std::int32_t category, double weight) {
    if (category < 0) {
      table_.missing.add(s, weight);
      return;
    }
    std::int32_t& slot = slot_[static_cast<std::size_t>(category)];
    if (slot < 0) {
      slot = 0;
      table_.category.push_back(category);
    }
  });
  std::sort(table_.category.begin(), table_.category.end());
  for (std::size_t i = 0; i < table_.size(); ++i) {
    slot_[static_cast<std::size_t>(table_.category[i])] = static_cast<std::int32_t>(i);
  }
  table_.counts.assign(table_.size() * k, 0.0);
  table_.rows.assign(table_.size() * k, 0.0);
  for_each_row([&](std::size_t s, std::int32_t category, double weight) {
    if (category < 0) return;
    const auto slot = static_cast<std::size_t>(slot_[static_cast<std::size_t>(category)]);
    table_.counts[slot * k + s] += weight;
    table_.rows[slot * k + s] += 1;
  });
}

template <class T>
const CategoryTable& NominalSearch<T>::tally(const Source<T>& source, const Node& node,
                                             int feature) {
  const auto n_categories = static_cast<std::size_t>(
      source.columns->column(static_cast<std::size_t>(feature)).n_categories);
  slot_.resize(std::max(slot_.size(), n_categories), -1);
  table_.category.clear();
  table_.missing.start(node.segments.size());
  visit_categories(source, feature, [&](auto&& category_of) { count(source, node, category_of); });
  for (std::int32_t category : table_.category) slot_[static_cast<std::size_t>(category)] = -1;
  return table_;
}

template <class T>
void NominalSearch<T>::offer_splits(const Node& node, int feature, Random random,
                                    Shortlist& shortlist, CutOffer& offer) {
  offer.start(node, table_.missing);
  const std::size_t k = node.segments.size();
  if (options_.n_cuts > 0) {
    for (int draw = 0; draw < options_.n_cuts && table_.size() > 1; ++draw) {
      offer_subset({.feature = feature, .bin = draw, .kind = CutKind::kSubset},
                   draw_subset(random, draw), offer);
    }
    offer.offer_present(feature);
    return;
  }
  switch (options_.categorical_split) {
    case CategoricalSplit::kMultiway:
      return offer_multiway(node, feature, shortlist);
    case CategoricalSplit::kOneHot:
      for (std::size_t i = 0; i < table_.size() && table_.size() > 1; ++i) {
        offer.offer({.feature = feature, .bin = table_.category[i], .kind = CutKind::kOneCategory},
                    table_.of(i), table_.rows_of(i));
      }
      break;
    case CategoricalSplit::kSubset:
      // Two classes: the order of the second is that of the first, reversed.
      for (std::size_t by = k == 2 ? 1 : 0; by < k; ++by) offer_ordered(feature, by, offer);
      break;
  }
  offer.offer_present(feature);
}

template <class T>
void NominalSearch<T>::offer_multiway(const Node& node, int feature, Shortlist& shortlist) {
  std::vector<double> table = table_.counts;
  if (table_.has_missing()) {
    table.insert(table.end(), table_.missing.counts.begin(), table_.missing.counts.end());
  }
  const std::size_t k = node.segments.size();
  if (table.size() < 2 * k) return;
  for (std::size_t v = 0; v < table.size() / k; ++v) {
    const double weight = std::accumulate(table.data() + v * k, table.data() + (v + 1) * k, 0.0);
    const double* own = v < table_.size() ? table_.rows_of(v) : table_.missing.rows.data();
    const double rows = std::accumulate(own, own + k, 0.0);
    if (!options_.allows(rows, weight)) return;
  }
  shortlist.offer_table({.feature = feature, .kind = CutKind::kMultiway}, std::move(table));
}

// Categories by their share of one class: for two classes and a convex criterion, the best of
// all subsets is a prefix of this order.
template <class T>
std::vector<std::size_t> NominalSearch<T>::order_by(std::size_t segment) const {
  std::vector<double> share(table_.size());
  for (std::size_t i = 0; i < share.size(); ++i) {
    const double* n = table_.of(i);
    const double total = std::accumulate(n, n + table_.n_classes(), 0.0);
    share[i] = n[segment] / total;
  }
  std::vector<std::size_t> order(table_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return share[a] < share[b]; });
  return order;
}

template <class T>
void NominalSearch<T>::add_category(std::size_t i, std::vector<double>& left,
                                    std::vector<double>& rows) const {
  for (std::size_t s = 0; s < left.size(); ++s) {
    left[s] += table_.of(i)[s];
    rows[s] += table_.rows_of(i)[s];
  }
}

template <class T>
void NominalSearch<T>::offer_ordered(int feature, std::size_t by, CutOffer& offer) {
  const std::vector<std::size_t> order = order_by(by);
  std::vector<double> left(table_.n_classes(), 0.0), rows(table_.n_classes(), 0.0);
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    add_category(order[i], left, rows);
    offer.offer({.feature = feature,
                 .bin = static_cast<std::int32_t>(by),
                 .value = static_cast<double>(i + 1),
                 .kind = CutKind::kOrdered},
                left.data(), rows.data());
  }
}

template <class T>
void NominalSearch<T>::offer_subset(const Cut& cut, const std::vector<bool>& is_left,
                                    CutOffer& offer) {
  std::vector<double> left(table_.n_classes(), 0.0), rows(table_.n_classes(), 0.0);
  for (std::size_t i = 0; i < is_left.size(); ++i) {
    if (is_left[i]) add_category(i, left, rows);
  }
  offer.offer(cut, left.data(), rows.data());
}

// Each category left or right with equal chance; never all on one side.
template <class T>
std::vector<bool> NominalSearch<T>::draw_subset(Random random, int draw) const {
  Random own(combine_key(random.bits(), static_cast<std::uint64_t>(draw)));
  std::vector<bool> is_left(table_.size());
  std::size_t n_left = 0;
  for (std::size_t i = 0; i < is_left.size(); ++i) {
    is_left[i] = (own.bits() >> 63) != 0;
    n_left += is_left[i];
  }
  if (n_left == 0 || n_left == is_left.size()) {
    const std::size_t odd = own.below(is_left.size());
    is_left[odd] = !is_left[odd];
  }
  return is_left;
}

template <class T>
std::vector<CategoryRoute> NominalSearch<T>::routes(const Cut& cut, Random random) const {
  std::vector<CategoryRoute> routes;
  for (std::size_t i = 0; i < table_.size(); ++i) routes.push_back({table_.category[i], 1});
  switch (cut.kind) {
    case CutKind::kMultiway:
      for (std::size_t i = 0; i < routes.size(); ++i)
        routes[i].child = static_cast<std::int32_t>(i);
      break;
    case CutKind::kOneCategory:
      for (CategoryRoute& route : routes) route.child = route.category == cut.bin ? 0 : 1;
      break;
    case CutKind::kOrdered: {
      const std::vector<std::size_t> order = order_by(static_cast<std::size_t>(cut.bin));
      for (std::size_t i = 0; i < static_cast<std::size_t>(cut.value); ++i)
        routes[order[i]].child = 0;
      break;
    }
    case CutKind::kSubset: {
      const std::vector<bool> is_left = draw_subset(random, cut.bin);
      for (std::size_t i = 0; i < routes.size(); ++i) routes[i].child = is_left[i] ? 0 : 1;
      break;
    }
    case CutKind::kPresent:
      for (CategoryRoute& route : routes) route.child = 0;
      break;
    case CutKind::kNumeric:
    case CutKind::kThreshold:
    case CutKind::kPlane:
      break;  // not cuts of a nominal feature
  }
  return routes;
}

template class NominalSearch<float>;
template class NominalSearch<double>;

}  // namespace rarewood

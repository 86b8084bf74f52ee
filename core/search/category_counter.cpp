#include "search/category_counter.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "search/node_values.hpp"

namespace rarewood {

template <class T>
template <class CategoryOf>
void CategoryCounter<T>::read_categories(const Source<T>& source, const Node& node,
                                         CategoryOf&& category_of) {
  make_room(row_category_, node.n_rows);
  std::int32_t* to = row_category_.data();
  for (const Segment& segment : node.segments) {
    for (Row row : source.rows_of(segment)) *to++ = category_of(row);
  }
}

// Few categories: a place for each of them, the first for missing values. Rows are counted in
// lanes, since the next row often has the same category.
template <class T>
void CategoryCounter<T>::count_few(const Source<T>& source, const Node& node,
                                   std::size_t n_categories) {
  const std::size_t k = node.segments.size(), n_places = n_categories + 1;
  const std::size_t n_lanes = n_categories <= kFew ? kLanes : 1;
  dense_.resize(n_places * k);
  const std::int32_t* category = row_category_.data();
  for (std::size_t s = 0; s < k; ++s) {
    lanes_.assign(n_lanes * n_places, 0);
    const std::size_t n = node.segments[s].count;
    for (std::size_t i = 0; i < n; ++i) {
      ++lanes_[(i % kLanes & (n_lanes - 1)) * n_places + static_cast<std::size_t>(category[i] + 1)];
    }
    category += n;
    for (std::size_t c = 0; c < n_places; ++c) {
      std::uint32_t sum = 0;
      for (std::size_t lane = 0; lane < n_lanes; ++lane) sum += lanes_[lane * n_places + c];
      dense_[c * k + s] = sum;
    }
  }
  weights_.assign(source.weights ? dense_.size() : 0, 0.0);
  category = row_category_.data();
  for (std::size_t s = 0; s < k && source.weights; ++s) {
    for (Row row : source.rows_of(node.segments[s])) {
      weights_[static_cast<std::size_t>(*category++ + 1) * k + s] += source.weights[row];
    }
  }
  const std::vector<double>& counts = source.weights ? weights_ : dense_;
  table_.counts.clear();
  table_.rows.clear();
  for (std::size_t c = 0; c < n_places; ++c) {
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

// The categories of the node, ascending, and the missing values.
template <class T>
void CategoryCounter<T>::find_present(const Source<T>& source, const Node& node,
                                      std::size_t n_categories) {
  const std::int32_t* category = row_category_.data();
  present_.resize(std::max(present_.size(), n_categories / 64 + 1), 0);
  for (std::size_t s = 0; s < node.segments.size(); ++s) {
    for (Row row : source.rows_of(node.segments[s])) {
      const std::int32_t c = *category++;
      if (c < 0) {
        table_.missing.add(s, source.weight(row));
        continue;
      }
      std::uint64_t& word = present_[static_cast<std::size_t>(c) / 64];
      const std::uint64_t bit = std::uint64_t{1} << (c % 64);
      if (!(word & bit)) table_.category.push_back(c);
      word |= bit;
    }
  }
  if (table_.size() < n_categories / 64) {
    std::sort(table_.category.begin(), table_.category.end());
    for (std::int32_t c : table_.category) present_[static_cast<std::size_t>(c) / 64] = 0;
    return;
  }
  auto to = table_.category.begin();
  for (std::size_t w = 0; w <= n_categories / 64; ++w) {
    for (std::uint64_t bits = std::exchange(present_[w], 0); bits; bits &= bits - 1) {
      *to++ = static_cast<std::int32_t>(w * 64) + std::countr_zero(bits);
    }
  }
}

// Many categories, few of which are in the node.
template <class T>
void CategoryCounter<T>::count_many(const Source<T>& source, const Node& node,
                                    std::size_t n_categories) {
  const std::size_t k = node.segments.size();
  find_present(source, node, n_categories);
  slot_.resize(std::max(slot_.size(), n_categories));
  for (std::size_t i = 0; i < table_.size(); ++i) {
    slot_[table_.category[i]] = static_cast<std::int32_t>(i);
  }
  table_.rows.assign(table_.size() * k, 0.0);
  table_.counts.assign(source.weights ? table_.rows.size() : 0, 0.0);
  const std::int32_t* category = row_category_.data();
  for (std::size_t s = 0; s < k; ++s) {
    for (Row row : source.rows_of(node.segments[s])) {
      const std::int32_t c = *category++;
      if (c < 0) continue;
      const std::size_t at = static_cast<std::size_t>(slot_[c]) * k + s;
      table_.rows[at] += 1;
      if (source.weights) table_.counts[at] += source.weights[row];
    }
  }
  if (!source.weights) table_.counts = table_.rows;
}

template <class T>
const CategoryTable& CategoryCounter<T>::count(const Source<T>& source, const Node& node,
                                               int feature) {
  const auto n_categories = static_cast<std::size_t>(source.columns->column(feature).n_categories);
  table_.category.clear();
  table_.missing.start(node.segments.size());
  visit_categories(source, feature,
                   [&](auto&& category_of) { read_categories(source, node, category_of); });
  if (n_categories <= kFew || n_categories <= node.n_rows) {
    count_few(source, node, n_categories);
  } else {
    count_many(source, node, n_categories);
  }
  return table_;
}

template class CategoryCounter<float>;
template class CategoryCounter<double>;

}  // namespace rarewood

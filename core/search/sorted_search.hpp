// The plain exact search: sort the values, look at every cut between distinct neighbours.
// Right for every criterion, every number of classes and every limit; the other searches are
// proven against it.
#pragma once

#include <algorithm>
#include <vector>

#include "search/cut_candidates.hpp"
#include "search/node_values.hpp"

namespace rarewood {

template <class T>
class SortedSearch {
 public:
  // The values may be those of one bin: `base` then has the left counts and rows at its lower edge.
  void add_cuts(const NodeValues<T>& values, int feature, CutCandidates& cuts, int bin = 0,
                const double* base = nullptr) {
    const std::size_t k = values.end.size();
    items_.clear();
    for (std::size_t s = 0; s < k; ++s) {
      for (std::size_t i = values.begin_of(s); i < values.end[s]; ++i) {
        items_.push_back(
            {values.value[i], static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(i)});
      }
    }
    std::sort(items_.begin(), items_.end(),
              [](const Item& a, const Item& b) { return a.value < b.value; });
    left_.assign(k, 0.0);
    rows_.assign(k, 0.0);
    if (base) {
      left_.assign(base, base + k);
      rows_.assign(base + k, base + 2 * k);
    }
    for (std::size_t i = 0; i + 1 < items_.size(); ++i) {
      const Item& item = items_[i];
      left_[item.segment] += values.weight.empty() ? 1.0 : values.weight[item.at];
      rows_[item.segment] += 1;
      if (item.value == items_[i + 1].value) continue;
      cuts.add({.feature = feature, .bin = bin, .value = static_cast<double>(item.value)},
               left_.data(), rows_.data());
    }
  }

 private:
  struct Item {
    T value;
    std::uint32_t segment;
    std::uint32_t at;
  };

  std::vector<Item> items_;
  std::vector<double> left_, rows_;
};

}  // namespace rarewood

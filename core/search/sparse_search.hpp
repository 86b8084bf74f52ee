// The exact search over a feature of a sparse table: the values that are not zero are sorted, and
// all zeros of a class are counted at once.
#pragma once

#include <algorithm>
#include <vector>

#include "search/cut_candidates.hpp"
#include "search/sparse_entries.hpp"

namespace rarewood {

template <class T>
class SparseSearch {
 public:
  // Adds all cuts of a feature; false if it is constant at the node.
  bool add_cuts(const Source<T>& source, const Node& node, int f, std::span<const Entry<T>> entries,
                CutCandidates& cuts) {
    if (entries.empty()) return false;
    gather(source, node, entries);
    const double n_zeros = std::accumulate(zero_rows_.begin(), zero_rows_.end(), 0.0);
    const bool any_present = n_zeros > 0 || !items_.empty();
    const bool varies =
        !items_.empty() && (n_zeros > 0 || items_.front().value != items_.back().value);
    if (!varies && (missing_.n_rows == 0 || !any_present)) return false;
    cuts.start(node, missing_);
    cuts.add_present(f);
    if (!varies) return true;
    left_.assign(node.segments.size(), 0.0);
    rows_.assign(node.segments.size(), 0.0);
    bool has_zeros = n_zeros == 0;  // on the left, if there are any
    for (std::size_t i = 0;;) {
      double value = 0;
      if (!has_zeros && (i == items_.size() || items_[i].value > 0)) {
        add_zeros();
        has_zeros = true;
      } else {
        value = static_cast<double>(items_[i].value);
        for (; i < items_.size() && items_[i].value == value; ++i) {
          left_[items_[i].segment] += items_[i].weight;
          rows_[items_[i].segment] += 1;
        }
      }
      if (has_zeros && i == items_.size()) return true;  // no value is above
      cuts.add({.feature = f, .value = value}, left_.data(), rows_.data());
    }
  }

 private:
  struct Item {
    T value;
    std::size_t segment;
    double weight;
  };

  void gather(const Source<T>& source, const Node& node, std::span<const Entry<T>> entries) {
    items_.clear();
    missing_.start(node.segments.size());
    zero_counts_.assign(node.totals.begin(), node.totals.end());
    zero_rows_.clear();
    for (const Segment& segment : node.segments) zero_rows_.push_back(segment.count);
    std::size_t s = 0, first = 0;  // sums of weights are exact, so the zeros are what is left
    for (const auto [place, x] : entries) {
      if (x == 0) continue;
      for (; place - first >= node.segments[s].count; ++s) first += node.segments[s].count;
      const double weight =
          source.weights ? source.weights[source.rows_of(node.segments[s])[place - first]] : 1.0;
      zero_counts_[s] -= weight;
      zero_rows_[s] -= 1;
      if (x != x) {
        missing_.add(s, weight);
      } else {
        items_.push_back({x, s, weight});
      }
    }
    std::sort(items_.begin(), items_.end(),
              [](const Item& a, const Item& b) { return a.value < b.value; });
  }

  void add_zeros() {
    for (std::size_t s = 0; s < left_.size(); ++s) {
      if (zero_rows_[s] > 0) left_[s] += zero_counts_[s];
      rows_[s] += zero_rows_[s];
    }
  }

  std::vector<Item> items_;
  std::vector<double> zero_counts_, zero_rows_, left_, rows_;
  Missing missing_;
};

}  // namespace rarewood

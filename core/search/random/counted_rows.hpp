// The rows over which random cuts and hyperplanes of a few features are counted.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "search/cut_candidates.hpp"
#include "search/random/axes.hpp"

namespace rarewood {

// All rows of a node. Where its table is sparse and few of them have an entry in these features,
// those rows only, and in each class one row of zeros for all others: sums and cuts treat them
// alike. It has their weight; counts of rows need add_zeros.
template <class T>
class CountedRows {
 public:
  void take(const Axes<T>& axes, std::span<Axis<T>* const> features) {
    std::size_t n_entries = 0;
    for (const Axis<T>* axis : features) n_entries += axis->entries.size();
    is_short_ = axes.is_sparse() && kFew * n_entries < axes.node().n_rows;
    if (is_short_) return take_entries(axes, features);
    take_all(axes, features);
  }

  void take_all(const Axes<T>& axes, std::span<Axis<T>* const> features) {
    is_short_ = false;
    values_.clear();
    for (Axis<T>* axis : features) {
      axis->fill(axes.node().n_rows);
      values_.push_back(axis->value.data());
    }
    ends_ = axes.ends();
    weights_ = axes.weights();
  }

  // The values of each feature; counting may read a few beyond the end.
  const T* const* values() const { return values_.data(); }
  std::size_t size() const { return ends_.back(); }
  std::size_t begin(std::size_t s) const { return s > 0 ? ends_[s - 1] : 0; }
  std::size_t end(std::size_t s) const { return ends_[s]; }
  bool has_weights() const { return weights_; }

  // Adds the rows for which one of zeros was counted to the rows of segment s that are left of
  // n marks.
  template <class Mark>
  void add_zeros(std::size_t s, const Mark* marks, std::size_t n, std::uint32_t* counts) const {
    if (!is_short_ || n_zeros_[s] < 2) return;
    for (std::size_t i = 0; i < n; ++i) counts[i] += marks[i] >= 0 ? n_zeros_[s] - 1 : 0;
  }

  // What is missing: the rows whose key is NaN.
  template <class Key>
  void count_missing(const Key* keys, Missing& missing) const {
    missing.start(ends_.size());
    for (std::size_t s = 0; s < ends_.size(); ++s) {
      for (std::size_t i = begin(s); i < end(s); ++i) {
        if (keys[i] != keys[i]) missing.add(s, weights_ ? weights_[i] : 1.0);
      }
    }
  }

  // Weight of segment s on the left of a mark.
  template <class Key>
  double weigh(const Key* keys, std::size_t s, Key mark) const {
    double weight = 0;
    for (std::size_t i = begin(s); i < end(s); ++i) {
      if (keys[i] <= mark) weight += weights_[i];
    }
    return weight;
  }

 private:
  static constexpr std::size_t kFew = 4;  // rows for each entry

  void take_entries(const Axes<T>& axes, std::span<Axis<T>* const> features) {
    places_.clear();
    for (const Axis<T>* axis : features) {
      for (const Entry<T>& entry : axis->entries) places_.push_back(entry.place);
    }
    if (features.size() > 1) {
      std::sort(places_.begin(), places_.end());
      places_.erase(std::unique(places_.begin(), places_.end()), places_.end());
    }
    count_zeros(axes);
    const std::size_t n = own_ends_.back();
    own_.resize(features.size());
    values_.clear();
    for (std::size_t j = 0; j < features.size(); ++j) {
      make_room(own_[j], n + kLanesOf<double>);
      std::fill_n(own_[j].data(), n, T{0});
      std::size_t at = 0;  // of an entry among the places, to which each class adds its zeros
      std::size_t s = 0;
      for (const Entry<T>& entry : features[j]->entries) {
        for (; entry.place >= axes.ends()[s]; ++s) {
        }
        while (places_[at] < entry.place) ++at;
        own_[j][at + zeros_before_[s]] = entry.value;
      }
      values_.push_back(own_[j].data());
    }
    ends_ = own_ends_;
  }

  // Where the rows of each segment end, the rows of zeros included, and what these weigh.
  void count_zeros(const Axes<T>& axes) {
    own_ends_.clear();
    n_zeros_.clear();
    zeros_before_.clear();
    own_weights_.clear();
    std::size_t at = 0, first = 0, n_added = 0;
    for (std::size_t end : axes.ends()) {
      const std::size_t begin = at;
      double weight = 0;
      for (; at < places_.size() && places_[at] < end; ++at) {
        if (axes.weights()) own_weights_.push_back(axes.weights()[places_[at]]);
      }
      zeros_before_.push_back(n_added);
      n_zeros_.push_back(static_cast<std::uint32_t>(end - first - (at - begin)));
      if (n_zeros_.back() > 0) {
        ++n_added;
        if (axes.weights()) {
          for (std::size_t i = begin; i < at; ++i) weight += axes.weights()[places_[i]];
          own_weights_.push_back(axes.segment_weight(own_ends_.size()) - weight);
        }
      }
      own_ends_.push_back(at + n_added);
      first = end;
    }
    weights_ = axes.weights() ? own_weights_.data() : nullptr;
  }

  bool is_short_ = false;
  std::vector<const T*> values_;
  std::span<const std::size_t> ends_;
  const double* weights_ = nullptr;  // of each row

  // Where few rows have entries.
  std::vector<Row> places_;  // of these, in the node
  std::vector<std::vector<T>> own_;
  std::vector<std::size_t> own_ends_;
  std::vector<std::size_t> zeros_before_;  // rows of zeros of the segments before
  std::vector<std::uint32_t> n_zeros_;
  std::vector<double> own_weights_;
};

}  // namespace rarewood

// The values of a few features at one node, in the order of its rows: what random cuts and
// hyperplanes are drawn and counted from.
#pragma once

#include <algorithm>
#include <deque>
#include <span>
#include <type_traits>
#include <vector>

#include "base/extent.hpp"
#include "base/lanes.hpp"
#include "base/multiversion.hpp"
#include "search/cut_candidates.hpp"
#include "search/node.hpp"
#include "search/node_values.hpp"
#include "search/random/landmarks.hpp"
#include "search/sparse_values.hpp"

namespace rarewood {

// One feature: where its values are, where they go, and how far they reach. Missing values are
// copied, and passed over by the extent. Values are read as they are, or through their codes.
template <class T>
struct Gathered {
  const T* values = nullptr;       // its value in row 0, or
  const Code* codes = nullptr;     // its code in row 0, and
  const T* coordinates = nullptr;  // the value of each code
  T* to = nullptr;
  Extent<T> extent = kNoExtent<T>;
  bool misses_any = false;
};

namespace detail {

// A few features in one walk over the rows, whose values lie close together.
template <std::size_t kFeatures, bool kCoded, class T>
[[gnu::always_inline]] inline void copy_rows(const Row* rows, std::size_t n, std::size_t n_ahead,
                                             std::ptrdiff_t stride, const Gathered<T>* features) {
  constexpr std::size_t kAhead = 24;                        // rows: they lie anywhere in memory
  constexpr std::size_t kFetched = kCoded ? 1 : kFeatures;  // codes of a row are side by side
  using Element = std::conditional_t<kCoded, Code, T>;
  const Element* from[kFeatures];
  const T* coordinates[kFeatures];
  T* to[kFeatures];
  for (std::size_t j = 0; j < kFeatures; ++j) {
    if constexpr (kCoded) {
      from[j] = features[j].codes;
    } else {
      from[j] = features[j].values;
    }
    coordinates[j] = features[j].coordinates;
    to[j] = features[j].to;
  }
  auto copy = [&](std::size_t i) __attribute__((always_inline)) {
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(rows[i]) * stride;
    for (std::size_t j = 0; j < kFeatures; ++j) {
      if constexpr (kCoded) {
        to[j][i] = coordinates[j][from[j][at]];
      } else {
        to[j][i] = from[j][at];
      }
    }
  };
  std::size_t i = 0;
  for (; i < n && i + kAhead < n_ahead; ++i) {
    const std::ptrdiff_t next = static_cast<std::ptrdiff_t>(rows[i + kAhead]) * stride;
    for (std::size_t j = 0; j < kFetched; ++j) __builtin_prefetch(from[j] + next);
    copy(i);
  }
  for (; i < n; ++i) copy(i);
}

// The values that follow are in `feature.to`.
template <class T>
[[gnu::always_inline]] inline void widen(Gathered<T>& feature, std::size_t n) {
  const T* const values = feature.to;
  Extent<T>& extent = feature.extent;
  bool misses_any = false;
  std::size_t i = 0;
  if (n >= kLanesOf<T>) {
    Lanes<T> low = Lanes<T>{} + extent.low, high = Lanes<T>{} + extent.high, x;
    auto missing = low != low;
    for (; i + kLanesOf<T> <= n; i += kLanesOf<T>) {
      load_lanes(values + i, x);
      low = x < low ? x : low;
      high = x > high ? x : high;
      missing |= x != x;
    }
    for (std::size_t lane = 0; lane < kLanesOf<T>; ++lane) {
      extent.widen(low[lane], high[lane]);
      misses_any |= missing[lane] != 0;
    }
  }
  for (; i < n; ++i) {
    extent.widen(values[i], values[i]);
    misses_any |= values[i] != values[i];
  }
  feature.misses_any |= misses_any;
}

}  // namespace detail

// Appends rows to every feature: `to` moves on and the extent widens. The values of a row are
// `stride` after those of the row before it.
template <bool kCoded, class T>
RAREWOOD_MULTIVERSION void gather(std::span<const Row> rows, std::ptrdiff_t stride,
                                  std::vector<Gathered<T>>& features) {
  constexpr std::size_t kBlock = 512;  // rows: still in the nearest cache when extents are taken
  constexpr std::size_t kTogether = 5;
  for (std::size_t begin = 0; begin < rows.size(); begin += kBlock) {
    const std::size_t n_ahead = rows.size() - begin, n_here = std::min(kBlock, n_ahead);
    const Row* here = rows.data() + begin;
    auto copy = [&]<std::size_t kFeatures>(std::size_t j) __attribute__((always_inline)) {
      detail::copy_rows<kFeatures, kCoded>(here, n_here, n_ahead, stride, features.data() + j);
    };
    std::size_t j = 0;
    for (; j + kTogether <= features.size(); j += kTogether) {
      copy.template operator()<kTogether>(j);
    }
    for (; j + 2 <= features.size(); j += 2) copy.template operator()<2>(j);
    if (j < features.size()) copy.template operator()<1>(j);
    for (Gathered<T>& feature : features) {
      detail::widen(feature, n_here);
      feature.to += n_here;
    }
  }
}

template <class T>
struct Axis {
  int feature = -1;
  std::vector<T> value;  // missing ones included
  Extent<T> extent{};    // of those present
  bool may_miss = false;
  bool misses_any = false;

  bool varies() const { return extent.low < extent.high; }
};

template <class T>
class Axes {
 public:
  void start(const Source<T>& source, const Node& node) {
    source_ = &source;
    node_ = &node;
    n_used_ = 0;
    place_.resize(source.columns->n_features());
    has_landmarks_ = false;
    if (!source.weights) return;
    make_room(weight_, node.n_rows);
    std::size_t i = 0;
    for (const Segment& segment : node.segments) {
      for (Row row : source.rows_of(segment)) weight_[i++] = source.weights[row];
    }
  }

  const Source<T>& source() const { return *source_; }
  const Node& node() const { return *node_; }
  // Weights of the node's rows in their order, or none.
  const double* weights() const { return source_->weights ? weight_.data() : nullptr; }

  // Gathers features that are not here yet, all in one walk over the rows.
  void gather(std::span<const int> features) {
    if (source_->sparse) {
      for (int f : features) gather_sparse(f);
      return;
    }
    const std::size_t first = n_used_, n_features = features.size();
    gathered_.clear();
    for (int f : features) {
      T* const to = add(f).value.data();
      gathered_.push_back(source_->row_codes
                              ? Gathered<T>{.codes = source_->row_codes + f,
                                            .coordinates = source_->coordinates + f * kCodes,
                                            .to = to}
                              : Gathered<T>{.values = &source_->raw.at(0, f), .to = to});
    }
    for (const Segment& segment : node_->segments) {
      if (source_->row_codes) {
        const auto stride = static_cast<std::ptrdiff_t>(source_->columns->n_features());
        rarewood::gather<true>(source_->rows_of(segment), stride, gathered_);
      } else {
        rarewood::gather<false>(source_->rows_of(segment), source_->raw.row_stride, gathered_);
      }
    }
    for (std::size_t j = 0; j < n_features; ++j) {
      axes_[first + j].extent = gathered_[j].extent;
      axes_[first + j].misses_any = gathered_[j].misses_any;
    }
  }

  // Gathered on first use; valid until the next node.
  const Axis<T>& get(int f) {
    if (!has(f)) gather({&f, 1});
    return axes_[place_[static_cast<std::size_t>(f)]];
  }

  // Found on first use.
  const Landmarks& landmarks() {
    if (!has_landmarks_) landmarks_.find(*source_, *node_);
    has_landmarks_ = true;
    return landmarks_;
  }

  // What is missing: the rows whose key is NaN.
  template <class Key>
  void count_missing(const Key* keys, Missing& missing) const {
    missing.start(node_->segments.size());
    std::size_t i = 0;
    for (std::size_t s = 0; s < node_->segments.size(); ++s) {
      for (const std::size_t end = i + node_->segments[s].count; i < end; ++i) {
        if (keys[i] != keys[i]) missing.add(s, source_->weights ? weight_[i] : 1.0);
      }
    }
  }

  // Weight of segment s on the left of a mark; its rows begin at `begin`.
  template <class Key>
  double weigh(const Key* keys, std::size_t s, std::size_t begin, Key mark) const {
    double weight = 0;
    for (std::size_t i = begin; i < begin + node_->segments[s].count; ++i) {
      if (keys[i] <= mark) weight += weight_[i];
    }
    return weight;
  }

 private:
  // Places of other nodes need not be cleared: there is another feature now, or none.
  bool has(int f) const {
    const std::size_t place = place_[static_cast<std::size_t>(f)];
    return place < n_used_ && axes_[place].feature == f;
  }

  void gather_sparse(int f) {
    Axis<T>& axis = add(f);
    T* const to = axis.value.data();
    std::fill_n(to, node_->n_rows, T{0});
    axis.extent = kNoExtent<T>;
    axis.misses_any = false;
    std::size_t n_entries = 0;
    for_each_entry(*source_, *node_, f, [&](std::size_t, std::size_t place, T x) {
      to[place] = x;
      ++n_entries;
      if (x == x) axis.extent.widen(x, x);
      axis.misses_any |= x != x;
    });
    if (n_entries < node_->n_rows) axis.extent.widen(0, 0);
  }

  // Space for a feature, whose values are filled in later.
  Axis<T>& add(int f) {
    if (n_used_ == axes_.size()) axes_.emplace_back();
    place_[static_cast<std::size_t>(f)] = n_used_;
    Axis<T>& axis = axes_[n_used_++];
    axis.feature = f;
    axis.may_miss = source_->columns->column(f).has_missing;
    make_room(axis.value, node_->n_rows + kLanesOf<double>);  // counting reads beyond the end
    return axis;
  }

  const Source<T>* source_ = nullptr;
  const Node* node_ = nullptr;
  std::deque<Axis<T>> axes_;  // the first n_used_ belong to this node; never moved
  std::size_t n_used_ = 0;
  std::vector<std::size_t> place_;  // of each feature among the axes
  std::vector<double> weight_;
  std::vector<Gathered<T>> gathered_;
  Landmarks landmarks_;
  bool has_landmarks_ = false;
};

}  // namespace rarewood

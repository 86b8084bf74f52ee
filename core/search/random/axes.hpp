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
#include "search/sparse_entries.hpp"

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
  std::vector<T> value;           // missing ones included; where is_filled
  std::vector<Entry<T>> entries;  // where the table is sparse
  bool is_filled = true;
  Extent<T> extent{};  // of those present
  bool may_miss = false;
  bool misses_any = false;

  bool varies() const { return extent.low < extent.high; }

  T at(std::size_t place) const {
    if (is_filled) return value[place];
    const auto found =
        std::lower_bound(entries.begin(), entries.end(), place,
                         [](const Entry<T>& e, std::size_t p) { return e.place < p; });
    return found != entries.end() && found->place == place ? found->value : T{0};
  }

  // Puts the values of all n rows side by side.
  void fill(std::size_t n) {
    if (is_filled) return;
    make_room(value, n + kLanesOf<double>);
    std::fill_n(value.data(), n, T{0});
    for (const Entry<T>& entry : entries) value[entry.place] = entry.value;
    is_filled = true;
  }
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
    ends_.clear();
    for (const Segment& segment : node.segments) {
      ends_.push_back((ends_.empty() ? 0 : ends_.back()) + segment.count);
    }
    if (source.sparse) entries_.start(source, node);
    if (!source.weights) return;
    make_room(weight_, node.n_rows);
    std::size_t i = 0;
    for (const Segment& segment : node.segments) {
      for (Row row : source.rows_of(segment)) weight_[i++] = source.weights[row];
    }
    if (source.sparse) sum_weights();
  }

  const Source<T>& source() const { return *source_; }
  const Node& node() const { return *node_; }
  // Where the rows of each segment end.
  std::span<const std::size_t> ends() const { return ends_; }
  bool is_sparse() const { return source_->sparse; }
  // Is the feature known to be zero in all rows?
  bool is_zero(int f) { return source_->sparse && entries_.of(f).empty(); }
  // Weights of the node's rows in their order, or none.
  const double* weights() const { return source_->weights ? weight_.data() : nullptr; }

  // Where the table is sparse.
  double segment_weight(std::size_t s) const { return segment_weight_[s]; }

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
  Axis<T>& get(int f) {
    if (!has(f)) gather({&f, 1});
    return axes_[place_[static_cast<std::size_t>(f)]];
  }

  // Found on first use.
  const Landmarks& landmarks() {
    if (!has_landmarks_) landmarks_.find(*source_, *node_);
    has_landmarks_ = true;
    return landmarks_;
  }

 private:
  void sum_weights() {
    segment_weight_.assign(ends_.size(), 0.0);
    for (std::size_t s = 0, i = 0; s < ends_.size(); ++s) {
      for (; i < ends_[s]; ++i) segment_weight_[s] += weight_[i];
    }
  }

  // Places of other nodes need not be cleared: there is another feature now, or none.
  bool has(int f) const {
    const std::size_t place = place_[static_cast<std::size_t>(f)];
    return place < n_used_ && axes_[place].feature == f;
  }

  void gather_sparse(int f) {
    const std::span<const Entry<T>> entries = entries_.of(f);
    Axis<T>& axis = next(f);
    axis.entries.assign(entries.begin(), entries.end());
    axis.is_filled = false;
    axis.extent = kNoExtent<T>;
    axis.misses_any = false;
    for (const Entry<T>& entry : entries) {
      axis.extent.widen(entry.value, entry.value);
      axis.misses_any |= entry.value != entry.value;
    }
    if (entries.size() < node_->n_rows) axis.extent.widen(0, 0);
  }

  // Space for a feature, whose values are filled in later.
  Axis<T>& add(int f) {
    Axis<T>& axis = next(f);
    make_room(axis.value, node_->n_rows + kLanesOf<double>);  // counting reads beyond the end
    return axis;
  }

  Axis<T>& next(int f) {
    if (n_used_ == axes_.size()) axes_.emplace_back();
    place_[static_cast<std::size_t>(f)] = n_used_;
    Axis<T>& axis = axes_[n_used_++];
    axis.feature = f;
    axis.may_miss = source_->columns->column(f).has_missing;
    return axis;
  }

  const Source<T>* source_ = nullptr;
  const Node* node_ = nullptr;
  std::deque<Axis<T>> axes_;  // the first n_used_ belong to this node; never moved
  std::size_t n_used_ = 0;
  std::vector<std::size_t> place_;  // of each feature among the axes
  std::vector<std::size_t> ends_;   // of the rows of each segment
  std::vector<double> weight_, segment_weight_;
  SparseEntries<T> entries_;
  std::vector<Gathered<T>> gathered_;
  Landmarks landmarks_;
  bool has_landmarks_ = false;
};

}  // namespace rarewood

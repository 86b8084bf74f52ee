// The values of a few features at one node, in the order of its rows: what random cuts and
// hyperplanes are drawn and counted from.
#pragma once

#include <deque>
#include <span>
#include <vector>

#include "base/extent.hpp"
#include "search/cut_candidates.hpp"
#include "search/node.hpp"
#include "search/node_values.hpp"
#include "search/random/gather.hpp"

namespace rarewood {

template <class T>
struct Axis {
  int feature = -1;
  std::vector<T> value;  // missing ones included
  Extent<T> extent{};    // of those present
  bool may_miss = false;

  bool varies() const { return extent.low < extent.high; }
};

template <class T>
class Axes {
 public:
  void start(const Source<T>& source, const Node& node) {
    source_ = &source;
    node_ = &node;
    n_used_ = 0;
    if (!source.weights) return;
    make_room(weight_, node.n_rows);
    std::size_t i = 0;
    for (const Segment& segment : node.segments) {
      const Row* rows = source.rows_of(segment);
      for (Row r = 0; r < segment.count; ++r) weight_[i++] = source.weights[rows[r]];
    }
  }

  const Source<T>& source() const { return *source_; }
  const Node& node() const { return *node_; }
  // Weights of the node's rows in their order, or none.
  const double* weights() const { return source_->weights ? weight_.data() : nullptr; }

  // Gathers features that are not here yet, all in one walk over the rows.
  void gather(std::span<const int> features) {
    const std::size_t first = n_used_, n_features = features.size();
    gathered_.clear();
    for (int f : features) {
      gathered_.push_back({&source_->raw.at(0, f), add(f).value.data()});
    }
    for (const Segment& segment : node_->segments) {
      rarewood::gather(source_->rows_of(segment), segment.count, source_->raw.row_stride,
                       gathered_);
    }
    for (std::size_t j = 0; j < n_features; ++j) axes_[first + j].extent = gathered_[j].extent;
  }

  // Gathered on first use; valid until the next node.
  const Axis<T>& get(int f) {
    for (std::size_t i = 0; i < n_used_; ++i) {
      if (axes_[i].feature == f) return axes_[i];
    }
    gather({&f, 1});
    return axes_[n_used_ - 1];
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
  // Space for a feature, whose values are filled in later.
  Axis<T>& add(int f) {
    if (n_used_ == axes_.size()) axes_.emplace_back();
    Axis<T>& axis = axes_[n_used_++];
    axis.feature = f;
    axis.may_miss = source_->columns->column(f).has_missing;
    make_room(axis.value, node_->n_rows);
    return axis;
  }

  const Source<T>* source_ = nullptr;
  const Node* node_ = nullptr;
  std::deque<Axis<T>> axes_;  // the first n_used_ belong to this node; never moved
  std::size_t n_used_ = 0;
  std::vector<double> weight_;
  std::vector<Gathered<T>> gathered_;
};

}  // namespace rarewood

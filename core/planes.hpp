// Random hyperplanes over several numeric features of a node, as in HeDExh.
//
// They are drawn in coordinates in which the box of the node's rows is the unit box, and kept as
// weights of raw values: a row is left when the sum of weight * value is at most the threshold. A
// row with a missing value among the features has no such sum and is routed as missing.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "count_below.hpp"
#include "offer.hpp"
#include "plane_draw.hpp"
#include "project.hpp"
#include "random_cuts.hpp"
#include "values.hpp"

namespace rarewood {

template <class T>
class PlaneCuts {
 public:
  explicit PlaneCuts(const GrowOptions& options) : options_(options) {}

  void start(const Source<T>& source, const Node& node) {
    source_ = &source;
    node_ = &node;
    n_axes_ = 0;
    planes_.clear();
    if (!source.weights) return;
    make_room(weight_, node.n_rows);
    std::size_t i = 0;
    for_each_row([&](Row row) { weight_[i++] = source.weights[row]; });
  }

  // Can the feature be part of a hyperplane: does it vary, by an amount that can be divided by?
  bool is_usable(int f) { return axis(f).width > 0; }

  // Offers the hyperplanes drawn over the given features; the first leads.
  void offer_cuts(std::span<const int> features, Random& random, CutOffer& offer) {
    const std::size_t dim = features.size();
    make_room(sum_, node_->n_rows);
    normal_.resize(dim);
    bool knows_missing = false;
    for (int c = 0; c < options_.n_cuts; ++c) {
      Plane plane;
      const double* point = nullptr;
      if (options_.plane_kind == PlaneKind::kPoints) {
        point = points_.draw(random, dim, normal_);
      } else {
        for (double& x : normal_) x = draw_normal(random);
      }
      for (std::size_t j = 0; j < dim; ++j) {
        const Axis& own = axis(features[j]);
        plane.terms.push_back({features[j], normal_[j] / own.width});
        if (point) plane.threshold += plane.terms[j].weight * (own.low + point[j] * own.width);
        if (j == 0) {
          project_first(own.value.data(), node_->n_rows, plane.terms[j].weight, sum_.data());
        } else {
          project_next(own.value.data(), node_->n_rows, plane.terms[j].weight, sum_.data());
        }
      }
      if (!knows_missing) count_missing(features);
      knows_missing = true;
      if (!point && !draw_along(random, plane)) continue;
      offer.start(*node_, missing_);
      offer_plane(plane, offer);
    }
  }

  // Does some row of the node miss a value that the hyperplane needs?
  bool any_missing(const Plane& plane) {
    for (const Plane::Term& term : plane.terms) {
      const Axis& own = axis(term.feature);
      const T* x = own.value.data();
      if (std::any_of(x, x + node_->n_rows, [](T value) { return value != value; })) return true;
    }
    return false;
  }

  // The hyperplane of a chosen cut.
  const Plane& plane_of(const Cut& cut) const { return planes_[static_cast<std::size_t>(cut.bin)]; }

 private:
  // The values of one feature at the node, missing ones included, in the order of its rows.
  struct Axis {
    int feature = -1;
    std::vector<T> value;
    double low = 0, width = 0;  // of the box; a width of 0: no part of any hyperplane
  };

  template <class Visit>
  void for_each_row(Visit&& visit) const {
    for (const Segment& segment : node_->segments) {
      const Row* rows = source_->rows_of(segment);
      for (Row i = 0; i < segment.count; ++i) visit(rows[i]);
    }
  }

  const Axis& axis(int f) {
    for (std::size_t i = 0; i < n_axes_; ++i) {
      if (axes_[i].feature == f) return axes_[i];
    }
    if (n_axes_ == axes_.size()) axes_.emplace_back();
    Axis& own = axes_[n_axes_++];
    own.feature = f;
    make_room(own.value, node_->n_rows);
    T low = std::numeric_limits<T>::infinity(), high = -low;
    std::size_t i = 0;
    for_each_row([&](Row row) {
      const T x = source_->value(row, f);
      own.value[i++] = x;
      low = x < low ? x : low;
      high = x > high ? x : high;
    });
    own.low = static_cast<double>(low);
    own.width = static_cast<double>(high) - own.low;
    // The product of a weight and a value must stay finite.
    if (!(own.width > 1e-290 && own.width < 1e290)) own.width = 0;
    return own;
  }

  void count_missing(std::span<const int> features) {
    missing_.start(node_->segments.size());
    const bool may_miss = std::any_of(features.begin(), features.end(), [&](int f) {
      return source_->columns->column(static_cast<std::size_t>(f)).has_missing;
    });
    if (!may_miss) return;
    std::size_t i = 0;
    for (std::size_t s = 0; s < node_->segments.size(); ++s) {
      for (Row end = node_->segments[s].count; end > 0; --end, ++i) {
        if (sum_[i] != sum_[i]) missing_.add(s, source_->weights ? weight_[i] : 1.0);
      }
    }
  }

  // A threshold between the lowest and the highest sum; false when all are the same.
  bool draw_along(Random& random, Plane& plane) const {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t i = 0; i < node_->n_rows; ++i) {
      low = sum_[i] < low ? sum_[i] : low;
      high = sum_[i] > high ? sum_[i] : high;
    }
    plane.threshold = draw_threshold(random, low, high);
    return low < high;
  }

  void offer_plane(const Plane& plane, CutOffer& offer) {
    const std::size_t k = node_->segments.size();
    left_.assign(k, 0.0);
    rows_.assign(k, 0.0);
    std::size_t begin = 0;
    for (std::size_t s = 0; s < k; ++s) {
      const std::size_t n = node_->segments[s].count;
      rows_[s] = count_up_to(sum_.data() + begin, n, plane.threshold);
      left_[s] = rows_[s];
      if (source_->weights) {
        left_[s] = 0;
        for (std::size_t i = begin; i < begin + n; ++i) {
          if (sum_[i] <= plane.threshold) left_[s] += weight_[i];
        }
      }
      begin += n;
    }
    offer.offer({.feature = plane.terms.front().feature,
                 .bin = static_cast<std::int32_t>(planes_.size()),
                 .value = plane.threshold,
                 .kind = CutKind::kPlane},
                left_.data(), rows_.data());
    planes_.push_back(plane);
  }

  const GrowOptions& options_;
  const Source<T>* source_ = nullptr;
  const Node* node_ = nullptr;
  std::vector<Axis> axes_;  // the first n_axes_ belong to this node
  std::size_t n_axes_ = 0;
  std::vector<double> weight_, sum_, normal_, left_, rows_;
  Missing missing_;
  PointsDraw points_;
  std::vector<Plane> planes_;
};

}  // namespace rarewood

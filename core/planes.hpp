// Random hyperplanes over several numeric features of a node, as in HeDExh.
//
// They are drawn in coordinates in which the box of the node's rows is the unit box, and kept as
// weights of raw values: a row is left when the sum of weight * value is at most the threshold. A
// row with a missing value among the features has no such sum and is routed as missing.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "axes.hpp"
#include "count_below.hpp"
#include "offer.hpp"
#include "plane_draw.hpp"
#include "project.hpp"
#include "random_cuts.hpp"

namespace rarewood {

template <class T>
class PlaneCuts {
 public:
  explicit PlaneCuts(const GrowOptions& options)
      : options_(options), dim_(static_cast<std::size_t>(options.plane_dim)) {}

  void start() {
    terms_.clear();
    thresholds_.clear();
  }

  // Can the feature be part of a hyperplane: does it vary, by an amount that can be divided by so
  // that a weight times a value stays finite?
  static bool is_usable(const Axis<T>& axis) {
    return axis.varies() && width(axis) > 1e-290 && width(axis) < 1e290;
  }

  // Offers the hyperplanes drawn over the given features, all usable; the first leads.
  void offer_cuts(Axes<T>& axes, std::span<const int> features, Random& random, CutOffer& offer) {
    const Node& node = axes.node();
    make_room(sum_, node.n_rows);
    normal_.resize(dim_);
    weight_.resize(dim_);
    choose(axes, features);
    const bool may_miss =
        std::any_of(axis_.begin(), axis_.end(), [](const Axis<T>* axis) { return axis->may_miss; });
    missing_.start(node.segments.size());
    for (int c = 0; c < options_.n_cuts; ++c) {
      double threshold = 0;
      const double* point = draw_normal_of_plane(random);
      for (std::size_t j = 0; j < dim_; ++j) {
        const double box = width(*axis_[j]);
        weight_[j] = normal_[j] / box;
        const auto low = static_cast<double>(axis_[j]->extent.low);
        if (point) threshold += weight_[j] * (low + point[j] * box);
      }
      const Extent<double> extent =
          project(value_.data(), weight_.data(), dim_, node.n_rows, sum_.data());
      if (!(extent.low < extent.high)) continue;
      if (!point) threshold = draw_threshold(random, extent.low, extent.high);
      if (may_miss && missing_.n_rows == 0) axes.count_missing(sum_.data(), missing_);
      offer.start(node, missing_);
      offer_plane(axes, features.front(), threshold, offer);
      for (std::size_t j = 0; j < dim_; ++j) terms_.push_back({features[j], weight_[j]});
      thresholds_.push_back(threshold);
    }
  }

  // Turns a chosen cut into its split; `keys` of the split are the sums of the node's rows.
  void resolve(Axes<T>& axes, const Cut& cut, Split& split) {
    const auto at = terms_.begin() + static_cast<std::ptrdiff_t>(dim_) * cut.bin;
    split.plane.assign(at, at + static_cast<std::ptrdiff_t>(dim_));
    split.threshold = thresholds_[static_cast<std::size_t>(cut.bin)];
    std::vector<int> features;
    for (std::size_t j = 0; j < dim_; ++j) {
      features.push_back(split.plane[j].feature);
      weight_[j] = split.plane[j].weight;
    }
    choose(axes, features);
    const std::size_t n = axes.node().n_rows;
    project(value_.data(), weight_.data(), dim_, n, sum_.data());
    split.keys = sum_.data();
    const bool any_missing =
        std::any_of(axis_.begin(), axis_.end(),
                    [](const Axis<T>* axis) { return axis->may_miss; }) &&
        std::any_of(sum_.begin(), sum_.begin() + static_cast<std::ptrdiff_t>(n),
                    [](double sum) { return sum != sum; });
    if (any_missing) split.missing_child = cut.missing_left ? 0 : 1;
  }

 private:
  static double width(const Axis<T>& axis) {
    return static_cast<double>(axis.extent.high) - static_cast<double>(axis.extent.low);
  }

  void choose(Axes<T>& axes, std::span<const int> features) {
    axis_.clear();
    value_.clear();
    for (int f : features) {
      axis_.push_back(&axes.get(f));
      value_.push_back(axis_.back()->value.data());
    }
  }

  // Fills normal_; returns a point of the plane in the unit box, or null when none is given.
  const double* draw_normal_of_plane(Random& random) {
    if (options_.plane_kind == PlaneKind::kPoints) return points_.draw(random, dim_, normal_);
    for (double& x : normal_) x = draw_normal(random);
    return nullptr;
  }

  void offer_plane(const Axes<T>& axes, int lead, double threshold, CutOffer& offer) {
    const Node& node = axes.node();
    const std::size_t k = node.segments.size();
    left_.assign(k, 0.0);
    rows_.assign(k, 0.0);
    std::size_t begin = 0;
    for (std::size_t s = 0; s < k; ++s) {
      std::uint32_t count = 0;
      count_up_to(&threshold, 1, sum_.data() + begin, node.segments[s].count, &count);
      left_[s] = rows_[s] = count;
      if (axes.weights()) left_[s] = axes.weigh(sum_.data(), s, begin, threshold);
      begin += node.segments[s].count;
    }
    offer.offer({.feature = lead,
                 .bin = static_cast<std::int32_t>(thresholds_.size()),
                 .value = threshold,
                 .kind = CutKind::kPlane},
                left_.data(), rows_.data());
  }

  const GrowOptions& options_;
  std::size_t dim_;
  std::vector<const Axis<T>*> axis_;  // of the plane at hand
  std::vector<const T*> value_;       // their values
  std::vector<double> sum_, normal_, weight_, left_, rows_;
  Missing missing_;
  PointsDraw points_;
  std::vector<PlaneTerm> terms_;  // of the node's planes, one after the other
  std::vector<double> thresholds_;
};

}  // namespace rarewood

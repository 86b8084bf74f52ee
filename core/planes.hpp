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
    const std::size_t first = thresholds_.size();
    left_.clear();
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
      const bool divides = extent.low <= threshold && threshold < extent.high;
      if (!divides && missing_.n_rows == 0) continue;
      count_left(axes, threshold);
      for (std::size_t j = 0; j < dim_; ++j) terms_.push_back({features[j], weight_[j]});
      thresholds_.push_back(threshold);
    }
    offer.start(node, missing_);
    offer_all(node, features.front(), first, offer);
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

  // Adds the left counts of one more plane to left_: what counts, then rows, per segment.
  void count_left(const Axes<T>& axes, double threshold) {
    const Node& node = axes.node();
    const std::size_t k = node.segments.size(), at = left_.size();
    left_.resize(at + 2 * k);
    std::size_t begin = 0;
    for (std::size_t s = 0; s < k; ++s) {
      std::uint32_t count = 0;
      count_up_to(&threshold, 1, sum_.data() + begin, node.segments[s].count, &count);
      left_[at + s] = left_[at + k + s] = count;
      if (axes.weights()) left_[at + s] = axes.weigh(sum_.data(), s, begin, threshold);
      begin += node.segments[s].count;
    }
  }

  // Offers the planes from `first` on, whose counts are in left_.
  void offer_all(const Node& node, int lead, std::size_t first, CutOffer& offer) {
    const std::size_t k = node.segments.size(), n = thresholds_.size() - first;
    auto make_cut = [&](std::size_t i) {
      return Cut{.feature = lead,
                 .bin = static_cast<std::int32_t>(first + i),
                 .value = thresholds_[first + i],
                 .kind = CutKind::kPlane};
    };
    if (!offer.is_plain()) {
      for (std::size_t i = 0; i < n; ++i) {
        const double* left = left_.data() + 2 * k * i;
        offer.offer(make_cut(i), left, left + k);
      }
      return;
    }
    by_class_.resize(n * k);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t s = 0; s < k; ++s) by_class_[s * n + i] = left_[2 * k * i + s];
    }
    offer.shortlist().offer_all(by_class_.data(), n, n, make_cut);
  }

  const GrowOptions& options_;
  std::size_t dim_;
  std::vector<const Axis<T>*> axis_;  // of the plane at hand
  std::vector<const T*> value_;       // their values
  std::vector<double> sum_, normal_, weight_, left_, by_class_;
  Missing missing_;
  PointsDraw points_;
  std::vector<PlaneTerm> terms_;  // of the node's planes, one after the other
  std::vector<double> thresholds_;
};

}  // namespace rarewood

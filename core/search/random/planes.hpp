// Random hyperplanes over several numeric features of a node, as in HeDExh.
//
// They are drawn in coordinates in which the box of the node's rows is the unit box, and kept as
// weights of raw values: a row is left when the sum of weight * value is at most the threshold. A
// row with a missing value among the features has no such sum and is routed as missing.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "search/cut_candidates.hpp"
#include "search/monotonic.hpp"
#include "search/random/axes.hpp"
#include "search/random/between.hpp"
#include "search/random/counted_rows.hpp"
#include "search/random/plane_draw.hpp"
#include "search/random/project.hpp"
#include "search/random/random_cuts.hpp"

namespace rarewood {

template <class T>
class PlaneCuts {
 public:
  explicit PlaneCuts(const GrowOptions& options)
      : options_(options), dim_(static_cast<std::size_t>(options.plane_dim)), between_(dim_) {}

  void start() {
    terms_.clear();
    thresholds_.clear();
  }

  // Can the feature be part of a hyperplane: does it vary, by an amount that can be divided by so
  // that a weight times a value stays finite?
  static bool is_usable(const Axis<T>& axis) {
    return axis.varies() && width(axis) > 1e-290 && width(axis) < 1e290;
  }

  // Adds the hyperplanes drawn over the given features, all usable; the first leads.
  void add_cuts(Axes<T>& axes, std::span<const int> features, Random& random, CutCandidates& cuts) {
    choose(axes, features);
    counted_.take(axes, axis_);
    make_ready(axes.node());
    const std::size_t n_drawn = draw(axes, random);
    count_missing(axes.node(), n_drawn);
    count_left(axes.node(), n_drawn);
    const std::size_t first = thresholds_.size();
    keep_splitting(axes.node(), features, n_drawn);
    cuts.start(axes.node(), missing_);
    add_all(axes.node(), features.front(), first, n_drawn, cuts);
  }

  // Turns a chosen cut into its split; `keys` of the split are the sums of the node's rows, unless
  // they are a sample.
  void resolve(Axes<T>& axes, const Cut& cut, Split& split) {
    const auto at = terms_.begin() + static_cast<std::ptrdiff_t>(dim_) * cut.bin;
    split.plane.assign(at, at + static_cast<std::ptrdiff_t>(dim_));
    split.threshold = thresholds_[cut.bin];
    axis_.clear();
    for (const PlaneTerm& term : split.plane) axis_.push_back(&axes.get(term.feature));
    if (axes.node().scale && !misses_any()) return;  // the rows of a sample are not divided
    counted_.take_all(axes, axis_);
    make_ready(axes.node());
    for (std::size_t j = 0; j < dim_; ++j) weight_[j] = split.plane[j].weight;
    project(rows_, weight_.data(), sum_.data());
    split.keys = sum_.data();
    const bool any_missing =
        may_miss() &&
        std::any_of(sum_.begin(), sum_.begin() + static_cast<std::ptrdiff_t>(rows_.end),
                    [](double sum) { return sum != sum; });
    if (any_missing) split.missing_child = cut.missing_left ? 0 : 1;
  }

 private:
  static double width(const Axis<T>& axis) {
    return static_cast<double>(axis.extent.high) - static_cast<double>(axis.extent.low);
  }

  // Makes ready for planes over the given features.
  void choose(Axes<T>& axes, std::span<const int> features) {
    axis_.clear();
    for (int f : features) axis_.push_back(&axes.get(f));
  }

  void make_ready(const Node& node) {
    const std::size_t n_planes = static_cast<std::size_t>(options_.n_cuts);
    rows_ = {counted_.values(), dim_, 0, counted_.size()};
    make_room(sum_, std::max(rows_.end, node.n_rows));
    normal_.resize(dim_);
    weight_.resize(n_planes * dim_);
    threshold_.resize(n_planes);
    extent_.resize(n_planes);
  }

  bool misses_any() const {
    return std::any_of(axis_.begin(), axis_.end(),
                       [](const Axis<T>* axis) { return axis->misses_any; });
  }

  bool may_miss() const {
    return std::any_of(axis_.begin(), axis_.end(),
                       [](const Axis<T>* axis) { return axis->may_miss; });
  }

  std::int32_t constraint_of(const Axis<T>& axis) const {
    if (options_.monotonic.empty()) return 0;
    return options_.monotonic[static_cast<std::size_t>(axis.feature)];
  }

  // From the unit box to raw values: sets the weights of plane p, and its threshold if a point of
  // it is given. The sums are finite where their largest terms add up to no more than kFarOut.
  void place(std::size_t p, const double* point) {
    if (!options_.monotonic.empty()) {
      align([this](std::size_t j) { return constraint_of(*axis_[j]); }, normal_);
    }
    double threshold = 0, most = 0;
    for (std::size_t j = 0; j < dim_; ++j) {
      const double box = width(*axis_[j]);
      const auto low = static_cast<double>(axis_[j]->extent.low);
      const auto high = static_cast<double>(axis_[j]->extent.high);
      const double weight = normal_[j] / box;
      weight_[p * dim_ + j] = weight;
      if (point) threshold += weight * (low + point[j] * box);
      most += std::abs(weight) * std::max(std::abs(low), std::abs(high));
    }
    threshold_[p] = threshold;
    is_far_out_ = is_far_out_ || !(most < kFarOut);
  }

  // Returns how many planes were drawn.
  std::size_t draw(Axes<T>& axes, Random& random) {
    switch (options_.plane_kind) {
      case PlaneKind::kPoints:
        return draw_through_points(random);
      case PlaneKind::kDirection:
        return draw_along_directions(random);
      case PlaneKind::kBetween:
        return draw_between_landmarks(axes, random);
    }
    return 0;
  }

  std::size_t draw_between_landmarks(Axes<T>& axes, Random& random) {
    knows_extents_ = false;
    sides_.clear();
    for (const Axis<T>* axis : axis_) {
      const auto low = static_cast<double>(axis->extent.low);
      const auto high = static_cast<double>(axis->extent.high);
      sides_.push_back(
          {width(*axis), std::max(std::abs(low), std::abs(high)), constraint_of(*axis)});
    }
    const std::size_t k = axes.node().segments.size();
    if (axes.is_sparse()) {
      between_.start(axes.landmarks(), k, sides_,
                     [&](std::size_t j, std::size_t place) { return axis_[j]->at(place); });
    } else {
      const T* const* const values = counted_.values();
      between_.start(axes.landmarks(), k, sides_,
                     [&](std::size_t j, std::size_t place) { return values[j][place]; });
    }
    return between_.draw(random, threshold_.size(), weight_.data(), threshold_.data());
  }

  // Their thresholds are known before any sum is.
  std::size_t draw_through_points(Random& random) {
    is_far_out_ = false;
    for (std::size_t p = 0; p < threshold_.size(); ++p) {
      place(p, points_.draw(random, dim_, normal_));
    }
    // Where every row has a sum, the counts determine which planes divide them.
    knows_extents_ = is_far_out_ || may_miss();
    if (knows_extents_) {
      find_extents(rows_, weight_.data(), threshold_.size(), extent_.data());
    }
    return threshold_.size();
  }

  // Returns how many planes there are. One whose sums are all the same takes no number for its
  // threshold: the planes after it are then drawn again, from where it left off.
  std::size_t draw_along_directions(Random& random) {
    knows_extents_ = true;
    std::size_t n_planes = 0, n_tries = threshold_.size();
    while (n_tries > 0) {
      after_.clear();
      for (std::size_t i = 0; i < n_tries; ++i) {
        for (double& x : normal_) x = draw_normal(random);
        place(n_planes + i, nullptr);
        after_.push_back(random);
        random.bits();
      }
      find_extents(rows_, weight_.data() + n_planes * dim_, n_tries, extent_.data() + n_planes);
      for (const Random& own : after_) {
        const Extent<double>& extent = extent_[n_planes];
        --n_tries;
        random = own;
        if (!(extent.low < extent.high)) break;
        threshold_[n_planes++] = place_threshold(random.uniform(), extent.low, extent.high);
      }
    }
    return n_planes;
  }

  // Missing are the rows that have no sum.
  void count_missing(const Node& node, std::size_t n_planes) {
    missing_.start(node.segments.size());
    if (!misses_any()) return;
    for (std::size_t p = 0; p < n_planes && missing_.n_rows == 0; ++p) {
      if (knows_extents_ && !(extent_[p].low < extent_[p].high)) continue;
      project(rows_, weight_.data() + p * dim_, sum_.data());
      counted_.count_missing(sum_.data(), missing_);
    }
  }

  // Fills count_: the rows on the left of each plane, segment by segment.
  void count_left(const Node& node, std::size_t n_planes) {
    count_.resize(node.segments.size() * n_planes);
    PlaneRows<T> part = rows_;
    for (std::size_t s = 0; s < node.segments.size(); ++s) {
      part.begin = counted_.begin(s);
      part.end = counted_.end(s);
      count_sums(part, weight_.data(), threshold_.data(), n_planes, count_.data() + s * n_planes);
      counted_.add_zeros(s, threshold_.data(), n_planes, count_.data() + s * n_planes);
    }
  }

  // Does plane p divide the rows, or those that have a sum from those that miss one?
  bool is_split(const Node& node, std::size_t p, std::size_t n_planes) const {
    if (knows_extents_) {
      const auto [low, high] = extent_[p];
      return low < high && (missing_.n_rows > 0 || (low <= threshold_[p] && threshold_[p] < high));
    }
    std::size_t n_left = 0;
    for (std::size_t s = 0; s < node.segments.size(); ++s) n_left += count_[s * n_planes + p];
    return n_left > 0 && n_left < node.n_rows - static_cast<std::size_t>(missing_.n_rows);
  }

  // Keeps the planes that split the node.
  void keep_splitting(const Node& node, std::span<const int> features, std::size_t n_drawn) {
    kept_.resize(n_drawn);
    std::size_t n_kept = 0;
    for (std::size_t p = 0; p < n_drawn; ++p) {
      kept_[n_kept] = p;
      n_kept += is_split(node, p, n_drawn);
    }
    kept_.resize(n_kept);
    std::size_t at = terms_.size();
    terms_.resize(at + n_kept * dim_);
    for (std::size_t p : kept_) {
      for (std::size_t j = 0; j < dim_; ++j) terms_[at++] = {features[j], weight_[p * dim_ + j]};
      thresholds_.push_back(threshold_[p]);
    }
  }

  // Adds the kept planes, which are numbered from `first` on.
  void add_all(const Node& node, int lead, std::size_t first, std::size_t n_planes,
               CutCandidates& cuts) {
    const std::size_t k = node.segments.size(), n = kept_.size();
    auto make_cut = [&](std::size_t i) {
      return Cut{
          .feature = lead,
          .bin = static_cast<std::int32_t>(first + i),
          .value = thresholds_[first + i],
          .kind = CutKind::kPlane,
          .order = order_of(options_.monotonic,
                            std::span<const PlaneTerm>(terms_.data() + (first + i) * dim_, dim_))};
    };
    left_rows_.resize(n * k);
    for (std::size_t s = 0; s < k; ++s) {
      for (std::size_t i = 0; i < n; ++i) left_rows_[s * n + i] = count_[s * n_planes + kept_[i]];
    }
    if (!counted_.has_weights())
      return cuts.add_all(left_rows_.data(), left_rows_.data(), n, n, make_cut);
    left_.resize(n * k);
    for (std::size_t i = 0; i < n; ++i) weigh_left(k, i);
    cuts.add_all(left_.data(), left_rows_.data(), n, n, make_cut);
  }

  // The weight on the left of the i-th kept plane.
  void weigh_left(std::size_t k, std::size_t i) {
    const std::size_t p = kept_[i], n = kept_.size();
    project(rows_, weight_.data() + p * dim_, sum_.data());
    for (std::size_t s = 0; s < k; ++s) {
      left_[s * n + i] = counted_.weigh(sum_.data(), s, threshold_[p]);
    }
  }

  const GrowOptions& options_;
  std::size_t dim_;

  // Of the features at hand.
  std::vector<Axis<T>*> axis_;
  CountedRows<T> counted_;
  PlaneRows<T> rows_{};

  // Of the planes drawn over them.
  std::vector<double> weight_, threshold_;
  std::vector<Extent<double>> extent_;
  bool is_far_out_ = false;     // a sum may overflow
  bool knows_extents_ = false;  // else the rows that have a sum are the same for all planes
  std::vector<std::uint32_t> count_;
  std::vector<std::size_t> kept_;  // those that split the node
  Missing missing_;

  std::vector<double> sum_, normal_, left_, left_rows_;
  std::vector<Random> after_;
  PointsDraw points_;
  BetweenDraw between_;
  std::vector<PlaneSide> sides_;

  // Of all planes kept at the node.
  std::vector<PlaneTerm> terms_;
  std::vector<double> thresholds_;
};

}  // namespace rarewood

// Hyperplanes with a threshold between rows of two classes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "base/rng.hpp"
#include "search/monotonic.hpp"
#include "search/random/landmarks.hpp"
#include "search/random/plane_draw.hpp"

namespace rarewood {

constexpr double kFarOut = 1e300;  // sums whose terms may add up to more may overflow

// Bounds of one feature of a plane at a node.
struct PlaneSide {
  double width;
  double farthest;              // the largest absolute value
  std::int32_t constraint = 0;  // monotonic
};

class BetweenDraw {
 public:
  explicit BetweenDraw(std::size_t dim) : dim_(dim), normal_(dim) {}

  // Sets the features of the next planes, and the values of their landmarks: value_of(j, place).
  template <class ValueOf>
  void start(const Landmarks& landmarks, std::size_t n_classes, std::span<const PlaneSide> sides,
             ValueOf&& value_of) {
    sides_ = sides;
    is_constrained_ = std::any_of(sides.begin(), sides.end(),
                                  [](const PlaneSide& side) { return side.constraint != 0; });
    n_classes_ = n_classes;
    landmarks_ = &landmarks;
    const std::span<const std::size_t> places = landmarks.all();
    values_.resize(places.size() * dim_);
    for (std::size_t i = 0; i < places.size(); ++i) {
      for (std::size_t j = 0; j < dim_; ++j) {
        values_[i * dim_ + j] = static_cast<double>(value_of(j, places[i]));
      }
    }
  }

  // Draws n planes, and returns how many are kept: a plane is left out where a landmark has no sum,
  // or where a sum may overflow.
  std::size_t draw(Random& random, std::size_t n, double* weights, double* thresholds) {
    return dim_ == 2 ? draw_planes<2>(random, n, weights, thresholds)
                     : draw_planes<0>(random, n, weights, thresholds);
  }

 private:
  // With the number of features known to the compiler, or 0.
  template <std::size_t kDim>
  std::size_t draw_planes(Random& random, std::size_t n, double* weights, double* thresholds) {
    const std::size_t dim = kDim > 0 ? kDim : dim_, k = n_classes_;
    Random own = random;
    std::size_t n_kept = 0;
    for (std::size_t p = 0; p < n; ++p) {
      draw_normals<kDim>(own);
      if (is_constrained_) align([this](std::size_t j) { return sides_[j].constraint; }, normal_);
      FourBelow draws(own);
      const double u = own.uniform();
      double* const weight = weights + n_kept * dim;
      double most = 0;
      for (std::size_t j = 0; j < dim; ++j) {
        weight[j] = normal_[j] / sides_[j].width;
        most += std::abs(weight[j]) * sides_[j].farthest;
      }
      const std::size_t a = draws.next(k), next = a + 1 + draws.next(k - 1);
      const std::size_t b = next < k ? next : next - k;
      const double from = draw_sum(a, weight, dim, draws), to = draw_sum(b, weight, dim, draws);
      const double threshold = from * (1 - u) + to * u;
      thresholds[n_kept] = threshold;
      n_kept += most < kFarOut && threshold == threshold;
    }
    random = own;
    return n_kept;
  }

  template <std::size_t kDim>
  void draw_normals(Random& random) {
    if constexpr (kDim == 2) {
      draw_in_disc(random, normal_.data());
    } else {
      for (double& x : normal_) x = draw_normal(random);
    }
  }

  // The sum of one of the landmarks of segment s.
  double draw_sum(std::size_t s, const double* weight, std::size_t dim, FourBelow& draws) const {
    const double* x = values_.data() + landmarks_->draw(s, draws) * dim;
    double sum = weight[0] * x[0];
    for (std::size_t j = 1; j < dim; ++j) sum += weight[j] * x[j];
    return sum;
  }

  std::size_t dim_;
  std::vector<double> normal_;
  std::span<const PlaneSide> sides_;
  bool is_constrained_ = false;
  std::size_t n_classes_ = 0;
  const Landmarks* landmarks_ = nullptr;
  std::vector<double> values_;  // landmarks x features
};

}  // namespace rarewood

// The order in which a node tries its features.
#pragma once

#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/rng.hpp"

namespace rarewood {

// A node that tries all features takes them in their order. Otherwise it draws them without
// replacement, with its own key, until it has found as many as wanted that are not constant.
class FeatureDraw {
 public:
  FeatureDraw(std::size_t n_features, std::int64_t n_wanted)
      : n_wanted_(static_cast<std::size_t>(n_wanted)), features_(n_features) {}

  void start(std::uint64_t node_key) {
    std::iota(features_.begin(), features_.end(), 0);
    n_drawn_ = draws() ? 0 : features_.size();
    random_ = Random(node_key);
  }

  bool draws() const { return n_wanted_ < features_.size(); }
  std::size_t n_wanted() const { return n_wanted_; }

  int at(std::size_t i) {
    for (; n_drawn_ <= i; ++n_drawn_) {
      std::swap(features_[n_drawn_],
                features_[n_drawn_ + random_.below(features_.size() - n_drawn_)]);
    }
    return features_[i];
  }

  // The first n of them.
  std::span<const int> first(std::size_t n) {
    if (n > 0) at(n - 1);
    return {features_.data(), n};
  }

  // Calls consider(feature), which returns whether the feature varies at the node; returns how many
  // features were taken.
  template <class Consider>
  std::size_t try_all(Consider&& consider) {
    std::size_t n_found = 0, i = 0;
    for (; i < features_.size() && n_found < n_wanted_; ++i) {
      n_found += static_cast<std::size_t>(consider(at(i)) || !draws());
    }
    return i;
  }

 private:
  std::size_t n_wanted_;
  std::vector<int> features_;  // the first n_drawn_ have been drawn
  std::size_t n_drawn_ = 0;
  Random random_{0};
};

}  // namespace rarewood

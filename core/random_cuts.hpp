// Random thresholds of one feature, as in Extra-Trees and HeDEx: uniform between the node's
// smallest and largest value.
#pragma once

#include <algorithm>
#include <vector>

#include "offer.hpp"
#include "rng.hpp"
#include "values.hpp"

namespace rarewood {

// A threshold in [lowest, highest): both sides get a row. Written so that it cannot overflow.
inline double draw_threshold(Random& random, double lowest, double highest) {
  const double u = random.uniform();
  const double threshold = lowest * (1 - u) + highest * u;
  return threshold >= lowest && threshold < highest ? threshold : lowest;
}

template <class T>
class RandomCuts {
 public:
  // The values must not be constant.
  void offer_cuts(const NodeValues<T>& values, int feature, int n_cuts, Random random,
                  CutOffer& offer) {
    const auto n = static_cast<std::ptrdiff_t>(values.end.back());
    const auto [lowest, highest] =
        std::minmax_element(values.value.begin(), values.value.begin() + n);
    const std::size_t k = values.end.size();
    left_.resize(k);
    rows_.resize(k);
    for (int c = 0; c < n_cuts; ++c) {
      const double threshold =
          draw_threshold(random, static_cast<double>(*lowest), static_cast<double>(*highest));
      for (std::size_t s = 0; s < k; ++s) {
        std::size_t count = 0;
        double weight = 0;
        for (std::size_t i = values.begin_of(s); i < values.end[s]; ++i) {
          const bool is_left = static_cast<double>(values.value[i]) <= threshold;
          count += is_left;
          if (!values.weight.empty() && is_left) weight += values.weight[i];
        }
        left_[s] = values.weight.empty() ? static_cast<double>(count) : weight;
        rows_[s] = static_cast<double>(count);
      }
      offer.offer({.feature = feature, .value = threshold, .kind = CutKind::kThreshold},
                  left_.data(), rows_.data());
    }
  }

 private:
  std::vector<double> left_, rows_;
};

}  // namespace rarewood

// Gain ratio: information gain / split information, 0 where the split information is 0.
// Quinlan's gate (only splits of at least average gain) is not applied.
#pragma once

#include <algorithm>
#include <vector>

#include "criterion/entropy.hpp"

namespace rarewood {

struct GainRatio {
  static constexpr CriterionTraits kTraits{};

  static double value(const CountTable& table) {
    const Marginals m(table);
    double split_information = 0;
    for (int v = 0; v < table.n_children; ++v) {
      double rest = 0;
      for (int w = 0; w < table.n_children; ++w) rest += w == v ? 0.0 : m.child(w);
      if (rest > 0) split_information -= m.fraction(v) * log_fraction(m.child(v), rest);
    }
    return split_information > 0 ? Entropy::value(table) / split_information : 0.0;
  }

  template <class Information>
  struct ScreenBy {
    Entropy::ScreenBy<Information> gain;
    double parent;  // minus the entropy of the parent

    ScreenBy(const double* totals, int k, double total)
        : gain(total), parent(gain.child(ChildCounts<0>{totals, k, total})) {}

    template <int K>
    double cut(const ChildCounts<K>& left, const ChildCounts<K>& right) const {
      const double split_information =
          -gain.information(left.total) - gain.information(right.total);
      const double value = gain.cut(left, right) - parent;
      return split_information > 1e-300 ? value / split_information : 0.0;
    }
  };

  static void screen(const CutBatch& batch, double* out) {
    screen_by_information(batch, [&]<class Information>(double total) {
      run_screen(ScreenBy<Information>(batch.totals, batch.n_classes, total), batch, out);
    });
    score_uneven_cuts(batch, out);
  }

 private:
  // Of the weight: with a child below it, the rounding error of the gain is divided by a split
  // information so small that the ratio is wrong by more than the error of the screen.
  static constexpr double kSmallChild = 1e-6;

  // Replaces the ratios of cuts with a small child by exact ones.
  static void score_uneven_cuts(const CutBatch& batch, double* out) {
    const auto k = static_cast<std::size_t>(batch.n_classes);
    const double total = sum(batch.totals, batch.n_classes);
    std::vector<double> table;
    for (std::size_t i = 0; i < batch.n; ++i) {
      double left = 0;
      for (std::size_t j = 0; j < k; ++j) left += batch.left[j * batch.stride + i];
      if (left >= kSmallChild * total && left <= (1 - kSmallChild) * total) continue;
      table.resize(2 * k);
      double right = 0;
      for (std::size_t j = 0; j < k; ++j) {
        table[j] = batch.left[j * batch.stride + i];
        table[k + j] = std::max(0.0, batch.totals[j] - table[j]);
        right += table[k + j];
      }
      if (left > 0 && right > 0) out[i] = value({table.data(), 2, batch.n_classes});
    }
  }
};

}  // namespace rarewood

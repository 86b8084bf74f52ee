// Information gain: H(parent) - sum_v (N_v / N) H(v).
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "criterion/fast_math.hpp"
#include "criterion/marginals.hpp"
#include "criterion/rule.hpp"

namespace rarewood {

// (1 + d) ln(1 + d) - d, accurate near 0 where its two terms cancel.
inline double information(double d) {
  if (d <= -1) return 1.0;
  if (std::abs(d) < 1e-2) {
    // sum_{i >= 2} (-1)^i d^i / (i (i - 1))
    double term = d * d, total = 0;
    for (int i = 2; i < 11; ++i, term *= -d) total += term / (i * (i - 1.0));
    return total;
  }
  return (1 + d) * std::log1p(d) - d;
}

// (x / N) ln(x / N) for any x.
struct ComputedInformation {
  double scale;
  explicit ComputedInformation(double total) : scale(1.0 / total) {}
  double operator()(double x) const { return fast::xlogx(x * scale); }
};

// The same for whole numbers below kTableSize, looked up.
struct TabledInformation {
  static constexpr std::size_t kTableSize = 8192;
  const double* table;  // n ln n
  double scale, shift;
  explicit TabledInformation(double total)
      : table(n_log_n().data()), scale(1.0 / total), shift(std::log(total) / total) {}
  double operator()(double x) const {
    return table[static_cast<std::uint32_t>(static_cast<std::int32_t>(x))] * scale - x * shift;
  }

  static const std::array<double, kTableSize>& n_log_n() {
    static const auto made = [] {
      std::array<double, kTableSize> values{};
      for (std::size_t n = 1; n < kTableSize; ++n) {
        values[n] = static_cast<double>(n) * std::log(static_cast<double>(n));
      }
      return values;
    }();
    return made;
  }
};

// Calls run<Information>(N) with the quicker of the two for a batch.
template <class Run>
void screen_by_information(const CutBatch& batch, Run&& run) {
  const double total = sum(batch.totals, batch.n_classes);
  if (batch.is_whole && total < static_cast<double>(TabledInformation::kTableSize)) {
    run.template operator()<TabledInformation>(total);
  } else {
    run.template operator()<ComputedInformation>(total);
  }
}

struct Entropy {
  static constexpr CriterionTraits kTraits{};

  // Summed over the deviations from the parent, every term is >= 0: nothing cancels.
  static double value(const CountTable& table) {
    const Marginals m(table);
    double gain = 0;
    for (int v = 0; v < table.n_children; ++v) {
      for (int j = 0; j < table.n_classes; ++j) {
        gain += m.fraction(v) * (m.of_class(j) / m.total()) * information(m.deviation(v, j));
      }
    }
    return gain;
  }

  // Minus the weighted entropy of the children; `Information` gives (x / N) ln(x / N).
  template <class Information>
  struct ScreenBy : AdditiveScreen<ScreenBy<Information>> {
    Information information;
    explicit ScreenBy(double total) : information(total) {}
    ScreenBy(const Entropy&, const double* totals, int k) : information(sum(totals, k)) {}

    template <int K>
    double child(const ChildCounts<K>& c) const {
      double value = -information(c.total);
      for (int j = 0; j < c.size(); ++j) value += information(c[j]);
      return value;
    }
  };
  using Screen = ScreenBy<ComputedInformation>;

  static void screen(const CutBatch& batch, double* out) {
    screen_by_information(batch, [&]<class Information>(double total) {
      run_screen(ScreenBy<Information>(total), batch, out);
    });
  }
};

}  // namespace rarewood

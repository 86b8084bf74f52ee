// Hellinger distance between the classes' distributions over the children (HDDT, eq. 3):
// sqrt(sum_v (sqrt(N_v+ / N_+) - sqrt(N_v- / N_-))^2); with more classes the largest distance of
// one class from the rest. Invariant to scaling the counts of a class (two classes).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "criterion/marginals.hpp"
#include "criterion/rule.hpp"

namespace rarewood {

// Squared distance of class j from the rest.
inline double squared_hellinger(const CountTable& table, const Marginals& m, int j) {
  double squared = 0;
  for (int v = 0; v < table.n_children; ++v) {
    const CellView x = m.cell(v, j);
    const double own = x.a + x.c, rest = x.b + x.d;
    if (!(own > 0) || !(rest > 0)) return 0.0;
    const double rates = std::sqrt(x.a / own) + std::sqrt(x.b / rest);
    if (!(rates > 0)) continue;
    const double difference = determinant(x.a, x.b, x.c, x.d) / own / rest / rates;
    squared += difference * difference;
  }
  return squared;
}

struct Hellinger {
  static constexpr CriterionTraits kTraits{};

  static double value(const CountTable& table) {
    const Marginals m(table);
    const int n_pairs = table.n_classes == 2 ? 1 : table.n_classes;  // both views are the same
    double largest = 0;
    for (int j = 0; j < n_pairs; ++j) largest = std::max(largest, squared_hellinger(table, m, j));
    return std::sqrt(largest);
  }

  // Minus the smallest Bhattacharyya coefficient: the squared distance is 2 - 2 * coefficient.
  struct Screen {
    PerClass scale;  // 1 / sqrt(N_j (N - N_j))

    Screen(const Hellinger&, const double* totals, int k)
        : scale(k, [total = sum(totals, k), totals](int j) {
            return inverse_root(totals[j], total);
          }) {}

    template <int K>
    double cut(const ChildCounts<K>& left, const ChildCounts<K>& right) const {
      if constexpr (K == 2) {
        return -scale.at<2>(0) * (std::sqrt(left[0] * left[1]) + std::sqrt(right[0] * right[1]));
      } else {
        double best = -1e300;
        for (int j = 0; j < left.size(); ++j) {
          const double coefficient = std::sqrt(left[j] * (left.total - left[j])) +
                                     std::sqrt(right[j] * (right.total - right[j]));
          const double value = -coefficient * scale.at<K>(j);
          best = value > best ? value : best;
        }
        return best;
      }
    }
  };

  static void screen(const CutBatch& batch, double* out) {
    if (batch.n_classes <= kFewClasses) {
      return run_screen(Screen(Hellinger{}, batch.totals, batch.n_classes), batch, out);
    }
    std::vector<int> order(static_cast<std::size_t>(batch.n_classes));
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](int a, int b) { return batch.totals[a] < batch.totals[b]; });
    for (std::size_t i = 0; i < batch.n; i += kBlock) {
      screen_block(batch, order, i, std::min(kBlock, batch.n - i), out + i);
    }
  }

 private:
  static constexpr int kFewClasses = 8;
  static constexpr std::size_t kBlock = 64;

  static double inverse_root(double of_class, double total) {
    return 1.0 / std::sqrt(of_class * (total - of_class));
  }

  // Many classes: the coefficient is concave in the left count of a class, so among classes of
  // equal size it is smallest at the least or at the largest count. Roots are taken for these two.
  RAREWOOD_MULTIVERSION [[gnu::flatten]] static void screen_block(const CutBatch& batch,
                                                                  const std::vector<int>& order,
                                                                  std::size_t first, std::size_t n,
                                                                  double* __restrict out) {
    std::array<double, kBlock> on_left{}, least, most;
    const double total = sum(batch.totals, batch.n_classes);
    auto counts = [&](int j) {
      return batch.left + static_cast<std::size_t>(j) * batch.stride + first;
    };
    for (int j = 0; j < batch.n_classes; ++j) {
      const double* left = counts(j);
      for (std::size_t i = 0; i < n; ++i) on_left[i] += left[i];
    }
    std::fill_n(out, n, -1e300);
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
      const double size = batch.totals[order[begin]];
      std::copy_n(counts(order[begin]), n, least.begin());
      std::copy_n(counts(order[begin]), n, most.begin());
      for (end = begin + 1; end < order.size() && batch.totals[order[end]] == size; ++end) {
        const double* left = counts(order[end]);
        for (std::size_t i = 0; i < n; ++i) {
          least[i] = left[i] < least[i] ? left[i] : least[i];
          most[i] = left[i] > most[i] ? left[i] : most[i];
        }
      }
      const double scale = -inverse_root(size, total);
      for (std::size_t i = 0; i < n; ++i) {
        const double on_right = total - on_left[i];
        auto value = [&](double left) {
          const double right = size - left > 0 ? size - left : 0;
          const double others = on_right - right > 0 ? on_right - right : 0;
          return scale * (std::sqrt(left * (on_left[i] - left)) + std::sqrt(right * others));
        };
        const double at_least = value(least[i]), at_most = value(most[i]);
        const double larger = at_least > at_most ? at_least : at_most;
        out[i] = larger > out[i] ? larger : out[i];
      }
    }
  }
};

}  // namespace rarewood

#include "criterion/criterion.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace rarewood {

namespace {

// Every criterion has the same value for counts in any unit. Counts whose products could overflow
// or vanish are brought near one, by a power of two: without rounding.
class SafeUnit {
 public:
  explicit SafeUnit(std::span<const double> counts) {
    constexpr double kFew = 0x1p-200, kMany = 0x1p200;
    const double largest = counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
    if (largest > 0 && (largest < kFew || largest > kMany)) exponent_ = -std::ilogb(largest);
  }

  bool is_needed() const { return exponent_ != 0; }

  std::vector<double> scaled(const double* counts, std::size_t n) const {
    std::vector<double> out(n);
    std::transform(counts, counts + n, out.begin(),
                   [&](double count) { return std::ldexp(count, exponent_); });
    return out;
  }

 private:
  int exponent_ = 0;
};

std::span<const double> cells_of(const CountTable& table) {
  return {table.cells,
          static_cast<std::size_t>(table.n_children) * static_cast<std::size_t>(table.n_classes)};
}

// Calls evaluate(table) with counts in a safe unit.
template <class Evaluate>
double in_safe_unit(const CountTable& table, Evaluate&& evaluate) {
  const std::span<const double> cells = cells_of(table);
  const SafeUnit unit(cells);
  if (!unit.is_needed()) return evaluate(table);
  const std::vector<double> scaled = unit.scaled(cells.data(), cells.size());
  return evaluate({scaled.data(), table.n_children, table.n_classes});
}

}  // namespace

double Criterion::score(const CountTable& table) const {
  return in_safe_unit(table, [&](const CountTable& safe) { return score_present(safe); });
}

double Criterion::tie_break(const CountTable& table) const {
  return in_safe_unit(table, [&](const CountTable& safe) { return tie_value(safe); });
}

void Criterion::screen(const CutBatch& batch, double* out) const {
  const auto k = static_cast<std::size_t>(batch.n_classes);
  const SafeUnit unit({batch.totals, k});
  if (!unit.is_needed()) return screen_values(batch, out);
  CutBatch safe = batch;
  const std::vector<double> totals = unit.scaled(batch.totals, k);
  safe.totals = totals.data();
  std::vector<double> counts[3];
  auto scale = [&](const double*& of_cuts, std::vector<double>& scaled) {
    if (of_cuts == nullptr) return;
    scaled = unit.scaled(of_cuts, (k - 1) * batch.stride + batch.n);
    of_cuts = scaled.data();
  };
  scale(safe.left, counts[0]);
  scale(safe.lower, counts[1]);
  scale(safe.upper, counts[2]);
  screen_values(safe, out);
}

// Drops empty children and absent classes.
double Criterion::score_present(const CountTable& table) const {
  auto has_rows = [&](int v) {
    return std::any_of(table.child(v), table.child(v + 1), [](double n) { return n > 0; });
  };
  auto is_present = [&](int j) {
    bool any = false;
    for (int v = 0; v < table.n_children; ++v) any = any || table.at(v, j) > 0;
    return any;
  };
  int n_children = 0, n_classes = 0;
  for (int v = 0; v < table.n_children; ++v) n_children += has_rows(v);
  for (int j = 0; j < table.n_classes; ++j) n_classes += is_present(j);
  if (n_children == table.n_children && n_classes == table.n_classes) {
    return value(table);  // the usual case: nothing to drop
  }
  if (n_classes == 0) return 0.0;
  std::vector<double> cells;
  for (int v = 0; v < table.n_children; ++v) {
    for (int j = 0; j < table.n_classes && has_rows(v); ++j) {
      if (is_present(j)) cells.push_back(table.at(v, j));
    }
  }
  return value({cells.data(), n_children, n_classes});
}

}  // namespace rarewood

#include "grow/c45/split.hpp"

#include <cmath>

#include "base/interrupt.hpp"

namespace rarewood::c45 {

namespace {

double x_log2_x(double x) { return x < kSmall ? 0 : x * std::log2(x); }

// W times the entropy of classes or of children.
double information(std::span<const double> weights) {
  double value = x_log2_x(sum(weights));
  for (double weight : weights) value -= x_log2_x(weight);
  return value;
}

struct Candidate {
  Split split;
  double ratio = 0;
};

// Gain and ratio from the class weights of the children; `total` includes missing values.
class Gains {
 public:
  explicit Gains(double total) : total_(total) {}

  double gain(double before, double after, double known) const {
    const double part = known / total_ * (before - after);
    return std::abs(part) < kSmall ? 0 : part / known;
  }

  double ratio(double gain, std::vector<double> children) const {
    children.push_back(total_ - sum(children));  // missing values are one more child
    const double split_information = information(children);
    return std::abs(split_information) < kSmall ? 0 : gain / (split_information / total_);
  }

 private:
  double total_;
};

struct Item {
  double value;
  double weight;
  std::int32_t y;
};

std::vector<Item> known_items(const Table& table, const Cases& cases, std::size_t feature) {
  std::vector<Item> items;
  items.reserve(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Row row = cases.rows[i];
    const double value = table.columns[feature][row];
    if (!std::isnan(value)) items.push_back({value, cases.weights[i], table.classes[row]});
  }
  return items;
}

std::optional<Candidate> split_categories(const Table& table, const std::vector<Item>& items,
                                          std::size_t feature, double total,
                                          const SplitOptions& options) {
  const auto n = static_cast<std::size_t>(table.n_categories[feature]);
  const auto k = static_cast<std::size_t>(table.n_classes);
  std::vector<double> cells(n * k, 0.0), children(n, 0.0), classes(k, 0.0);
  for (const Item& item : items) {
    const auto category = static_cast<std::size_t>(item.value);
    cells[category * k + item.y] += item.weight;
    children[category] += item.weight;
    classes[item.y] += item.weight;
  }
  const auto is_enough = [&](double weight) { return is_at_most(options.min_weight, weight); };
  if (std::count_if(children.begin(), children.end(), is_enough) < 2) return std::nullopt;
  double after = 0;
  for (std::size_t v = 0; v < n; ++v) after += information({cells.data() + v * k, k});
  const Gains gains(total);
  const double gain = gains.gain(information(classes), after, sum(children));
  const Split split{feature, static_cast<std::int64_t>(n), std::nan(""), gain};
  return Candidate{split, gains.ratio(gain, children)};
}

// The value at which a cut between two values is made.
double threshold_between(const Table& table, std::size_t feature, double below, double above,
                         bool at_midpoint) {
  double middle = 0.5 * below + 0.5 * above;
  if (middle >= above) middle = below;
  if (at_midpoint) return middle;
  const std::vector<double>& values = table.distinct[feature];
  return *(std::upper_bound(values.begin(), values.end(), middle) - 1);
}

std::optional<Candidate> split_values(const Table& table, std::vector<Item> items,
                                      std::size_t feature, double total,
                                      const SplitOptions& options) {
  constexpr double kGap = 1e-5;
  constexpr std::size_t kSteps = 1024;  // between two looks for an interrupt
  std::stable_sort(items.begin(), items.end(),
                   [](const Item& a, const Item& b) { return a.value < b.value; });
  const auto k = static_cast<std::size_t>(table.n_classes);
  std::vector<double> left(k, 0.0), right(k, 0.0);
  for (const Item& item : items) right[item.y] += item.weight;
  const double known = sum(right), before = information(right);
  const double least =
      std::max(options.min_weight, std::min(0.1 * known / static_cast<double>(k), 25.0));
  const Gains gains(total);
  double best = 0, n_cuts = 0, on_left = 0, best_left = 0;
  std::size_t place = 0;  // number of items on the left of the best cut
  for (std::size_t i = 1; i < items.size(); ++i) {
    if (i % kSteps == 0) check_interrupt();
    const Item& last = items[i - 1];
    left[last.y] += last.weight;
    right[last.y] -= last.weight;
    on_left += last.weight;
    if (!(last.value + kGap < items[i].value)) continue;
    if (!is_at_most(least, on_left) || !is_at_most(least, known - on_left)) continue;
    ++n_cuts;
    const double gain = gains.gain(before, information(left) + information(right), known);
    if (!is_above(gain, best)) continue;
    best = gain;
    best_left = on_left;
    place = i;
  }
  if (place == 0) return std::nullopt;
  if (options.penalty) best -= std::log2(n_cuts) / total;
  if (is_at_most(best, 0)) return std::nullopt;
  const double threshold = threshold_between(table, feature, items[place - 1].value,
                                             items[place].value, options.at_midpoint);
  return Candidate{{feature, 2, threshold, best},
                   gains.ratio(best, {best_left, known - best_left})};
}

// Has a feature so many categories that its gain says little?
class ManyCategories {
 public:
  explicit ManyCategories(const Table& table) : table_(table) {
    const double weight =
        table.weights.empty() ? static_cast<double>(table.classes.size()) : sum(table.weights);
    most_ = 0.3 * weight;
    all_ = true;
    for (std::size_t f = 0; f < table.columns.size(); ++f) all_ = all_ && has_many(f);
  }

  bool is_averaged(std::size_t feature) const { return all_ || !has_many(feature); }

 private:
  bool has_many(std::size_t f) const {
    const auto n = static_cast<double>(table_.n_categories[f]);
    return n > 0 && is_at_most(most_, n);
  }

  const Table& table_;
  double most_;
  bool all_;
};

}  // namespace

std::optional<Split> choose_split(const Table& table, const Cases& cases,
                                  const SplitOptions& options) {
  const double total = sum(cases.weights);
  const ManyCategories many(table);
  std::vector<Candidate> candidates;
  double sum_of_gains = 0, n_averaged = 0;
  for (std::size_t f = 0; f < table.columns.size(); ++f) {
    std::vector<Item> items = known_items(table, cases, f);
    const auto found = table.n_categories[f] > 0
                           ? split_categories(table, items, f, total, options)
                           : split_values(table, std::move(items), f, total, options);
    if (!found) continue;
    candidates.push_back(*found);
    if (!many.is_averaged(f)) continue;
    sum_of_gains += found->split.gain;
    ++n_averaged;
  }
  if (n_averaged == 0) return std::nullopt;
  constexpr double kBelowAverage = 1e-3;
  const double least = sum_of_gains / n_averaged - kBelowAverage;
  std::optional<Split> best;
  double best_ratio = 0;
  for (const Candidate& candidate : candidates) {
    if (candidate.split.gain < least || !is_above(candidate.ratio, best_ratio)) continue;
    best = candidate.split;
    best_ratio = candidate.ratio;
  }
  return best;
}

std::vector<Cases> divide(const Table& table, const Split& split, const Cases& cases) {
  const std::vector<double>& column = table.columns[split.feature];
  const bool is_categorical = table.n_categories[split.feature] > 0;
  const auto n_children = static_cast<std::size_t>(split.n_children);
  std::vector<Cases> children(n_children);
  std::vector<double> fraction(n_children, 0.0);
  double known = 0;
  bool has_missing = false;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const double value = column[cases.rows[i]];
    if (std::isnan(value)) {
      has_missing = true;
      continue;
    }
    const std::size_t child =
        is_categorical ? static_cast<std::size_t>(value) : (value <= split.threshold ? 0 : 1);
    children[child].add(cases.rows[i], cases.weights[i]);
    fraction[child] += cases.weights[i];
    known += cases.weights[i];
  }
  if (!has_missing) return children;
  for (double& part : fraction) {
    part = known < kSmall ? 1.0 / static_cast<double>(n_children) : part / known;
  }
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (!std::isnan(column[cases.rows[i]])) continue;
    for (std::size_t child = 0; child < n_children; ++child) {
      if (fraction[child] < kSmall) continue;
      children[child].add(cases.rows[i], cases.weights[i] * fraction[child]);
    }
  }
  return children;
}

}  // namespace rarewood::c45

#include "rules/rule_search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/throw_if.hpp"
#include "model/prune/fisher_test.hpp"

namespace rarewood {

namespace {

// Relative error of p-values. One must be lower by more than this to be an improvement.
constexpr double kNoise = 1e-9;

double log_p_value(const ItemBits& bits, Coverage covered) {
  const auto [a, c] = covered;
  return log_fisher_p_value({a, bits.n_class() - a, c, bits.n_others() - c});
}

// The p-value of an extension is lowest if it loses no row of the class and all others.
std::int64_t lowest_significant(const ItemBits& bits, double log_alpha) {
  std::int64_t low = 0, high = bits.n_class() + 1;  // not enough, and enough or impossible
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (log_p_value(bits, {middle, 0}) < log_alpha ? high : low) = middle;
  }
  return high;
}

bool has_same_start(const std::vector<Item>& x, const std::vector<Item>& y) {
  return std::equal(x.begin(), x.end() - 1, y.begin());
}

}  // namespace

RuleSearch::RuleSearch(ItemBits bits, const RuleSearchOptions& options)
    : bits_(std::move(bits)),
      options_(options),
      min_class_(lowest_significant(bits_, std::log(options.alpha))),
      extended_(options.max_rules),
      found_(options.max_rules),
      rows_(bits_.n_words()) {
  throw_if(!(options.alpha > 0 && options.alpha <= 1), "alpha must be above 0 and at most 1.");
  throw_if(options.max_length < 1 || options.max_rules < 1,
           "max_length and max_rules must be at least 1.");
  test_items();
  next_length();
}

bool RuleSearch::advance(std::size_t n_rules) {
  for (std::size_t n_done = 0; length_ <= options_.max_length && level_.size() > 1;) {
    if (next_ == level_.size()) next_length();
    if (n_done >= n_rules) return false;
    if (next_ < level_.size()) n_done += 1 + test_extensions(next_++);
  }
  return true;
}

void RuleSearch::test_items() {
  for (Item item = 0; item < static_cast<Item>(bits_.n_items()); ++item) {
    Bits* rows = bits_.of(item);
    judge({item}, {bits_.count_class(rows, rows), bits_.count_others(rows, rows)}, 0);
  }
  n_tested_ += bits_.n_items();
}

// Tests the rules that join a rule of `level_` with a later one that differs in the last item.
// Returns their number.
std::size_t RuleSearch::test_extensions(std::size_t index) {
  const Rule& rule = level_[index];
  std::size_t n_tested = 0;
  for (std::size_t i = index + 1; i < level_.size(); ++i) {
    const Rule& other = level_[i];
    if (!has_same_start(rule.items, other.items)) break;
    const Item last = other.items.back();
    if (bits_.feature(rule.items.back()) == bits_.feature(last)) continue;  // no row has both
    std::vector<Item> items = rule.items;
    items.push_back(last);
    const double best = best_generalisation(items, rule, other);
    if (best > 0) continue;  // one of them does not improve
    if (n_tested++ == 0) intersect(rule.items);
    const std::int64_t a = bits_.count_class(rows_.data(), bits_.of(last));
    if (a < min_class_) continue;  // neither this rule nor an extension is significant
    const std::int64_t c = bits_.count_others(rows_.data(), bits_.of(last));
    judge(std::move(items), {a, c}, best);
  }
  n_tested_ += n_tested;
  return n_tested;
}

void RuleSearch::next_length() {
  was_extension_cut_ |= extended_.is_cut();
  level_ = extended_.take();
  std::sort(level_.begin(), level_.end(),
            [](const Rule& x, const Rule& y) { return x.items < y.items; });
  next_ = 0;
  ++length_;
}

const Rule* RuleSearch::find(const std::vector<Item>& items) const {
  const auto at = std::lower_bound(
      level_.begin(), level_.end(), items,
      [](const Rule& rule, const std::vector<Item>& other) { return rule.items < other; });
  return at != level_.end() && at->items == items ? &*at : nullptr;
}

// The lowest p-value of the generalisations with one item less, as a logarithm; above 0 if one of
// them does not improve. Those with fewer items have higher p-values.
double RuleSearch::best_generalisation(const std::vector<Item>& items, const Rule& one,
                                       const Rule& other) const {
  double best = std::min(one.log_p, other.log_p);
  std::vector<Item> fewer(items.begin() + 1, items.end());
  for (std::size_t left_out = 0; left_out + 2 < items.size(); ++left_out) {
    const Rule* rule = find(fewer);
    if (rule == nullptr) return 1;
    best = std::min(best, rule->log_p);
    fewer[left_out] = items[left_out];
  }
  return best;
}

// Keeps a rule, extends it, or neither.
void RuleSearch::judge(std::vector<Item> items, Coverage covered, double best_so_far) {
  const double log_p = log_p_value(bits_, covered);
  const bool improves = log_p < best_so_far - kNoise;
  const auto [a, c] = covered;
  const bool is_associated = static_cast<double>(a) * static_cast<double>(bits_.n_others()) >
                             static_cast<double>(c) * static_cast<double>(bits_.n_class());
  if (log_p < std::log(options_.alpha) && is_associated && (improves || options_.keeps_redundant)) {
    found_.add({items, covered, log_p});
  }
  // Extensions of a rule that covers no other row do not improve.
  if (improves && a >= min_class_ && (c > 0 || options_.keeps_redundant) &&
      items.size() < options_.max_length) {
    extended_.add({std::move(items), covered, log_p});
  }
}

void RuleSearch::intersect(const std::vector<Item>& items) {
  Bits* first = bits_.of(items.front());
  std::copy(first, first + bits_.n_words(), rows_.begin());
  for (std::size_t i = 1; i < items.size(); ++i) {
    Bits* other = bits_.of(items[i]);
    for (std::size_t w = 0; w < rows_.size(); ++w) rows_[w] &= other[w];
  }
}

}  // namespace rarewood

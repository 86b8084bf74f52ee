// A list of rules of which only the most significant are kept.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "rules/item_bits.hpp"

namespace rarewood {

struct Rule {
  std::vector<Item> items;  // ascending
  Coverage covered;
  double log_p;  // of Fisher's test
};

// More significant rules first, then shorter ones, then those of earlier items: a strict order, so
// that the rules that are kept do not depend on the order in which they were added.
inline bool is_better(const Rule& x, const Rule& y) {
  if (x.log_p != y.log_p) return x.log_p < y.log_p;
  if (x.items.size() != y.items.size()) return x.items.size() < y.items.size();
  return x.items < y.items;
}

class BestRules {
 public:
  explicit BestRules(std::size_t limit) : limit_(limit) {}

  void add(Rule rule) {
    rules_.push_back(std::move(rule));
    if (rules_.size() >= 2 * limit_ + 1024) shrink();
  }

  // The best rules, from the best to the worst; the list is empty afterwards.
  std::vector<Rule> take() {
    shrink();
    std::sort(rules_.begin(), rules_.end(), is_better);
    return std::exchange(rules_, {});
  }

  // Whether a rule was dropped.
  bool is_cut() const { return is_cut_; }

 private:
  void shrink() {
    if (rules_.size() <= limit_) return;
    is_cut_ = true;
    const auto end = rules_.begin() + static_cast<std::ptrdiff_t>(limit_);
    std::nth_element(rules_.begin(), end, rules_.end(), is_better);
    rules_.erase(end, rules_.end());
  }

  std::size_t limit_;
  std::vector<Rule> rules_;
  bool is_cut_ = false;
};

}  // namespace rarewood

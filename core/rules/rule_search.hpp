// Rules "items -> class" by Fisher's test, from single items upwards (SPARCCC: F. Verhein and
// S. Chawla, ICDM 2007).
//
// A generalisation of a rule has some of its items. A rule *improves* if its p-value is below those
// of all its generalisations, the rule without items (p = 1) among them. A rule is tested if all
// its generalisations improve; it is kept if it improves, is significant and covers the class more
// often than other rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rules/best_rules.hpp"
#include "rules/item_bits.hpp"

namespace rarewood {

struct RuleSearchOptions {
  double alpha;                  // rules with a smaller p-value are significant
  std::size_t max_length;        // items of a rule
  std::size_t max_rules;         // kept, and of one length that are extended: the most significant
  bool keeps_redundant = false;  // also significant rules that do not improve
};

class RuleSearch {
 public:
  RuleSearch(ItemBits bits, const RuleSearchOptions& options);

  // Tests about so many more rules. Returns whether the search has ended.
  bool advance(std::size_t n_rules);

  // The rules found so far, the most significant first; the search must not be continued.
  std::vector<Rule> take_rules() { return found_.take(); }

  std::size_t n_tested() const { return n_tested_; }
  std::size_t length() const { return length_; }  // of the rules that are tested now
  // Whether `max_rules` has left out rules that were found, or rules that would be extended.
  bool is_cut() const { return found_.is_cut() || was_extension_cut_ || extended_.is_cut(); }

 private:
  void test_items();
  std::size_t test_extensions(std::size_t index);
  void next_length();
  const Rule* find(const std::vector<Item>& items) const;
  double best_generalisation(const std::vector<Item>& items, const Rule& one,
                             const Rule& other) const;
  void judge(std::vector<Item> items, Coverage covered, double best_so_far);
  void intersect(const std::vector<Item>& items);

  ItemBits bits_;
  RuleSearchOptions options_;
  std::int64_t
      min_class_;  // a rule that covers fewer rows of the class has no significant extension
  std::vector<Rule> level_;  // improving rules of one length, in the order of their items
  BestRules extended_;       // improving rules, one item longer
  BestRules found_;
  std::vector<std::uint64_t> rows_;  // of the rule whose extensions are tested
  std::size_t next_ = 0;             // the place of this rule in `level_`
  std::size_t length_ = 1;
  std::size_t n_tested_ = 0;
  bool was_extension_cut_ = false;
};

}  // namespace rarewood

// The best candidates of a node.
//
// Candidates are offered one by one, screened in batches, and dropped when the screening value
// is out of reach of the best. What is left at the end, usually one or a few ties, is decided by
// the criterion's careful score and the rule for ties, so the choice does not depend on the
// order of the offers or on rounding in the screen.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "criterion/criterion.hpp"
#include "cut.hpp"
#include "node.hpp"

namespace rarewood {

class Shortlist {
 public:
  // With `score_all` every candidate is scored carefully: slow, and free of any screen.
  Shortlist(const Criterion& criterion, bool score_all)
      : criterion_(criterion), score_all_(score_all), slack_(2 * criterion.screen_error()) {}

  void start(const Node& node);

  // A two-way candidate; left counts are in the order of the node's segments. The caller has
  // made sure that both sides are allowed.
  void offer(const Cut& cut, const double* left) {
    for (int j = 0; j < n_classes_; ++j) batch_[static_cast<std::size_t>(j) * kBatch + n_] = left[j];
    cuts_[n_] = cut;
    if (++n_ == kBatch) flush();
  }

  // A candidate with any number of children (children x classes): always scored at the end.
  void offer_table(const Cut& cut, std::vector<double> table);

  // Screens what has been offered so far.
  void flush();

  // Could a candidate with this screening value, or bound of it, still win or tie?
  bool is_in_reach(double screened) const { return !(screened < best_ - slack_); }

  const Criterion& criterion() const { return criterion_; }

  // The chosen candidate and its score; false when there is none.
  struct Choice {
    Cut cut;
    double score = 0;
  };
  bool choose(Choice& choice);

 private:
  static constexpr std::size_t kBatch = 512;

  struct Entry {
    Cut cut;
    double screened;
    std::size_t at;  // its table in tables_
    int n_children;
  };

  void keep(std::size_t i);
  void drop_out_of_reach();

  const Criterion& criterion_;
  bool score_all_;
  double slack_;
  int n_classes_ = 0;
  const double* totals_ = nullptr;
  double best_ = -std::numeric_limits<double>::infinity();
  std::size_t n_ = 0;
  std::vector<double> batch_;
  std::vector<double> screened_ = std::vector<double>(kBatch);
  std::vector<Cut> cuts_ = std::vector<Cut>(kBatch);
  std::vector<Entry> entries_;
  std::vector<double> tables_;
};

}  // namespace rarewood

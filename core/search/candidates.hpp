// The best candidates of a node.
//
// Candidates are added one by one, screened in batches, and dropped when the screening value
// is out of reach of the best. What is left at the end, usually one or a few ties, is decided by
// the criterion's careful score and the rule for ties, so the choice does not depend on the
// order of the candidates or on rounding in the screen.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "criterion/criterion.hpp"
#include "search/cut.hpp"
#include "search/monotonic.hpp"
#include "search/node.hpp"

namespace rarewood {

// Cuts whose counts are held at a time: those of many classes stay in the second-level cache. An
// odd number of cache lines, so that the counts of a cut do not share one set of the cache.
inline std::size_t batch_of(std::size_t n_classes) {
  constexpr std::size_t kMost = 512, kFewest = 40, kCounts = 1 << 15, kLine = 8;
  const std::size_t n = std::clamp(kCounts / n_classes, kFewest, kMost);
  return n == kMost ? n : (n / kLine - 1) / 2 * 2 * kLine + kLine;
}

class Candidates {
 public:
  // With `score_all` every candidate is scored carefully: slow, and free of any screen.
  Candidates(const Criterion& criterion, bool counts_rows, bool score_all)
      : criterion_(criterion),
        counts_rows_(counts_rows),
        score_all_(score_all),
        slack_(2 * criterion.screen_error()) {}

  // Splits must keep the order of monotonic constraints, if there are any.
  void constrain(const std::vector<std::int32_t>& monotonic) {
    monotonic_ = monotonic.empty() ? nullptr : &monotonic;
  }

  void start(const Node& node);

  // A two-way candidate; left counts are in the order of the node's segments. The caller has
  // made sure that both sides are allowed.
  void add(const Cut& cut, const double* left) {
    if (monotonic_ && !is_in_order(order_of(*monotonic_, cut), left, totals_)) return;
    for (int j = 0; j < n_classes_; ++j)
      batch_[static_cast<std::size_t>(j) * n_batch_ + n_] = left[j];
    cuts_[n_] = cut;
    if (++n_ == n_batch_) flush();
  }

  // Many two-way candidates at once, in the layout of CutBatch: make_cut(i) describes the i-th and
  // is called only for those that are kept.
  template <class MakeCut>
  void add_all(const double* left, std::size_t stride, std::size_t n, MakeCut&& make_cut) {
    if (monotonic_) return add_in_order(left, stride, n, make_cut);
    screen_all(left, stride, n, make_cut);
  }

  // A candidate with any number of children (children x classes): always scored at the end.
  void add_table(const Cut& cut, std::vector<double> table);

  // Screens what has been added so far.
  void flush();

  // Could a candidate with this screening value, or bound of it, still win or tie?
  bool is_in_reach(double screened) const { return !(screened < best_ - slack_); }

  // Has any candidate been added for this node?
  bool has_any() const { return n_ > 0 || !entries_.empty(); }

  const Criterion& criterion() const { return criterion_; }
  bool counts_rows() const { return counts_rows_; }

  // The chosen candidate and its score, unless there is none.
  struct Choice {
    Cut cut;
    double score;
  };
  std::optional<Choice> choose();

 private:
  static constexpr std::size_t kBatch = 512;

  // Those in the order of the constraints only.
  template <class MakeCut>
  void add_in_order(const double* left, std::size_t stride, std::size_t n, MakeCut&& make_cut) {
    for (std::size_t i = 0; i < n; ++i) {
      const double of_classes[2] = {left[i], left[stride + i]};
      add(make_cut(i), of_classes);
    }
  }

  template <class MakeCut>
  void screen_all(const double* left, std::size_t stride, std::size_t n, MakeCut&& make_cut) {
    if (n == 0) return;
    if (screened_.size() < n) screened_.resize(n);
    if (!screen(left, stride, n)) return;
    const double reach = best_ - slack_;
    for (std::size_t i = 0; i < n; ++i) {
      if (!(screened_[i] < reach)) keep(make_cut(i), left + i, stride, screened_[i]);
    }
    if (entries_.size() > 4 * kBatch) drop_out_of_reach();
  }

  struct Entry {
    Cut cut;
    double screened;
    std::size_t at;  // its table in tables_
    int n_children;
  };

  // Fills screened_ and raises best_; false when none of the batch is in reach.
  bool screen(const double* left, std::size_t stride, std::size_t n);
  void keep(const Cut& cut, const double* left, std::size_t stride, double screened);
  void drop_out_of_reach();
  bool is_same_table(const Entry& a, const Entry& b) const;

  const Criterion& criterion_;
  const std::vector<std::int32_t>* monotonic_ = nullptr;
  bool counts_rows_;       // not weights
  bool is_whole_ = false;  // counts are whole numbers: rows, not scaled
  bool score_all_;
  double slack_;
  int n_classes_ = 0;
  const double* totals_ = nullptr;
  double best_ = -std::numeric_limits<double>::infinity();
  std::size_t n_ = 0, n_batch_ = kBatch;
  std::vector<double> batch_;
  std::vector<double> screened_ = std::vector<double>(kBatch);
  std::vector<Cut> cuts_ = std::vector<Cut>(kBatch);
  std::vector<Entry> entries_;
  std::vector<double> tables_;
};

}  // namespace rarewood

// Offers the cuts of one feature: each on both sides of the missing values, and only where both
// children are allowed.
#pragma once

#include <vector>

#include "options.hpp"
#include "shortlist.hpp"

namespace rarewood {

class CutOffer {
 public:
  CutOffer(Shortlist& shortlist, const GrowOptions& options)
      : shortlist_(shortlist), options_(options) {}

  // `missing` holds, per segment of the node, what is missing of this feature.
  void start(const Node& node, const std::vector<double>& missing, std::size_t missing_rows) {
    node_ = &node;
    missing_ = &missing;
    missing_rows_ = static_cast<double>(missing_rows);
    present_rows_ = static_cast<double>(node.n_rows) - missing_rows_;
  }

  bool has_missing() const { return missing_rows_ > 0; }
  // Every cut may be offered as it is, straight to the shortlist.
  bool is_plain() const { return missing_rows_ == 0 && !options_.limits_leaves(); }
  Shortlist& shortlist() { return shortlist_; }
  const std::vector<double>& missing() const { return *missing_; }

  // `left`: counts of the present values on the left; `left_rows`: how many rows they are.
  void offer(Cut cut, const double* left, double left_rows) {
    const double right_rows = present_rows_ - left_rows;
    if (missing_rows_ == 0) {
      if (is_allowed(left, left_rows, right_rows)) shortlist_.offer(cut, left);
      return;
    }
    cut.missing_left = false;
    if (is_allowed(left, left_rows, right_rows + missing_rows_)) shortlist_.offer(cut, left);
    cut.missing_left = true;
    shifted_.assign(left, left + node_->n_classes());
    for (std::size_t j = 0; j < shifted_.size(); ++j) shifted_[j] += (*missing_)[j];
    if (is_allowed(shifted_.data(), left_rows + missing_rows_, right_rows)) {
      shortlist_.offer(cut, shifted_.data());
    }
  }

  // Present values left, missing ones right.
  void offer_present(int feature) {
    if (missing_rows_ == 0 || present_rows_ == 0) return;
    shifted_ = node_->totals;
    for (std::size_t j = 0; j < shifted_.size(); ++j) {
      shifted_[j] = std::max(0.0, shifted_[j] - (*missing_)[j]);
    }
    if (is_allowed(shifted_.data(), present_rows_, missing_rows_)) {
      shortlist_.offer({.feature = feature, .kind = CutKind::kPresent}, shifted_.data());
    }
  }

 private:
  bool is_allowed(const double* left, double left_rows, double right_rows) const {
    if (!(left_rows > 0 && right_rows > 0)) return false;
    if (!options_.limits_leaves()) return true;
    double left_weight = 0;
    for (int j = 0; j < node_->n_classes(); ++j) left_weight += left[j];
    return options_.allows(left_rows, left_weight) &&
           options_.allows(right_rows, node_->weight - left_weight);
  }

  Shortlist& shortlist_;
  const GrowOptions& options_;
  const Node* node_ = nullptr;
  const std::vector<double>* missing_ = nullptr;
  double missing_rows_ = 0;
  double present_rows_ = 0;
  std::vector<double> shifted_;
};

}  // namespace rarewood

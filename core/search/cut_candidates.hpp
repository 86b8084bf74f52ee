// Adds the cuts of one feature: each on both sides of the missing values, and only where both
// children are allowed.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "search/candidates.hpp"
#include "search/grow_options.hpp"

namespace rarewood {

// Missing values of a feature at a node, per segment: counts (rows or weight), and rows.
struct Missing {
  std::vector<double> counts;
  std::vector<double> rows;
  double n_rows = 0;

  void start(std::size_t k) {
    counts.assign(k, 0.0);
    rows.assign(k, 0.0);
    n_rows = 0;
  }
  void set(const double* of_counts, const double* of_rows) {
    counts.assign(of_counts, of_counts + counts.size());
    rows.assign(of_rows, of_rows + rows.size());
    n_rows = std::accumulate(rows.begin(), rows.end(), 0.0);
  }
  void add(std::size_t segment, double weight) {
    counts[segment] += weight;
    rows[segment] += 1;
    n_rows += 1;
  }
};

class CutCandidates {
 public:
  CutCandidates(Candidates& candidates, const GrowOptions& options)
      : candidates_(candidates), options_(options) {}

  void start(const Node& node, const Missing& missing) {
    node_ = &node;
    missing_ = &missing;
    if (node.scale) {
      scaled_missing_ = missing;
      for (std::size_t s = 0; s < missing.counts.size(); ++s) {
        scaled_missing_.counts[s] *= node.scale->counts[s];
      }
      missing_ = &scaled_missing_;
    }
    present_rows_ = static_cast<double>(node.n_rows) - missing.n_rows;
  }

  // Every cut may be added as it is, straight to the candidates.
  bool is_plain() const {
    return missing_->n_rows == 0 && !options_.limits_leaves() && candidates_.counts_rows();
  }
  Candidates& candidates() { return candidates_; }
  const Missing& missing() const { return *missing_; }

  // `left`: counts of the present values on the left, per segment; `rows`: how many rows they are
  // (the same numbers unless rows are weighted).
  void add(Cut cut, const double* left, const double* rows) {
    if (node_->scale) left = scaled(left, rows, 1, 1);
    const double left_rows = std::accumulate(rows, rows + node_->n_classes(), 0.0);
    const double right_rows = present_rows_ - left_rows;
    cut.missing_left = false;
    add_side(cut, left, rows, nullptr, left_rows, right_rows + missing_->n_rows);
    if (missing_->n_rows == 0) return;
    cut.missing_left = true;
    add_side(cut, left, rows, missing_, left_rows + missing_->n_rows, right_rows);
  }

  // Many cuts at once, class by class as in a CutBatch; make_cut(i) describes the i-th.
  template <class MakeCut>
  void add_all(const double* left, const double* rows, std::size_t stride, std::size_t n,
               MakeCut&& make_cut) {
    if (is_plain()) {
      if (node_->scale) {
        left = scaled(left, rows, stride, n);
        stride = n;
      }
      return candidates_.add_all(left, stride, n, make_cut);
    }
    const std::size_t k = node_->segments.size();
    one_.resize(2 * k);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t s = 0; s < k; ++s) {
        one_[s] = left[s * stride + i];
        one_[k + s] = rows[s * stride + i];
      }
      add(make_cut(i), one_.data(), one_.data() + k);
    }
  }

  // Present values left, missing ones right.
  void add_present(int feature) {
    if (missing_->n_rows == 0 || present_rows_ == 0) return;
    present_.assign(node_->totals.begin(), node_->totals.end());
    rows_.clear();
    for (std::size_t s = 0; s < present_.size(); ++s) {
      rows_.push_back(node_->rows_in(s) - missing_->rows[s]);
      present_[s] = rows_[s] > 0 ? present_[s] - missing_->counts[s] : 0.0;
    }
    add_side({.feature = feature, .kind = CutKind::kPresent}, present_.data(), rows_.data(),
             nullptr, present_rows_, missing_->n_rows);
  }

  // Left counts with the missing values on their side, if any. A class that is wholly on the left
  // has its total there: weights must not leave a rounding error where no row is.
  static double settled(const Node& node, std::size_t s, double left, double rows,
                        const Missing* missing) {
    if (missing) {
      left += missing->counts[s];
      rows += missing->rows[s];
    }
    return rows == node.rows_in(s) ? node.totals[s] : left;
  }

 private:
  // The counts of cuts of a sample as those of its node: a class that is wholly on the left has its
  // total there.
  const double* scaled(const double* left, const double* rows, std::size_t stride, std::size_t n) {
    const std::size_t k = node_->segments.size();
    scaled_.resize(n * k);
    for (std::size_t s = 0; s < k; ++s) {
      const double scale = node_->scale->counts[s], all = node_->rows_in(s);
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t from = s * stride + i;
        scaled_[s * n + i] = rows[from] == all ? node_->totals[s] : left[from] * scale;
      }
    }
    return scaled_.data();
  }

  // Rows of the node on the left, as far as the sample tells.
  double estimate_rows(const double* rows, const Missing* missing) const {
    double sum = 0;
    for (std::size_t s = 0; s < node_->segments.size(); ++s) {
      sum += (rows[s] + (missing ? missing->rows[s] : 0.0)) * node_->scale->rows[s];
    }
    return sum;
  }

  double estimate_all_rows() const {
    double sum = 0;
    for (std::size_t s = 0; s < node_->segments.size(); ++s) {
      sum += node_->rows_in(s) * node_->scale->rows[s];
    }
    return sum;
  }

  void add_side(const Cut& cut, const double* left, const double* rows, const Missing* missing,
                double left_rows, double right_rows) {
    if (!(left_rows > 0 && right_rows > 0)) return;
    settled_.resize(node_->n_classes());
    for (std::size_t s = 0; s < settled_.size(); ++s) {
      settled_[s] = settled(*node_, s, left[s], rows[s], missing);
    }
    if (options_.limits_leaves()) {
      const double left_weight = std::accumulate(settled_.begin(), settled_.end(), 0.0);
      if (node_->scale) {
        left_rows = estimate_rows(rows, missing);
        right_rows = estimate_all_rows() - left_rows;
      }
      if (!options_.allows(left_rows, left_weight) ||
          !options_.allows(right_rows, node_->weight - left_weight)) {
        return;
      }
    }
    candidates_.add(cut, settled_.data());
  }

  Candidates& candidates_;
  const GrowOptions& options_;
  const Node* node_ = nullptr;
  const Missing* missing_ = nullptr;
  double present_rows_ = 0;
  std::vector<double> settled_, present_, rows_, one_, scaled_;
  Missing scaled_missing_;
};

}  // namespace rarewood

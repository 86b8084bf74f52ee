// The best split of a node by class counts per code and per category. No row is read: the
// counts may be those of a table that is divided among many machines.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "search/candidates.hpp"
#include "search/categorical.hpp"
#include "search/feature_sampling.hpp"
#include "search/gain.hpp"
#include "search/grow_options.hpp"
#include "search/histogram.hpp"
#include "search/random/random_cuts.hpp"
#include "search/scan.hpp"
#include "table/columns.hpp"

namespace rarewood {

struct SearchKind {
  std::size_t n_features;
  bool is_weighted;
  bool is_exact;  // bins that may hide a better cut are noted
};

// `Rows` counts rows: a type in which the rows of the whole table can be counted.
template <class Rows>
class HistogramSearch {
 public:
  HistogramSearch(const Criterion& criterion, const GrowOptions& options, const SearchKind& kind)
      : criterion_(criterion),
        options_(options),
        candidates_(criterion, !kind.is_weighted, options.sort_only),
        cuts_(candidates_, options),
        scan_(candidates_, options, kind.is_exact),
        weighted_scan_(candidates_, options, kind.is_exact),
        categorical_(options),
        features_(kind.n_features, options.max_features),
        is_exact_(kind.is_exact) {
    candidates_.constrain(options.monotonic);
  }

  void start(const Node& node) {
    node_ = &node;
    candidates_.start(node);
    boxes_.clear();
    features_.start(node.key);
  }

  // Adds the cuts of a numeric feature; false if it is constant at the node. `rows` is the same
  // histogram in rows, where `histogram` is in weights. In exact mode, varies_inside(bin) is called
  // for the only occupied bin.
  template <class Count, class VariesInside>
  bool consider_codes(const Column& column, int f, const FeatureHistogram<Count>& histogram,
                      const FeatureHistogram<Rows>& rows, VariesInside&& varies_inside) {
    const std::size_t k = node_->segments.size();
    find_missing(histogram, rows, k, missing_);
    int n_occupied = 0, occupied = 0;
    for (int b = 0; b < column.n_bins && n_occupied < 2; ++b) {
      bool is_occupied = false;
      for (std::size_t s = 0; s < k; ++s) is_occupied |= rows.bins(s)[b] > 0;
      if (is_occupied) {
        ++n_occupied;
        occupied = b;
      }
    }
    const bool can_cut =
        n_occupied > 1 || (n_occupied == 1 && is_exact_ && varies_inside(occupied));
    if (!can_cut && (missing_.n_rows == 0 || n_occupied == 0)) return false;
    cuts_.start(*node_, missing_);
    cuts_.add_present(f);
    if (!can_cut) return true;
    if (options_.n_cuts > 0) {
      add_random_edges(histogram, rows, column, f, *node_, options_.n_cuts, cuts_);
    } else {
      scan_of(histogram.base).add_edges(histogram, rows, column, f, *node_, cuts_, boxes_);
    }
    return true;
  }

  // Adds the splits of a categorical feature.
  bool consider_categories(const CategoryTable& table, int f) {
    if (table.size() + table.has_missing() < 2) return false;
    categorical_.add_splits(table, *node_, f, candidates_, cuts_);
    return true;
  }

  // The best cut and its gain, unless that is too small: a split to be resolved.
  std::optional<Split> choose() {
    const auto choice = candidates_.choose();
    if (!choice) return {};
    Split split;
    split.cut = choice->cut;
    split.gain = gain_of(criterion_, *node_, choice->score);
    if (split.gain < options_.min_gain) return {};
    return split;
  }

  // Turns the chosen split of a categorical feature into routes of its categories.
  void resolve_categories(const CategoryTable& table, Split& split) const {
    split.n_children = 2;
    split.categories = categorical_.routes(table, split.cut, *node_);
    if (split.cut.kind == CutKind::kMultiway) {
      split.n_children = static_cast<int>(table.size()) + table.has_missing();
      if (table.has_missing()) split.missing_child = split.n_children - 1;
    } else if (table.has_missing()) {
      split.missing_child = split.cut.missing_left ? 0 : 1;
    }
  }

  // The same for a cut of a numeric feature at an edge of its bins.
  void resolve_edge(const Column& column, bool any_missing, Split& split) const {
    split.n_children = 2;
    split.is_edge = true;
    if (split.cut.kind == CutKind::kPresent) {  // every code but that of missing values
      split.threshold = std::numeric_limits<double>::infinity();
      split.code = kMissingCode - 1;
      split.missing_child = 1;
      return;
    }
    split.threshold = column.edges[split.cut.bin];
    split.code = split.cut.bin;
    if (any_missing) split.missing_child = split.cut.missing_left ? 0 : 1;
  }

  Candidates& candidates() { return candidates_; }
  CutCandidates& cuts() { return cuts_; }
  FeatureDraw& features() { return features_; }
  BoxList& boxes() { return boxes_; }

 private:
  Scan<Rows, Rows>& scan_of(const Rows*) { return scan_; }
  Scan<double, Rows>& scan_of(const double*) { return weighted_scan_; }

  const Criterion& criterion_;
  const GrowOptions& options_;
  Candidates candidates_;
  CutCandidates cuts_;
  Scan<Rows, Rows> scan_;
  Scan<double, Rows> weighted_scan_;
  CategoricalSearch categorical_;
  FeatureDraw features_;
  bool is_exact_;
  const Node* node_ = nullptr;
  Missing missing_;
  BoxList boxes_;
};

}  // namespace rarewood

// The best split of a node by class counts per code and per category. No row is looked at: the
// counts may be those of a table that is spread over many machines.
#pragma once

#include <vector>

#include "search/candidates.hpp"
#include "search/categorical.hpp"
#include "search/feature_sampling.hpp"
#include "search/grow_options.hpp"
#include "search/histogram.hpp"
#include "search/random/random_edges.hpp"
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
class TallySearch {
 public:
  TallySearch(const Criterion& criterion, const GrowOptions& options, const SearchKind& kind)
      : criterion_(criterion),
        options_(options),
        shortlist_(criterion, !kind.is_weighted, options.sort_only),
        offer_(shortlist_, options),
        scan_(shortlist_, options, kind.is_exact),
        weighted_scan_(shortlist_, options, kind.is_exact),
        nominal_(options),
        features_(kind.n_features, options.max_features),
        is_exact_(kind.is_exact) {}

  void start(const Node& node) {
    node_ = &node;
    shortlist_.start(node);
    boxes_.clear();
    features_.start(node.key);
  }

  // Offers the cuts of a numeric feature; false if it is constant at the node. `rows` is the same
  // tally in rows, where `tally` is in weights. The only occupied bin is asked about with
  // varies_inside(bin) in exact mode.
  template <class Count, class VariesInside>
  bool consider_codes(const Column& column, int f, const FeatureTally<Count>& tally,
                      const FeatureTally<Rows>& rows, VariesInside&& varies_inside);

  // Offers the splits of a nominal feature.
  bool consider_categories(const CategoryTable& table, int f) {
    if (table.size() + table.has_missing() < 2) return false;
    nominal_.offer_splits(table, *node_, f, shortlist_, offer_);
    return true;
  }

  // The best of what was offered and its gain, unless that is too small.
  bool choose(Shortlist::Choice& choice, double& gain);

  // Turns the chosen split of a nominal feature into routes of its categories.
  void resolve_categories(const CategoryTable& table, Split& split) const;
  // The same for a cut of a numeric feature at an edge of its bins.
  void resolve_edge(const Column& column, bool any_missing, Split& split) const;

  Shortlist& shortlist() { return shortlist_; }
  CutOffer& offer() { return offer_; }
  FeatureDraw& features() { return features_; }
  BoxList& boxes() { return boxes_; }

 private:
  Scan<Rows, Rows>& scan_of(const Rows*) { return scan_; }
  Scan<double, Rows>& scan_of(const double*) { return weighted_scan_; }

  const Criterion& criterion_;
  const GrowOptions& options_;
  Shortlist shortlist_;
  CutOffer offer_;
  Scan<Rows, Rows> scan_;
  Scan<double, Rows> weighted_scan_;
  NominalSearch nominal_;
  FeatureDraw features_;
  bool is_exact_;
  const Node* node_ = nullptr;
  Missing missing_;
  BoxList boxes_;
};

template <class Rows>
template <class Count, class VariesInside>
bool TallySearch<Rows>::consider_codes(const Column& column, int f,
                                       const FeatureTally<Count>& tally,
                                       const FeatureTally<Rows>& rows,
                                       VariesInside&& varies_inside) {
  const std::size_t k = node_->segments.size();
  find_missing(tally, rows, k, missing_);
  int n_occupied = 0, occupied = 0;
  for (int b = 0; b < column.n_bins && n_occupied < 2; ++b) {
    bool is_occupied = false;
    for (std::size_t s = 0; s < k; ++s) is_occupied |= rows.bins(s)[b] > 0;
    if (is_occupied) {
      ++n_occupied;
      occupied = b;
    }
  }
  const bool can_cut = n_occupied > 1 || (n_occupied == 1 && is_exact_ && varies_inside(occupied));
  if (!can_cut && (missing_.n_rows == 0 || n_occupied == 0)) return false;
  offer_.start(*node_, missing_);
  offer_.offer_present(f);
  if (!can_cut) return true;
  if (options_.n_cuts > 0) {
    offer_random_edges(tally, rows, column, f, *node_, options_.n_cuts, offer_);
  } else {
    scan_of(tally.base).offer_edges(tally, rows, column, f, *node_, offer_, boxes_);
  }
  return true;
}

}  // namespace rarewood

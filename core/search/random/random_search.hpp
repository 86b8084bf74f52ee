// Splits drawn at random: thresholds of one feature, and hyperplanes over several.
#pragma once

#include <span>
#include <vector>

#include "search/cut_candidates.hpp"
#include "search/grow_options.hpp"
#include "search/random/axes.hpp"
#include "search/random/planes.hpp"
#include "search/random/random_cuts.hpp"
#include "table/columns.hpp"

namespace rarewood {

template <class T>
class RandomSearch {
 public:
  RandomSearch(const Columns& columns, const GrowOptions& options);

  // Are the numeric features of a tree searched here? Binned thresholds are drawn among bin edges.
  bool is_used() const { return has_planes() || (options_.n_cuts > 0 && !columns_.is_binned()); }
  bool has_planes() const { return options_.plane_dim > 1; }

  void start(const Source<T>& source, const Node& node);

  // Announces the features to be considered, with the numbers of random_of(node, feature).
  void prepare(std::span<const int> features);

  // Adds the splits of a numeric feature; false if it is constant at the node. Hyperplanes take
  // random partners; where there are too few, and with `cuts_only`, thresholds are drawn.
  bool consider(int f, Random random, CutCandidates& cuts, bool cuts_only = false);

  // Turns a chosen cut into its split.
  void resolve(const Cut& cut, Split& split);

 private:
  bool consider_cuts(int f, Random random, CutCandidates& cuts);
  void await_partners();
  template <class IsUsable>
  bool choose_partners(int f, Random& random, IsUsable&& is_usable);

  const Columns& columns_;
  const GrowOptions& options_;
  Axes<T> axes_;
  RandomCuts<T> cuts_;
  PlaneCuts<T> planes_;
  Missing missing_;
  std::vector<int> numeric_;  // features that hyperplanes may use
  std::vector<int> plane_;    // features of one of them
  std::vector<std::size_t> swaps_;
  std::vector<int> awaited_;
  std::vector<double> keys_;
};

}  // namespace rarewood

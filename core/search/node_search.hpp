// The best split of a node.
#pragma once

#include <deque>
#include <vector>

#include "search/categorical.hpp"
#include "search/gap_search.hpp"
#include "search/grow_options.hpp"
#include "search/histogram.hpp"
#include "search/histogram_search.hpp"
#include "search/random/random_search.hpp"
#include "search/refine.hpp"
#include "search/sorted_search.hpp"
#include "table/columns.hpp"

namespace rarewood {

template <class T>
class NodeSearch {
 public:
  NodeSearch(const Columns& columns, const Criterion& criterion, const GrowOptions& options,
             const HistogramStore& store, bool is_weighted);

  // The best split of the node, or none. Features are sampled with the node's own key.
  Split find(const Source<T>& source, const Node& node);

  // Is it worth encoding the table to search a tree with this root?
  bool needs_codes(const Node& root) const;

  // Will this node be searched by codes? If so a full histogram of it is worth having.
  bool is_coarse(const Source<T>& source, const Node& node) const;

 private:
  std::size_t consider_features(const Source<T>& source, const Node& node);
  // Adds the cuts of a feature; false if it is constant at the node.
  bool consider(const Source<T>& source, const Node& node, int f);
  bool consider_values(const Source<T>& source, const Node& node, int f);
  const NodeValues<T>& gather_values(const Source<T>& source, const Node& node, int f);
  bool resolve_from_values(const Node& node, Split& split);
  template <class Count>
  bool consider_codes(const Source<T>& source, const Node& node, int f,
                      const FeatureHistogram<Count>& histogram,
                      const FeatureHistogram<RowCount>& rows);
  bool is_constant(const Source<T>& source, const Node& node, int f) const;
  void refine(const Source<T>& source, const Node& node);
  Split resolve(const Source<T>& source, const Node& node, const Candidates::Choice& choice);

  const Columns& columns_;
  const Criterion& criterion_;
  const GrowOptions& options_;
  const HistogramStore& store_;
  bool is_weighted_;
  bool can_use_gaps_;

  HistogramSearch<RowCount> histograms_;
  Candidates& candidates_;
  CutCandidates& cuts_;
  SortedSearch<T> sorted_;
  GapSearch<T> gaps_;
  Refine<T> refine_;
  CategoryCounter<T> categories_;
  RandomSearch<T> random_;
  std::deque<NodeValues<T>> gathered_;  // the first n_gathered_ are of this node
  std::size_t n_gathered_ = 0;
  std::vector<double> keys_;
  std::vector<RowCount> counts_;
  std::vector<double> weights_;
  Missing missing_;
};

}  // namespace rarewood

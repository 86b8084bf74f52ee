// The best split of a node.
#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <vector>

#include "search/categorical.hpp"
#include "search/gap_search.hpp"
#include "search/grow_options.hpp"
#include "search/histogram.hpp"
#include "search/histogram_search.hpp"
#include "search/node_sample.hpp"
#include "search/random/random_search.hpp"
#include "search/refine.hpp"
#include "search/sorted_search.hpp"
#include "search/sparse_search.hpp"
#include "search/threshold.hpp"
#include "table/columns.hpp"

namespace rarewood {

template <class T>
class NodeSearch {
 public:
  NodeSearch(const Columns& columns, const Criterion& criterion, const GrowOptions& options,
             const HistogramStore& store, bool is_weighted)
      : columns_(columns),
        criterion_(criterion),
        options_(options),
        store_(store),
        is_weighted_(is_weighted),
        can_use_gaps_(criterion.traits().boundary && !options.limits_leaves() && !is_weighted &&
                      !options.sort_only),
        histograms_(criterion, options, {columns.n_features(), is_weighted, !columns.is_binned()}),
        candidates_(histograms_.candidates()),
        cuts_(histograms_.cuts()),
        refine_(can_use_gaps_),
        random_(columns, options) {}

  // The best split on a sample of the node, or none; it remains to be seen whether it is one of the
  // node. The source may have a part of the node's rows, which has its samples of all classes.
  Split find_in_sample(const Source<T>& source, const Node& node) {
    sample_.draw(source, node, options_.split_samples);
    Split split = find(sample_.source(), sample_.node());
    split.is_sampled = true;
    split.keys = nullptr;  // of the sample
    return split;
  }

  // The sample on which the last split was chosen.
  NodeSample<T>& sample() { return sample_; }

  // The best split of the node, or none. Features are sampled with the node's own key.
  Split find(const Source<T>& source, const Node& node) {
    histograms_.start(node);
    n_gathered_ = 0;
    if (random_.is_used()) {
      random_.start(source, node);
    } else if (source.sparse) {
      entries_.start(source, node);
    }
    FeatureDraw& features = histograms_.features();
    if (random_.is_used() && features.draws()) random_.prepare(features.first(features.n_wanted()));
    const std::size_t n_tried = features.try_all([&](int f) { return consider(source, node, f); });
    if (random_.has_planes() && !candidates_.has_any()) {
      // Hyperplanes may all miss the rows; a random cut of a feature that varies never does.
      for (int f : features.first(n_tried)) {
        if (!source.sparse && columns_.column(f).is_categorical()) continue;
        random_.consider(f, random_of(node, f), cuts_, true);
      }
    }
    candidates_.flush();
    refine(source, node);
    std::optional<Split> split = histograms_.choose();
    if (!split) return {};
    resolve(source, node, *split);
    return std::move(*split);
  }

  // Is it worth encoding the table to search a tree with this root?
  bool needs_codes(const Node& root) const {
    if (columns_.is_binned()) return true;
    if (options_.sort_only || options_.n_cuts > 0 || columns_.is_sparse() ||
        !criterion_.traits().bounded)
      return false;
    return can_use_gaps_ ? n_pairs(root) >= kEncodePairs : root.n_rows >= kEncodeRows;
  }

  // Will this node be searched by codes? If so a full histogram of it is worth having.
  bool is_coarse(const Source<T>& source, const Node& node) const {
    if (!source.has_codes) return false;
    if (columns_.is_binned()) return true;
    return can_use_gaps_ ? n_pairs(node) >= kCoarsePairs * columns_.mean_bins() / kMaxBins
                         : node.n_rows >= kCoarseRows * columns_.mean_bins() / kMaxBins;
  }

 private:
  // A node is searched by its values when comparing every pair of them is cheap, or when it is so
  // small that sorting is.
  static constexpr std::size_t kCoarsePairs = 12000;
  static constexpr std::size_t kCoarseRows = 256;
  // The same for the root, where the codes must be made.
  static constexpr std::size_t kEncodePairs = 100000;
  static constexpr std::size_t kEncodeRows = 512;
  // Of a node searched by values, for its division.
  static constexpr std::size_t kKeptValues = 1 << 16;

  // Pairs that the gap search compares: rows of the largest class times the others.
  static std::size_t n_pairs(const Node& node) {
    std::size_t largest = 0;
    for (const Segment& segment : node.segments)
      largest = std::max<std::size_t>(largest, segment.count);
    return largest * (node.n_rows - largest);
  }

  // Adds the cuts of a feature; false if it is constant at the node.
  bool consider(const Source<T>& source, const Node& node, int f) {
    options_.check_stop();
    if (!source.sparse && columns_.column(f).is_categorical()) {
      return histograms_.consider_categories(categories_.count(source, node, f), f);
    }
    if (random_.is_used()) return random_.consider(f, random_of(node, f), cuts_);
    if (!is_coarse(source, node)) return consider_values(source, node, f);
    FeatureHistogram<RowCount> rows = node.histogram >= 0
                                          ? store_.feature(node.histogram, f, node.segments.data())
                                          : histogram_feature<RowCount>(source, node, f, counts_);
    const Column& column = columns_.column(f);
    auto varies_inside = [&](int bin) {
      return !column.is_single[bin] && !is_constant(source, node, f);
    };
    if (!is_weighted_) return histograms_.consider_codes(column, f, rows, rows, varies_inside);
    FeatureHistogram<double> weights = node.histogram >= 0
                                           ? store_.weights(node.histogram, f, node.segments.data())
                                           : histogram_feature<double>(source, node, f, weights_);
    return histograms_.consider_codes(column, f, weights, rows, varies_inside);
  }

  bool consider_values(const Source<T>& source, const Node& node, int f) {
    if (source.sparse) return sparse_.add_cuts(source, node, f, entries_.of(f), cuts_);
    const NodeValues<T>& values = gather_values(source, node, f);
    const std::size_t n = values.end.back();
    const T* x = values.value.data();
    const bool is_constant = std::all_of(x, x + n, [&](T value) { return value == x[0]; });
    if (is_constant && values.missing.n_rows == 0) return false;
    cuts_.start(node, values.missing);
    cuts_.add_present(f);
    if (is_constant) return n > 0;
    if (can_use_gaps_) {
      gaps_.add_cuts(values, f, cuts_);
    } else {
      sorted_.add_cuts(values, f, cuts_);
    }
    return true;
  }

  // Values stay until the next node where there are few: its threshold and its division need those
  // of the chosen feature again.
  const NodeValues<T>& gather_values(const Source<T>& source, const Node& node, int f) {
    if (n_gathered_ > 0 && (n_gathered_ + 1) * node.n_rows > kKeptValues) --n_gathered_;
    if (n_gathered_ == gathered_.size()) gathered_.emplace_back();
    NodeValues<T>& values = gathered_[n_gathered_++];
    values.gather(source, node, f);
    return values;
  }

  bool resolve_from_values(const Node& node, Split& split) {
    for (std::size_t i = 0; i < n_gathered_; ++i) {
      const NodeValues<T>& values = gathered_[i];
      if (values.feature != split.cut.feature) continue;
      if (values.missing.n_rows > 0) return false;
      const T* of_rows = values.value.data();
      find_threshold(std::span<const T>(of_rows, node.n_rows), split);
      make_room(keys_, node.n_rows);
      std::copy_n(of_rows, node.n_rows, keys_.data());
      split.keys = keys_.data();
      return true;
    }
    return false;
  }

  bool is_constant(const Source<T>& source, const Node& node, int f) const {
    bool has_first = false;
    T first{};
    for (const Segment& segment : node.segments) {
      for (Row row : source.rows_of(segment)) {
        const T x = source.value(row, f);
        if (x != x) continue;
        if (!has_first) {
          first = x;
          has_first = true;
        } else if (x != first) {
          return false;
        }
      }
    }
    return true;
  }

  // Looks into the bins that are still in reach, the most promising feature first: the best value
  // rises, and most other bins fall out of reach unopened.
  void refine(const Source<T>& source, const Node& node) {
    std::vector<Box>& boxes = histograms_.boxes().boxes;
    while (true) {
      std::erase_if(boxes, [&](const Box& box) { return !candidates_.is_in_reach(box.bound); });
      if (boxes.empty()) return;
      options_.check_stop();
      const int f = std::max_element(boxes.begin(), boxes.end(), [](const Box& a, const Box& b) {
                      return a.bound < b.bound;
                    })->feature;
      const auto rest = std::partition(boxes.begin(), boxes.end(),
                                       [&](const Box& box) { return box.feature != f; });
      missing_.start(node.segments.size());
      if (columns_.column(f).has_missing) {
        const Code* codes = columns_.codes(f);
        for (std::size_t s = 0; s < node.segments.size(); ++s) {
          for (Row row : source.rows_of(node.segments[s])) {
            if (codes[row] == kMissingCode) missing_.add(s, source.weight(row));
          }
        }
      }
      cuts_.start(node, missing_);
      refine_.add_cuts(source, node, {rest, boxes.end()}, histograms_.boxes().lower, cuts_);
      boxes.erase(rest, boxes.end());
      candidates_.flush();
    }
  }

  void resolve(const Source<T>& source, const Node& node, Split& split) {
    const int f = split.cut.feature;
    if (columns_.column(f).is_categorical()) {
      return histograms_.resolve_categories(categories_.count(source, node, f), split);
    }
    split.n_children = 2;
    if (random_.is_used()) return random_.resolve(split.cut, split);
    if (resolve_from_values(node, split)) return;
    FeatureHistogram<RowCount> histogram;
    if (node.histogram >= 0) histogram = store_.feature(node.histogram, f, node.segments.data());
    find_threshold(source, node, is_coarse(source, node),
                   node.histogram >= 0 ? &histogram : nullptr, split);
  }

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
  SparseEntries<T> entries_;
  SparseSearch<T> sparse_;
  GapSearch<T> gaps_;
  Refine<T> refine_;
  CategoryCounter<T> categories_;
  RandomSearch<T> random_;
  NodeSample<T> sample_;
  std::deque<NodeValues<T>> gathered_;  // the first n_gathered_ are of this node
  std::size_t n_gathered_ = 0;
  std::vector<double> keys_;
  std::vector<RowCount> counts_;
  std::vector<double> weights_;
  Missing missing_;
};

}  // namespace rarewood

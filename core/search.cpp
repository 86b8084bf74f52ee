#include "search.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "random_edges.hpp"
#include "threshold.hpp"

namespace rarewood {

namespace {

// A node is searched by its values when comparing every pair of them is cheap, or when it is so
// small that sorting is.
constexpr std::size_t kCoarsePairs = 12000;
constexpr std::size_t kCoarseRows = 256;
constexpr std::size_t kEncodePairs = 100000;  // the same for the root, where the codes must be made
constexpr std::size_t kEncodeRows = 512;
constexpr std::size_t kKeptValues = 1 << 16;  // of a node searched by values, for its division

// Pairs that the gap search compares: rows of the largest class times the others.
std::size_t n_pairs(const Node& node) {
  std::size_t largest = 0;
  for (const Segment& segment : node.segments)
    largest = std::max<std::size_t>(largest, segment.count);
  return largest * (node.n_rows - largest);
}

}  // namespace

template <class T>
NodeSearch<T>::NodeSearch(const Columns& columns, const Criterion& criterion,
                          const GrowOptions& options, const TallyStore& store, bool is_weighted)
    : columns_(columns),
      criterion_(criterion),
      options_(options),
      store_(store),
      is_weighted_(is_weighted),
      can_use_gaps_(criterion.traits().boundary && !options.limits_leaves() && !is_weighted &&
                    !options.sort_only),
      shortlist_(criterion, !is_weighted, options.sort_only),
      offer_(shortlist_, options),
      scan_(shortlist_, options, !columns.is_binned()),
      weighted_scan_(shortlist_, options, !columns.is_binned()),
      refine_(can_use_gaps_),
      nominal_(options),
      random_(columns, options),
      features_(columns.n_features()) {}

template <class T>
bool NodeSearch<T>::needs_codes(const Node& root) const {
  if (columns_.is_binned()) return true;
  if (options_.sort_only || options_.n_cuts > 0 || !criterion_.traits().bounded) return false;
  return can_use_gaps_ ? n_pairs(root) >= kEncodePairs : root.n_rows >= kEncodeRows;
}

template <class T>
bool NodeSearch<T>::is_coarse(const Source<T>& source, const Node& node) const {
  if (!source.has_codes) return false;
  if (columns_.is_binned()) return true;
  return can_use_gaps_ ? n_pairs(node) >= kCoarsePairs * columns_.mean_bins() / kMaxBins
                       : node.n_rows >= kCoarseRows * columns_.mean_bins() / kMaxBins;
}

template <class T>
Split NodeSearch<T>::find(const Source<T>& source, const Node& node) {
  shortlist_.start(node);
  boxes_.clear();
  n_gathered_ = 0;
  if (random_.is_used()) random_.start(source, node);
  const int n_tried = consider_features(source, node);
  if (random_.has_planes() && !shortlist_.has_any()) {
    // Hyperplanes may all miss the rows; a random cut of a feature that varies never does.
    for (int i = 0; i < n_tried; ++i) {
      const int f = features_[static_cast<std::size_t>(i)];
      if (columns_.column(static_cast<std::size_t>(f)).is_nominal()) continue;
      random_.consider(f, random_of(node, f), offer_, true);
    }
  }
  shortlist_.flush();
  refine(source, node);
  Shortlist::Choice choice;
  if (!shortlist_.choose(choice)) return {};
  const double unsplit = criterion_.score({node.totals.data(), 1, node.n_classes()});
  double gain = choice.score - unsplit;
  if (gain < 0 && gain > -kTieTolerance * std::max(1.0, std::abs(unsplit))) gain = 0;  // rounding
  if (gain < options_.min_gain) return {};
  Split split = resolve(source, node, choice);
  split.gain = gain;
  return split;
}

// Looks at as many features as wanted that are not constant; returns how many were drawn for that,
// which are then the first of features_.
template <class T>
int NodeSearch<T>::consider_features(const Source<T>& source, const Node& node) {
  const auto n_features = static_cast<int>(columns_.n_features());
  const std::int64_t wanted = options_.max_features;
  std::iota(features_.begin(), features_.end(), 0);
  if (wanted >= n_features) {
    for (int f = 0; f < n_features; ++f) consider(source, node, f);
    return n_features;
  }
  Random random(node.key);
  int n_drawn = 0;
  auto draw = [&] {
    const auto i = static_cast<std::size_t>(n_drawn++);
    std::swap(features_[i], features_[i + random.below(features_.size() - i)]);
  };
  while (n_drawn < wanted) draw();
  if (random_.is_used()) random_.prepare({features_.data(), static_cast<std::size_t>(wanted)});
  std::int64_t n_found = 0;
  int i = 0;
  for (; i < n_features && n_found < wanted; ++i) {
    if (i == n_drawn) draw();
    n_found += consider(source, node, features_[static_cast<std::size_t>(i)]);
  }
  return i;
}

template <class T>
bool NodeSearch<T>::consider(const Source<T>& source, const Node& node, int f) {
  options_.check_stop();
  if (columns_.column(static_cast<std::size_t>(f)).is_nominal()) {
    return consider_nominal(source, node, f);
  }
  if (random_.is_used()) return random_.consider(f, random_of(node, f), offer_);
  if (!is_coarse(source, node)) return consider_values(source, node, f);
  FeatureTally<RowCount> rows = node.tally >= 0
                                    ? store_.feature(node.tally, f, node.segments.data())
                                    : tally_feature<RowCount>(source, node, f, counts_);
  if (!is_weighted_) return consider_codes(source, node, f, rows, rows, scan_);
  return consider_codes(source, node, f, tally_feature<double>(source, node, f, weights_), rows,
                        weighted_scan_);
}

template <class T>
bool NodeSearch<T>::consider_nominal(const Source<T>& source, const Node& node, int f) {
  const CategoryTable& table = nominal_.tally(source, node, f);
  if (table.size() + table.has_missing() < 2) return false;
  nominal_.offer_splits(node, f, random_of(node, f), shortlist_, offer_);
  return true;
}

// Values stay until the next node where there are few: its threshold and its division need those of
// the chosen feature again.
template <class T>
const NodeValues<T>& NodeSearch<T>::gather_values(const Source<T>& source, const Node& node,
                                                  int f) {
  if (n_gathered_ > 0 && (n_gathered_ + 1) * node.n_rows > kKeptValues) --n_gathered_;
  if (n_gathered_ == gathered_.size()) gathered_.emplace_back();
  NodeValues<T>& values = gathered_[n_gathered_++];
  values.gather(source, node, f);
  return values;
}

template <class T>
bool NodeSearch<T>::consider_values(const Source<T>& source, const Node& node, int f) {
  const NodeValues<T>& values = gather_values(source, node, f);
  const std::size_t n = values.end.back();
  const T* x = values.value.data();
  const bool is_constant = std::all_of(x, x + n, [&](T value) { return value == x[0]; });
  if (is_constant && values.missing.n_rows == 0) return false;
  offer_.start(node, values.missing);
  offer_.offer_present(f);
  if (is_constant) return n > 0;
  if (can_use_gaps_) {
    gaps_.offer_cuts(values, f, offer_);
  } else {
    sorted_.offer_cuts(values, f, offer_);
  }
  return true;
}

template <class T>
template <class Count>
bool NodeSearch<T>::consider_codes(const Source<T>& source, const Node& node, int f,
                                   const FeatureTally<Count>& tally,
                                   const FeatureTally<RowCount>& rows, Scan<Count>& scan) {
  const Column& column = columns_.column(static_cast<std::size_t>(f));
  find_missing(tally, rows, node.segments.size(), missing_);
  int n_occupied = 0, occupied = 0;
  for (int b = 0; b < column.n_bins && n_occupied < 2; ++b) {
    bool is_occupied = false;
    for (std::size_t s = 0; s < node.segments.size(); ++s) is_occupied |= rows.bins(s)[b] > 0;
    if (is_occupied) {
      ++n_occupied;
      occupied = b;
    }
  }
  const bool can_cut = n_occupied > 1 || (n_occupied == 1 && !columns_.is_binned() &&
                                          !column.is_single[static_cast<std::size_t>(occupied)] &&
                                          !is_constant(source, node, f));
  if (!can_cut && (missing_.n_rows == 0 || n_occupied == 0)) return false;
  offer_.start(node, missing_);
  offer_.offer_present(f);
  if (!can_cut) return true;
  if (options_.n_cuts > 0) {
    offer_random_edges(tally, rows, column, f, node, options_.n_cuts, offer_);
  } else {
    scan.offer_edges(tally, rows, column, f, node, offer_, boxes_);
  }
  return true;
}

template <class T>
bool NodeSearch<T>::is_constant(const Source<T>& source, const Node& node, int f) const {
  bool has_first = false;
  T first{};
  for (const Segment& segment : node.segments) {
    const Row* rows = source.rows_of(segment);
    for (Row i = 0; i < segment.count; ++i) {
      const T x = source.value(rows[i], f);
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
template <class T>
void NodeSearch<T>::refine(const Source<T>& source, const Node& node) {
  std::vector<Box>& boxes = boxes_.boxes;
  while (true) {
    std::erase_if(boxes, [&](const Box& box) { return !shortlist_.is_in_reach(box.bound); });
    if (boxes.empty()) return;
    options_.check_stop();
    const int f = std::max_element(boxes.begin(), boxes.end(), [](const Box& a, const Box& b) {
                    return a.bound < b.bound;
                  })->feature;
    const auto rest = std::partition(boxes.begin(), boxes.end(),
                                     [&](const Box& box) { return box.feature != f; });
    missing_.start(node.segments.size());
    if (columns_.column(static_cast<std::size_t>(f)).has_missing) {
      const Code* codes = columns_.codes(static_cast<std::size_t>(f));
      for (std::size_t s = 0; s < node.segments.size(); ++s) {
        const Row* rows = source.rows_of(node.segments[s]);
        for (Row i = 0; i < node.segments[s].count; ++i) {
          if (codes[rows[i]] == kMissingCode) missing_.add(s, source.weight(rows[i]));
        }
      }
    }
    offer_.start(node, missing_);
    refine_.offer_cuts(source, node, {rest, boxes.end()}, boxes_.lower, offer_);
    boxes.erase(rest, boxes.end());
    shortlist_.flush();
  }
}

template <class T>
Split NodeSearch<T>::resolve(const Source<T>& source, const Node& node,
                             const Shortlist::Choice& choice) {
  Split split;
  split.cut = choice.cut;
  const int f = choice.cut.feature;
  split.n_children = 2;
  if (columns_.column(static_cast<std::size_t>(f)).is_nominal()) {
    const CategoryTable& table = nominal_.tally(source, node, f);
    split.categories = nominal_.routes(choice.cut, random_of(node, f));
    if (choice.cut.kind == CutKind::kMultiway) {
      split.n_children = static_cast<int>(table.size()) + table.has_missing();
      if (table.has_missing()) split.missing_child = split.n_children - 1;
    } else if (table.has_missing()) {
      split.missing_child = choice.cut.missing_left ? 0 : 1;
    }
    return split;
  }
  if (random_.is_used()) {
    random_.resolve(choice.cut, split);
    return split;
  }
  if (resolve_from_values(node, split)) return split;
  FeatureTally<RowCount> tally;
  if (node.tally >= 0) tally = store_.feature(node.tally, f, node.segments.data());
  find_threshold(source, node, is_coarse(source, node), node.tally >= 0 ? &tally : nullptr, split);
  return split;
}

template <class T>
bool NodeSearch<T>::resolve_from_values(const Node& node, Split& split) {
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

template class NodeSearch<float>;
template class NodeSearch<double>;

}  // namespace rarewood

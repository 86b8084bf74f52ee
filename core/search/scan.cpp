#include "search/scan.hpp"

#include <algorithm>
#include <limits>

#include "base/occupied.hpp"

namespace rarewood {

template <class Count, class Rows>
Scan<Count, Rows>::Scan(Candidates& candidates, const GrowOptions& options, bool is_exact)
    : candidates_(candidates),
      // A limit on the leaves may forbid the ends of a run, and then its inside matters.
      merges_runs_(candidates.criterion().traits().boundary && !options.limits_leaves()),
      is_exact_(is_exact),
      // The two edges of a box have been added themselves, unless they were not allowed.
      is_every_corner_(!merges_runs_) {}

template <class Count, class Rows>
void Scan<Count, Rows>::add_any_edges(const FeatureHistogram<Count>& histogram,
                                      const FeatureHistogram<Rows>& rows, const Column& column,
                                      int feature, const Node& node, CutCandidates& cuts,
                                      BoxList& boxes) {
  const std::size_t k = node.segments.size();
  node_ = &node;
  for (auto* counts : {&left_, &in_bin_, &left_rows_, &rows_in_bin_}) counts->assign(k, 0.0);
  pending_.clear();
  ends_.clear();

  constexpr int kEmpty = -1, kMixed = -2;  // the classes of a bin: none, several, or else which
  int run = kEmpty;                        // the class of the run that ends at the left of this bin
  int last = 0;                            // its last bin
  for (int b = 0; b < column.n_bins; ++b) {
    int classes = kEmpty;
    double n_rows = 0;
    for (std::size_t s = 0; s < k; ++s) {
      in_bin_[s] = static_cast<double>(histogram.bins(s)[b]);
      rows_in_bin_[s] = static_cast<double>(rows.bins(s)[b]);
      n_rows += rows_in_bin_[s];
      if (rows_in_bin_[s] > 0) classes = classes == kEmpty ? static_cast<int>(s) : kMixed;
    }
    if (classes == kEmpty) continue;
    const bool goes_on = merges_runs_ && classes == run && classes != kMixed;
    if (run != kEmpty && !goes_on) {
      cuts.add({.feature = feature, .bin = last}, left_.data(), left_rows_.data());
    }
    if (is_exact_ && !column.is_single[b] && n_rows > 1 && (classes == kMixed || !merges_runs_)) {
      note_box(b);
    }
    for (std::size_t s = 0; s < k; ++s) {
      left_[s] += in_bin_[s];
      left_rows_[s] += rows_in_bin_[s];
    }
    run = classes;
    last = b;
  }
  candidates_.flush();
  if (pending_.empty()) return;

  for (std::size_t box = 0; box < pending_.size(); ++box) {
    add_corners(box, nullptr);
    if (cuts.missing().n_rows > 0) add_corners(box, &cuts.missing());
  }
  keep_boxes_in_reach(feature, boxes);
}

template <class Count, class Rows>
void Scan<Count, Rows>::keep_boxes_in_reach(int feature, BoxList& boxes) {
  const std::size_t k = node_->segments.size();
  screen_corners();
  for (const Pending& box : pending_) {
    if (!candidates_.is_in_reach(box.bound)) continue;
    std::copy_n(ends_.data() + box.at, 2 * k, boxes.add(feature, box.bin, box.bound, k));
  }
}

template <class Count, class Rows>
void Scan<Count, Rows>::add_few_class_edges(const FeatureHistogram<Count>& histogram,
                                            const Column& column, int feature, const Node& node,
                                            BoxList& boxes) {
  const std::size_t k = node.segments.size();
  node_ = &node;
  pending_.clear();
  ends_.clear();
  few_edges_.resize(k * kStride);
  std::size_t largest = 0;
  BinMask mask{};
  std::array<const Count*, kFewClasses> bins;
  for (std::size_t s = 0; s < k; ++s) {
    bins[s] = histogram.bins(s);
    if (node.totals[s] > node.totals[largest]) largest = s;
  }
  for (std::size_t s = 0; s < k; ++s) {
    if (s == largest) continue;
    const BinMask own = occupied_bins(bins[s]);
    for (std::size_t word = 0; word < mask.size(); ++word) mask[word] |= own[word];
  }
  std::array<Count, kCodes + 1> before;  // of the largest class: rows in the bins before b
  before[0] = 0;
  for (std::size_t b = 0; b < static_cast<std::size_t>(column.n_bins); ++b) {
    before[b + 1] = before[b] + bins[largest][b];
  }

  std::array<double, kFewClasses> left{}, in_bin{};
  left_.assign(k, 0.0);  // only its size matters here
  double largest_at_last_edge = 0, n_left = 0;
  std::size_t n_edges = 0;
  auto add_edge = [&](int bin) {
    edge_bin_[n_edges] = bin;
    for (std::size_t s = 0; s < k; ++s) few_edges_[s * kStride + n_edges] = left[s];
    ++n_edges;
  };
  for_each_bin(mask, [&](int b) {
    if (b == kMissingCode) return;
    left[largest] = static_cast<double>(before[b]);
    if (left[largest] != largest_at_last_edge) add_edge(b - 1);
    unsigned mixed = 0;
    n_left = 0;
    for (std::size_t s = 0; s < k; ++s) {
      in_bin[s] = static_cast<double>(bins[s][b]);
      mixed += in_bin[s] > 0;
      n_left += left[s] + in_bin[s];
    }
    if (mixed > 1 && is_exact_ && !column.is_single[b]) {
      pending_.push_back({b, -std::numeric_limits<double>::infinity(), ends_.size()});
      for (int part = 0; part < 2; ++part)
        ends_.insert(ends_.end(), left.begin(), left.begin() + static_cast<std::ptrdiff_t>(k));
      for (int part = 0; part < 2; ++part) {
        for (std::size_t s = 0; s < k; ++s) ends_.push_back(left[s] + in_bin[s]);
      }
    }
    for (std::size_t s = 0; s < k; ++s) left[s] += in_bin[s];
    if (n_left < node.weight) add_edge(b);
    largest_at_last_edge = left[largest];
  });
  auto is_empty = [&](int b) {
    return std::all_of(bins.begin(), bins.begin() + static_cast<std::ptrdiff_t>(k),
                       [&](const Count* counts) { return counts[b] == 0; });
  };
  add_edge_cuts(few_edges_.data(), n_edges, feature, is_empty);
  for (std::size_t box = 0; box < pending_.size(); ++box) add_corners(box, nullptr);
  keep_boxes_in_reach(feature, boxes);
}

template <class Count, class Rows>
void Scan<Count, Rows>::add_two_class_edges(const FeatureHistogram<Count>& histogram,
                                            const Column& column, int feature, const Node& node,
                                            BoxList& boxes) {
  const std::size_t few = node.totals[0] <= node.totals[1] ? 0 : 1, many = 1 - few;
  const Count *marks = histogram.bins(few), *others = histogram.bins(many);
  double *few_edges = edges_.data() + few * kStride, *many_edges = edges_.data() + many * kStride;
  double* few_corners = corners_.data() + few * kStride;
  double* many_corners = corners_.data() + many * kStride;
  const double n_few = node.totals[few], n_many = node.totals[many];

  std::array<Count, kCodes + 1> before;  // of the larger class: rows in the bins before b
  before[0] = 0;
  for (int b = 0; b < column.n_bins; ++b) {
    before[static_cast<std::size_t>(b) + 1] = before[b] + others[b];
  }

  std::size_t n_edges = 0, n_boxes = 0;
  double few_left = 0, many_at_last_edge = 0;  // no edge yet: an empty left side is not a cut
  for_each_bin(occupied_bins(marks), [&](int b) {
    const auto at = static_cast<std::size_t>(b);
    if (b == kMissingCode) return;
    const auto many_left = static_cast<double>(before[at]);
    const auto many_next = static_cast<double>(before[at + 1]);
    const double few_next = few_left + static_cast<double>(marks[b]);
    if (many_left != many_at_last_edge) {  // rows of the larger class lie before this bin
      edge_bin_[n_edges] = b - 1;
      few_edges[n_edges] = few_left;
      many_edges[n_edges++] = many_left;
    }
    if (many_next > many_left && is_exact_ && !column.is_single[at]) {
      box_bin_[n_boxes] = b;
      few_corners[2 * n_boxes] = few_next;  // all of the smaller class first
      many_corners[2 * n_boxes] = many_left;
      few_corners[2 * n_boxes + 1] = few_left;
      many_corners[2 * n_boxes++ + 1] = many_next;
    }
    if (few_next < n_few || many_next < n_many) {
      edge_bin_[n_edges] = b;
      few_edges[n_edges] = few_next;
      many_edges[n_edges++] = many_next;
    }
    few_left = few_next;
    many_at_last_edge = many_next;
  });
  auto is_empty = [&](int b) { return marks[b] == 0 && others[b] == 0; };
  add_edge_cuts(edges_.data(), n_edges, feature, is_empty);
  if (n_boxes == 0) return;
  candidates_.criterion().screen({.totals = node.totals.data(),
                                  .n_classes = 2,
                                  .n = 2 * n_boxes,
                                  .stride = kStride,
                                  .left = corners_.data(),
                                  .is_whole = candidates_.counts_rows()},
                                 screened_.data());
  for (std::size_t i = 0; i < n_boxes; ++i) {
    const double bound = std::max(screened_[2 * i], screened_[2 * i + 1]);
    if (!candidates_.is_in_reach(bound)) continue;
    double* lower = boxes.add(feature, box_bin_[i], bound, 2);
    lower[few] = lower[2 + few] = few_corners[2 * i + 1];
    lower[many] = lower[2 + many] = many_corners[2 * i];
  }
}

// Adds the cuts at edge_bin_. Between two occupied bins the cut is that after the lower one, as in
// add_any_edges: a threshold must not depend on which class is the smaller one, or on weights.
template <class Count, class Rows>
template <class IsEmpty>
void Scan<Count, Rows>::add_edge_cuts(const double* left, std::size_t n, int feature,
                                      IsEmpty&& is_empty) {
  candidates_.add_all(left, kStride, n, [&](std::size_t i) {
    int bin = edge_bin_[i];
    while (is_empty(bin)) --bin;  // some row lies on the left
    return Cut{.feature = feature, .bin = bin};
  });
}

template <class Count, class Rows>
void Scan<Count, Rows>::note_box(int bin) {
  pending_.push_back({bin, -std::numeric_limits<double>::infinity(), ends_.size()});
  ends_.insert(ends_.end(), left_.begin(), left_.end());
  ends_.insert(ends_.end(), left_rows_.begin(), left_rows_.end());
  for (std::size_t s = 0; s < left_.size(); ++s) ends_.push_back(left_[s] + in_bin_[s]);
  for (std::size_t s = 0; s < left_.size(); ++s) ends_.push_back(left_rows_[s] + rows_in_bin_[s]);
}

// `missing`: the missing values that go left with the box, if any.
template <class Count, class Rows>
void Scan<Count, Rows>::add_corners(std::size_t box, const Missing* missing) {
  const std::size_t k = left_.size();
  const double *lower_rows = ends_.data() + pending_[box].at + k, *upper_rows = lower_rows + 2 * k;
  unsigned mixed = 0;
  for (std::size_t s = 0; s < k; ++s) mixed += upper_rows[s] > lower_rows[s];
  if (mixed > kMaxMixed || !candidates_.criterion().traits().bounded) {
    pending_[box].bound = std::numeric_limits<double>::infinity();
    return;
  }
  const unsigned full = (1u << mixed) - 1;
  const unsigned first = is_every_corner_ ? 0 : 1, last = is_every_corner_ ? full : full - 1;
  for (unsigned chosen = first; chosen <= last; ++chosen) add_corner(box, missing, chosen);
}

// Bit i of `chosen`: the i-th class that the bin holds lies wholly on the left.
template <class Count, class Rows>
void Scan<Count, Rows>::add_corner(std::size_t box, const Missing* missing, unsigned chosen) {
  const std::size_t k = left_.size();
  if (corner_left_.size() < k * kCorners) {
    corner_left_.resize(k * kCorners);
    corner_lower_.resize(k * kCorners);
    corner_upper_.resize(k * kCorners);
  }
  const double* lower = ends_.data() + pending_[box].at;
  const double *lower_rows = lower + k, *upper = lower + 2 * k, *upper_rows = lower + 3 * k;
  const std::size_t at = corner_box_.size();
  for (std::size_t s = 0; s < k; ++s) {
    bool is_left = false;
    if (upper_rows[s] > lower_rows[s]) {
      is_left = (chosen & 1u) != 0;
      chosen >>= 1;
    }
    const double low = CutCandidates::settled(*node_, s, lower[s], lower_rows[s], missing);
    const double high = CutCandidates::settled(*node_, s, upper[s], upper_rows[s], missing);
    corner_left_[s * kCorners + at] = is_left ? high : low;
    corner_lower_[s * kCorners + at] = low;
    corner_upper_[s * kCorners + at] = high;
  }
  corner_box_.push_back(box);
  if (corner_box_.size() == kCorners) screen_corners();
}

template <class Count, class Rows>
void Scan<Count, Rows>::screen_corners() {
  if (corner_box_.empty()) return;
  candidates_.criterion().screen({.totals = node_->totals.data(),
                                  .n_classes = node_->n_classes(),
                                  .n = corner_box_.size(),
                                  .stride = kCorners,
                                  .left = corner_left_.data(),
                                  .lower = corner_lower_.data(),
                                  .upper = corner_upper_.data(),
                                  .is_whole = candidates_.counts_rows()},
                                 screened_.data());
  for (std::size_t i = 0; i < corner_box_.size(); ++i) {
    double& bound = pending_[corner_box_[i]].bound;
    bound = std::max(bound, screened_[i]);
  }
  corner_box_.clear();
}

template class Scan<RowCount, RowCount>;
template class Scan<double, RowCount>;
template class Scan<std::uint64_t, std::uint64_t>;
template class Scan<double, std::uint64_t>;

}  // namespace rarewood

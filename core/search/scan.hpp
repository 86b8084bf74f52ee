// From a feature's histogram to its cuts at code edges, and to the bins that might hide a better
// one.
//
// A cut inside a bin has left counts in the box between the bin's two edges. For a bounded
// criterion the corners of the box bound it: most bins are out of reach of the best edge and
// need no look at their values.
#pragma once

#include <array>
#include <vector>

#include "search/cut_candidates.hpp"
#include "search/histogram.hpp"

namespace rarewood {

// A bin that may hold a better cut than its edges.
struct Box {
  int feature;
  int bin;
  double bound;       // no cut inside has a larger screening value
  std::size_t lower;  // where BoxList::lower has the left counts and rows at its lower edge
};

struct BoxList {
  std::vector<Box> boxes;
  std::vector<double> lower;

  void clear() {
    boxes.clear();
    lower.clear();
  }
  // Returns space for k counts and then k numbers of rows.
  double* add(int feature, int bin, double bound, std::size_t k) {
    boxes.push_back({feature, bin, bound, lower.size()});
    lower.resize(lower.size() + 2 * k);
    return lower.data() + boxes.back().lower;
  }
};

// Counts what the criterion sees, rows or weight, and rows.
template <class Count, class Rows>
class Scan {
 public:
  Scan(Candidates& candidates, const GrowOptions& options, bool is_exact);

  // Adds the cuts at the edges of a numeric feature and appends the boxes still in reach. `rows`
  // is the same histogram in rows, where `histogram` is in weights.
  void add_edges(const FeatureHistogram<Count>& histogram, const FeatureHistogram<Rows>& rows,
                 const Column& column, int feature, const Node& node, CutCandidates& cuts,
                 BoxList& boxes) {
    if (merges_runs_ && cuts.is_plain() && node.n_classes() == 2) {
      add_two_class_edges(histogram, column, feature, node, boxes);
    } else if (merges_runs_ && cuts.is_plain() && node.n_classes() <= kFewClasses) {
      add_few_class_edges(histogram, column, feature, node, boxes);
    } else {
      add_any_edges(histogram, rows, column, feature, node, cuts, boxes);
    }
  }

 private:
  void add_any_edges(const FeatureHistogram<Count>& histogram, const FeatureHistogram<Rows>& rows,
                     const Column& column, int feature, const Node& node, CutCandidates& cuts,
                     BoxList& boxes);

  // The common case written short: only bins with rows of the smaller class make edges and boxes.
  void add_two_class_edges(const FeatureHistogram<Count>& histogram, const Column& column,
                           int feature, const Node& node, BoxList& boxes);

  // The same for a few classes: bins with rows of any but the largest class.
  void add_few_class_edges(const FeatureHistogram<Count>& histogram, const Column& column,
                           int feature, const Node& node, BoxList& boxes);

  template <class IsEmpty>
  void add_edge_cuts(const double* left, std::size_t n, int feature, IsEmpty&& is_empty);

  // Boxes of the feature at hand, and their corners in the layout of the screen.
  struct Pending {
    int bin;
    double bound;
    std::size_t at;  // of its lower counts and rows, and its upper counts and rows
  };
  static constexpr std::size_t kCorners = 512;
  static constexpr int kFewClasses = 6;
  static constexpr int kMaxMixed = 6;  // classes in a bin: beyond 2^6 corners it is just refined

  void note_box(int bin);
  void add_corners(std::size_t box, const Missing* missing);
  void add_corner(std::size_t box, const Missing* missing, unsigned chosen);
  void screen_corners();
  void keep_boxes_in_reach(int feature, BoxList& boxes);

  Candidates& candidates_;
  bool merges_runs_;
  bool is_exact_;
  bool is_every_corner_;

  const Node* node_ = nullptr;
  std::vector<double> left_, in_bin_, left_rows_, rows_in_bin_;
  std::vector<Pending> pending_;
  std::vector<double> ends_;
  std::vector<std::size_t> corner_box_;
  std::vector<double> corner_left_, corner_lower_, corner_upper_;
  std::vector<double> screened_ = std::vector<double>(kCorners);

  // Of the two-class case: edges and corners, class by class, at most two of each per bin.
  static constexpr std::size_t kStride = 2 * kCodes;
  std::array<double, 2 * kStride> edges_, corners_;
  std::array<int, kStride> edge_bin_;
  std::array<int, kCodes> box_bin_;
  std::vector<double> few_edges_;  // of a few classes
};

// Missing values of a feature at a node.
template <class Count, class Rows>
void find_missing(const FeatureHistogram<Count>& histogram, const FeatureHistogram<Rows>& rows,
                  std::size_t k, Missing& missing) {
  missing.start(k);
  for (std::size_t s = 0; s < k; ++s) {
    missing.counts[s] = static_cast<double>(histogram.bins(s)[kMissingCode]);
    missing.rows[s] = static_cast<double>(rows.bins(s)[kMissingCode]);
    missing.n_rows += missing.rows[s];
  }
}

}  // namespace rarewood

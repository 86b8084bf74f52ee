// Class counts per code.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "search/node.hpp"

namespace rarewood {

// Counts are integers, and therefore exact in any order, unless rows are weighted.
using RowCount = std::uint32_t;

// The counts of one feature at one node: `bins(s)` are the 256 counts of segment s.
template <class Count>
struct FeatureHistogram {
  const Count* base = nullptr;
  std::size_t stride = kCodes;
  const Segment* segments = nullptr;
  bool by_class = false;  // rows of counts are numbered by class rather than by segment

  const Count* bins(std::size_t s) const {
    return base + stride * (by_class ? static_cast<std::size_t>(segments[s].of_class) : s);
  }
};

// Counts one feature of one node into `counts` (segments x 256): rows, or their weight.
template <class Count, class T>
FeatureHistogram<Count> histogram_feature(const Source<T>& source, const Node& node, int f,
                                          std::vector<Count>& counts) {
  counts.assign(node.segments.size() * kCodes, Count{0});
  const Code* codes = source.columns->codes(f);
  for (std::size_t s = 0; s < node.segments.size(); ++s) {
    Count* bins = counts.data() + s * kCodes;
    for (Row row : source.rows_of(node.segments[s])) {
      bins[codes[row]] += std::is_integral_v<Count> ? Count{1} : Count(source.weight(row));
    }
  }
  return {counts.data(), kCodes, node.segments.data(), false};
}

// Histograms of all features of several nodes (classes x features x 256 each), kept while their
// children wait: a child's histogram is its parent's minus its sibling's. The counts of one class
// lie together: rows are counted class by class, and those counts stay in the first-level cache.
class HistogramStore {
 public:
  // `weights`: of every row of the table, or null. Their sums are exact (see
  // table/weight_grid.hpp), so they can be subtracted as counts are.
  HistogramStore(const Columns& columns, int n_classes, const double* weights = nullptr);

  // Does at least one histogram fit the budget?
  bool is_usable() const { return is_usable_; }
  int take();  // a histogram without meaningful contents; -1 when too many are in use
  void give_back(int histogram);

  // Counts the rows of a node.
  void count(int histogram, const Row* rows, std::span<const Segment> segments);
  // Takes the rows of a node out again.
  void remove(int histogram, const Row* rows, std::span<const Segment> segments);
  // histogram -= part, cell by cell, for the classes that `part` has.
  void subtract(int histogram, int part, std::span<const Segment> segments);

  FeatureHistogram<RowCount> feature(int histogram, int f, const Segment* segments) const {
    return view(histograms_[histogram].rows, f, segments);
  }
  // The same in weights, where there are any.
  FeatureHistogram<double> weights(int histogram, int f, const Segment* segments) const {
    return view(histograms_[histogram].weights, f, segments);
  }

 private:
  struct Histogram {
    std::vector<RowCount> rows;
    std::vector<double> weights;
  };

  template <bool kAdds>
  void change(int histogram, const Row* rows, std::span<const Segment> segments);
  template <class Count>
  FeatureHistogram<Count> view(const std::vector<Count>& counts, int f,
                               const Segment* segments) const {
    return {counts.data() + static_cast<std::size_t>(f) * kCodes, first_of(1), segments, true};
  }
  // Where the counts of a class begin in a histogram.
  std::size_t first_of(int of_class) const {
    return static_cast<std::size_t>(of_class) * columns_.n_features() * kCodes;
  }

  const Columns& columns_;
  std::size_t n_classes_;
  const double* weights_;
  bool is_usable_;
  std::size_t capacity_;  // histograms that may be held at once
  std::vector<Histogram> histograms_;
  std::vector<int> free_;
};

}  // namespace rarewood

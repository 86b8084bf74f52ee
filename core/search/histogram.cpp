#include "search/histogram.hpp"

#include <algorithm>

namespace rarewood {

namespace {

constexpr std::ptrdiff_t kAhead = 32;  // rows are far apart in deep nodes: prefetch them
constexpr std::size_t kBudgetBytes = std::size_t{64} << 20;  // for all histograms of one tree

// Adds to the count of each feature's code. Several codes are read before the first count is
// written: the compiler cannot prove that the codes do not change with it.
template <class Count>
inline void add_codes(const Code* codes, std::size_t n_features, Count n, Count* bins) {
  constexpr std::size_t kAtOnce = 8;
  std::size_t f = 0;
  for (; f + kAtOnce <= n_features; f += kAtOnce) {
    std::size_t at[kAtOnce];
    for (std::size_t j = 0; j < kAtOnce; ++j) at[j] = codes[f + j];
    for (std::size_t j = 0; j < kAtOnce; ++j) bins[(f + j) * kCodes + at[j]] += n;
  }
  for (; f < n_features; ++f) bins[f * kCodes + codes[f]] += n;
}

}  // namespace

HistogramStore::HistogramStore(const Columns& columns, int n_classes, const double* weights)
    : columns_(columns), n_classes_(static_cast<std::size_t>(n_classes)), weights_(weights) {
  const std::size_t bytes = sizeof(RowCount) + (weights ? sizeof(double) : 0);
  capacity_ = std::min<std::size_t>(kBudgetBytes / (bytes * first_of(n_classes)), 64);
  is_usable_ = capacity_ >= 4;
}

int HistogramStore::take() {
  if (free_.empty()) {
    if (histograms_.size() >= capacity_) return -1;
    const std::size_t n_cells = first_of(static_cast<int>(n_classes_));
    histograms_.push_back(
        {std::vector<RowCount>(n_cells), std::vector<double>(weights_ ? n_cells : 0)});
    return static_cast<int>(histograms_.size()) - 1;
  }
  const int histogram = free_.back();
  free_.pop_back();
  return histogram;
}

void HistogramStore::give_back(int histogram) {
  if (histogram >= 0) free_.push_back(histogram);
}

template <bool kAdds>
void HistogramStore::change(int histogram, const Row* rows, std::span<const Segment> segments) {
  Histogram& counts = histograms_[histogram];
  const Code* codes = columns_.row_codes();
  const std::size_t n_features = columns_.n_features();
  for (const Segment& segment : segments) {
    RowCount* const bins = counts.rows.data() + first_of(segment.of_class);
    double* const weighed = weights_ ? counts.weights.data() + first_of(segment.of_class) : nullptr;
    const Row* const end = rows + segment.begin + segment.count;
    for (const Row* at_row = rows + segment.begin; at_row < end;) {
      const Row row = *at_row;
      if (end - at_row > kAhead) {
        const Code* const ahead = codes + at_row[kAhead] * n_features;
        __builtin_prefetch(ahead);
        __builtin_prefetch(ahead + n_features - 1);  // often in the next line
      }
      RowCount n_copies = 0;  // those of a bootstrapped row lie together
      for (; at_row < end && *at_row == row; ++at_row) ++n_copies;
      const Code* const own = codes + row * n_features;
      if (weighed)
        add_codes(own, n_features, (kAdds ? n_copies : -1.0 * n_copies) * weights_[row], weighed);
      if constexpr (!kAdds) n_copies = -n_copies;  // counts wrap: adding this takes away
      add_codes(own, n_features, n_copies, bins);
    }
  }
}

void HistogramStore::count(int histogram, const Row* rows, std::span<const Segment> segments) {
  Histogram& counts = histograms_[histogram];
  std::fill(counts.rows.begin(), counts.rows.end(), RowCount{0});
  std::fill(counts.weights.begin(), counts.weights.end(), 0.0);
  change<true>(histogram, rows, segments);
}

void HistogramStore::remove(int histogram, const Row* rows, std::span<const Segment> segments) {
  change<false>(histogram, rows, segments);
}

void HistogramStore::subtract(int histogram, int part, std::span<const Segment> segments) {
  Histogram& from = histograms_[histogram];
  const Histogram& what = histograms_[part];
  for (const Segment& segment : segments) {
    const std::size_t begin = first_of(segment.of_class), end = first_of(segment.of_class + 1);
    for (std::size_t at = begin; at < end; ++at) from.rows[at] -= what.rows[at];
    if (!weights_) continue;
    for (std::size_t at = begin; at < end; ++at) from.weights[at] -= what.weights[at];
  }
}

}  // namespace rarewood

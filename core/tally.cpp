#include "tally.hpp"

#include <algorithm>

namespace rarewood {

namespace {

constexpr Row kAhead = 12;  // rows are far apart in deep nodes: ask for them early
constexpr std::size_t kBudgetBytes = std::size_t{64} << 20;  // for all tallies of one tree

}  // namespace

TallyStore::TallyStore(const Columns& columns, int n_classes)
    : columns_(columns), n_classes_(static_cast<std::size_t>(n_classes)) {
  const std::size_t bytes = columns.n_features() * n_classes_ * kCodes * sizeof(RowCount);
  capacity_ = std::min<std::size_t>(kBudgetBytes / bytes, 64);
  is_usable_ = capacity_ >= 4;
}

int TallyStore::take() {
  if (free_.empty()) {
    if (tallies_.size() >= capacity_) return -1;
    tallies_.emplace_back(columns_.n_features() * n_classes_ * kCodes);
    return static_cast<int>(tallies_.size()) - 1;
  }
  const int tally = free_.back();
  free_.pop_back();
  return tally;
}

void TallyStore::give_back(int tally) {
  if (tally >= 0) free_.push_back(tally);
}

template <bool kAdds>
void TallyStore::change(int tally, const Row* rows, const std::vector<Segment>& segments) {
  RowCount* const counts = tallies_[static_cast<std::size_t>(tally)].data();
  const Code* codes = columns_.row_codes();
  const std::size_t n_features = columns_.n_features(), step = n_classes_ * kCodes;
  for (const Segment& segment : segments) {
    RowCount* bins = counts + static_cast<std::size_t>(segment.of_class) * kCodes;
    for (Row i = 0; i < segment.count; ++i) {
      const Row* at_row = rows + segment.begin + i;
      const Code* row = codes + *at_row * n_features;
      if (i + kAhead < segment.count) __builtin_prefetch(codes + at_row[kAhead] * n_features);
      RowCount* at = bins;
      for (std::size_t f = 0; f < n_features; ++f, at += step) {
        if constexpr (kAdds) {
          ++at[row[f]];
        } else {
          --at[row[f]];
        }
      }
    }
  }
}

void TallyStore::count(int tally, const Row* rows, const std::vector<Segment>& segments) {
  std::vector<RowCount>& counts = tallies_[static_cast<std::size_t>(tally)];
  std::fill(counts.begin(), counts.end(), RowCount{0});
  change<true>(tally, rows, segments);
}

void TallyStore::remove(int tally, const Row* rows, const std::vector<Segment>& segments) {
  change<false>(tally, rows, segments);
}

void TallyStore::subtract(int tally, int part, const std::vector<Segment>& segments) {
  RowCount* from = tallies_[static_cast<std::size_t>(tally)].data();
  const RowCount* what = tallies_[static_cast<std::size_t>(part)].data();
  for (std::size_t f = 0; f < columns_.n_features(); ++f) {
    for (const Segment& segment : segments) {
      const std::size_t at = (f * n_classes_ + static_cast<std::size_t>(segment.of_class)) * kCodes;
      for (std::size_t b = 0; b < kCodes; ++b) from[at + b] -= what[at + b];
    }
  }
}

}  // namespace rarewood

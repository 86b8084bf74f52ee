#include "table/class_sample.hpp"

#include "table/bins.hpp"

namespace rarewood {

ClassSample::ClassSample(std::span<const std::int64_t> counts, std::size_t n_sample, int max_bins) {
  const auto n_classes = static_cast<std::size_t>(
      std::count_if(counts.begin(), counts.end(), [](std::int64_t n) { return n > 0; }));
  const std::size_t share =
      std::max<std::size_t>(n_sample / std::max<std::size_t>(n_classes, 1), 1);
  // Copies of one row alone must not fill more than half a bin.
  const std::size_t most = n_sample / (2 * static_cast<std::size_t>(max_bins));
  for (const std::int64_t n : counts) {
    rank_.push_back(sample_rows(static_cast<std::size_t>(n), share));
    const std::size_t n_rows = rank_.back().size();
    n_copies_.push_back(
        n_classes < 2 ? 1
                      : std::clamp<std::size_t>(share / std::max<std::size_t>(n_rows, 1), 1, most));
    size_ += n_rows * n_copies_.back();
  }
}

}  // namespace rarewood

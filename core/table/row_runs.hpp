// Which rows of a table have been seen: runs that do not touch each other, ascending.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace rarewood {

struct RowRun {
  std::size_t begin;
  std::size_t end;
};

class RowRuns {
 public:
  const std::vector<RowRun>& runs() const { return runs_; }

  std::size_t n_rows() const {
    std::size_t n = 0;
    for (const RowRun& run : runs_) n += run.end - run.begin;
    return n;
  }

  bool overlaps(RowRun run) const {
    const auto next = runs_.begin() + first_ending_after(run.begin);
    return next != runs_.end() && next->begin < run.end && run.begin < run.end;
  }

  // A run that overlaps none of those that are here; it grows together with its neighbours.
  void add(RowRun run) {
    if (run.begin == run.end) return;
    auto next = runs_.begin() + first_ending_after(run.begin);
    if (next != runs_.begin() && std::prev(next)->end == run.begin) {
      --next;
      next->end = run.end;
    } else {
      next = runs_.insert(next, run);
    }
    const auto after = std::next(next);
    if (after != runs_.end() && after->begin == next->end) {
      next->end = after->end;
      runs_.erase(after);
    }
  }

 private:
  std::ptrdiff_t first_ending_after(std::size_t row) const {
    return std::partition_point(runs_.begin(), runs_.end(),
                                [row](const RowRun& run) { return run.end <= row; }) -
           runs_.begin();
  }

  std::vector<RowRun> runs_;
};

}  // namespace rarewood

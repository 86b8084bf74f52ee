// The rows whose values represent the columns of a table, drawn class by class.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "table/row_runs.hpp"

namespace rarewood {

// Classes of consecutive rows. Without any, all rows of the table are of one class.
struct RowClasses {
  std::span<const std::int32_t> of_row;
  std::span<const std::int64_t> n_before;  // rows of each class before these
};

// Every class has the same number of rows in the sample, evenly spaced by their rank in the class;
// of a class with fewer rows all are taken, each several times. A sample is a function of the
// number of rows of each class, and each part of a table can find its own.
class ClassSample {
 public:
  // The number of rows of each class in the whole table, or one number for a table without classes.
  ClassSample(std::span<const std::int64_t> counts, std::size_t n_sample, int max_bins);

  // Size of the whole sample, copies included.
  std::size_t size() const { return size_; }

  // Calls take(i, n_copies) for each sampled row begin + i of a run.
  template <class Take>
  void for_each(RowRun run, const RowClasses& classes, Take&& take) const {
    if (classes.of_row.empty()) {
      for (std::size_t at = place(0, run.begin); at < rank_[0].size(); ++at) {
        if (rank_[0][at] >= run.end) return;
        take(rank_[0][at] - run.begin, n_copies_[0]);
      }
      return;
    }
    std::vector<std::size_t> rank(classes.n_before.begin(), classes.n_before.end()), at;
    for (std::size_t c = 0; c < rank.size(); ++c) at.push_back(place(c, rank[c]));
    for (std::size_t i = 0; i < classes.of_row.size(); ++i) {
      const auto c = static_cast<std::size_t>(classes.of_row[i]);
      const std::size_t here = rank[c]++;
      if (at[c] == rank_[c].size() || rank_[c][at[c]] != here) continue;
      ++at[c];
      take(i, n_copies_[c]);
    }
  }

 private:
  // The first sampled row of a class from a rank on.
  std::size_t place(std::size_t c, std::size_t rank) const {
    return static_cast<std::size_t>(std::lower_bound(rank_[c].begin(), rank_[c].end(), rank) -
                                    rank_[c].begin());
  }

  std::vector<std::vector<std::size_t>> rank_;  // of each class, ascending
  std::vector<std::size_t> n_copies_;           // of each row of a class
  std::size_t size_ = 0;
};

}  // namespace rarewood

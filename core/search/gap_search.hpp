// The search of small nodes, where only cuts next to a change of class matter.
//
// The best cut then lies just below or just above a value of a class other than the largest.
// Those values, the marks, are sorted; the values of the largest class are merely counted into
// the gaps between them. Counting is a comparison of every pair, which vector code does faster
// than any sort of so few.
#pragma once

#include <algorithm>
#include <vector>

#include "base/count_below.hpp"
#include "base/radix_sort.hpp"
#include "search/cut_candidates.hpp"
#include "search/node_values.hpp"

namespace rarewood {

template <class T>
class GapSearch {
 public:
  // The values may be those of one bin: `base` then has the left counts at its lower edge.
  void add_cuts(const NodeValues<T>& values, int feature, CutCandidates& cuts, int bin = 0,
                const double* base = nullptr) {
    const std::size_t k = values.end.size();
    std::size_t largest = 0;
    for (std::size_t s = 1; s < k; ++s) {
      if (values.size_of(s) > values.size_of(largest)) largest = s;
    }
    sort_marks(values, largest);
    const std::size_t n_others = values.size_of(largest);
    make_room(below_, marks_.size());
    make_room(up_to_, marks_.size());
    const T* others = values.value.data() + values.begin_of(largest);
    if (marks_.size() > kMergedMarks) {
      merge_below(others, n_others);
    } else {
      count_below(marks_.data(), marks_.size(), others, n_others, below_.data(), up_to_.data());
    }
    auto add_listed = [&] {
      if (base) {
        for (std::size_t s = 0; s < k; ++s) {
          for (std::size_t i = 0; i < n_cuts_; ++i) left_[s * stride_ + i] += base[s];
        }
      }
      auto make_cut = [&](std::size_t i) {
        return Cut{.feature = feature,
                   .bin = bin,
                   .value = static_cast<double>(marks_[at_[i] / 2]),
                   .includes_value = at_[i] % 2 == 1};
      };
      cuts.add_all(left_.data(), left_.data(), stride_, n_cuts_, make_cut);
      n_cuts_ = 0;
    };
    if (k == 2) {
      list_two_class_cuts(largest, n_others);
      add_listed();
    } else {
      list_cuts(k, largest, n_others, add_listed);
    }
  }

 private:
  static constexpr std::size_t kRankSort = 128;
  static constexpr std::size_t kMergedMarks = 192;  // above this, sorting beats comparing all pairs

  // Distinct marks ascending. Two classes: with their number. More: items_ has the class of each of
  // them, and end_ the items up to each mark.
  void sort_marks(const NodeValues<T>& values, std::size_t largest) {
    const std::size_t k = values.end.size();
    marks_.clear();
    if (k == 2) {
      const std::size_t s = 1 - largest;
      marks_.assign(values.value.data() + values.begin_of(s), values.value.data() + values.end[s]);
      if (marks_.size() <= kRankSort) return sort_by_rank();
      radix_sort(marks_, scratch_);
      return count_equal_marks();
    }
    items_.clear();
    for (std::size_t s = 0; s < k; ++s) {
      if (s == largest) continue;
      for (std::size_t i = values.begin_of(s); i < values.end[s]; ++i) {
        items_.push_back({values.value[i], static_cast<std::uint32_t>(s)});
      }
    }
    std::sort(items_.begin(), items_.end(),
              [](const Item& a, const Item& b) { return a.value < b.value; });
    end_.clear();
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (i == 0 || items_[i].value != items_[i - 1].value) {
        marks_.push_back(items_[i].value);
        end_.push_back(0);
      }
      end_.back() = static_cast<std::uint32_t>(i + 1);
    }
  }

  // What count_below does, by sorting the others.
  void merge_below(const T* others, std::size_t n) {
    sorted_.assign(others, others + n);
    radix_sort(sorted_, scratch_);
    std::uint32_t at = 0;
    for (std::size_t i = 0; i < marks_.size(); ++i) {
      while (at < n && sorted_[at] < marks_[i]) ++at;
      below_[i] = at;
      while (at < n && sorted_[at] <= marks_[i]) ++at;
      up_to_[i] = at;
    }
  }

  // Few marks: the rank of each is the number of marks up to it, counted as the others are. Equal
  // marks share the rank of the last of them, and those before it stay empty.
  void sort_by_rank() {
    const std::size_t n = marks_.size();
    marks_.resize(n + kMarkRoom);
    make_room(up_to_, n + kMarkRoom);
    make_room(scratch_, n);
    is_rank_.assign(n, 0);
    count_up_to(marks_.data(), n, marks_.data(), n, up_to_.data());
    for (std::size_t i = 0; i < n; ++i) {
      scratch_[up_to_[i] - 1] = marks_[i];
      is_rank_[up_to_[i] - 1] = 1;
    }
    make_room(counts_, n);
    std::uint32_t n_distinct = 0, n_equal = 0;
    for (std::size_t rank = 0; rank < n; ++rank) {  // what an empty rank writes is overwritten
      marks_[n_distinct] = scratch_[rank];
      counts_[n_distinct] = ++n_equal;
      n_distinct += is_rank_[rank];
      n_equal = is_rank_[rank] ? 0 : n_equal;
    }
    marks_.resize(n_distinct);
  }

  void count_equal_marks() {
    counts_.assign(marks_.size(), 1);
    bool any_equal = false;
    for (std::size_t i = 1; i < marks_.size(); ++i) any_equal |= marks_[i] == marks_[i - 1];
    if (!any_equal) return;
    counts_.clear();
    std::size_t n = 0;
    for (std::size_t i = 0; i < marks_.size(); ++i) {
      if (n > 0 && marks_[i] == marks_[n - 1]) {
        ++counts_[n - 1];
      } else {
        marks_[n++] = marks_[i];
        counts_.push_back(1);
      }
    }
    marks_.resize(n);
  }

  // Fills left_ (class by class) and at_: 2 * mark for the cut below it, + 1 for the one above.
  // Cuts are added in batches, so that counts of many classes stay in the cache.
  template <class AddListed>
  void list_cuts(std::size_t k, std::size_t largest, std::size_t n_others, AddListed&& add_listed) {
    const std::size_t n_marks = marks_.size(), n_batch = batch_of(k);
    make_room_for_cuts(k, std::min(2 * n_marks, n_batch));
    running_.assign(k, 0.0);
    auto add = [&](std::size_t mark, std::size_t side) {
      for (std::size_t s = 0; s < k; ++s) left_[s * stride_ + n_cuts_] = running_[s];
      at_[n_cuts_++] = static_cast<std::uint32_t>(2 * mark + side);
      if (n_cuts_ == n_batch) add_listed();
    };
    std::uint32_t item = 0;
    for (std::size_t i = 0; i < n_marks; ++i) {
      // Below the mark, unless nothing lies between it and the one before.
      const bool is_new = i == 0 ? below_[i] > 0 : below_[i] != up_to_[i - 1];
      running_[largest] = below_[i];
      if (is_new) add(i, 0);
      for (; item < end_[i]; ++item) ++running_[items_[item].segment];
      running_[largest] = up_to_[i];
      if (i + 1 < n_marks || up_to_[i] < n_others) add(i, 1);
    }
    add_listed();
  }

  void make_room_for_cuts(std::size_t k, std::size_t n) {
    stride_ = n;
    make_room(left_, k * stride_ + 1);
    make_room(at_, stride_ + 1);  // the last write may be of a cut that is not one
    n_cuts_ = 0;
  }

  void list_two_class_cuts(std::size_t largest, std::size_t n_others) {
    const std::size_t n_marks = marks_.size();
    make_room_for_cuts(2, 2 * n_marks);
    double *few = left_.data() + (1 - largest) * stride_, *many = left_.data() + largest * stride_;
    std::size_t n = 0;
    std::uint32_t n_before = 0, previous = 0;  // marks before this one; others up to the last one
    for (std::size_t i = 0; i < n_marks; ++i) {
      few[n] = n_before;
      many[n] = below_[i];
      at_[n] = static_cast<std::uint32_t>(2 * i);
      n += below_[i] != previous;
      n_before += counts_[i];
      few[n] = n_before;
      many[n] = up_to_[i];
      at_[n] = static_cast<std::uint32_t>(2 * i + 1);
      n += i + 1 < n_marks || up_to_[i] < n_others;
      previous = up_to_[i];
    }
    n_cuts_ = n;
  }

  struct Item {
    T value;
    std::uint32_t segment;
  };

  std::vector<T> marks_, scratch_, sorted_;
  std::vector<Item> items_;
  std::vector<std::uint32_t> counts_, end_, below_, up_to_, at_;
  std::vector<std::uint8_t> is_rank_;
  std::vector<double> left_, running_;
  std::size_t stride_ = 0, n_cuts_ = 0;
};

}  // namespace rarewood

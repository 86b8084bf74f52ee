// The search of small nodes with two classes.
//
// Where only changes of class matter, the best cut lies just below or just above a value of the
// smaller class: its values are sorted, and those of the larger class are merely counted into
// the gaps between them. Counting is a comparison of every pair, which vector code does faster
// than any sort of so few.
#pragma once

#include <algorithm>
#include <vector>

#include "offer.hpp"
#include "values.hpp"

namespace rarewood {

template <class T>
class GapSearch {
 public:
  void offer_cuts(const NodeValues<T>& values, int feature, CutOffer& offer) {
    const std::size_t few = values.size_of(0) <= values.size_of(1) ? 0 : 1, many = 1 - few;
    marks_.assign(values.value.data() + values.begin_of(few), values.value.data() + values.end[few]);
    std::sort(marks_.begin(), marks_.end());
    const T* others = values.value.data() + values.begin_of(many);
    const std::size_t n_others = values.size_of(many), n_marks = marks_.size();

    double left[2];
    double previous_others = -1;  // of the last cut offered; its marks are those before this one
    for (std::size_t i = 0; i < n_marks;) {
      std::size_t next = i + 1;
      while (next < n_marks && marks_[next] == marks_[i]) ++next;
      std::uint32_t below = 0, up_to = 0;
      const T mark = marks_[i];
      for (std::size_t j = 0; j < n_others; ++j) {
        below += others[j] < mark;
        up_to += others[j] <= mark;
      }
      Cut cut{.feature = feature, .value = static_cast<double>(mark), .includes_value = false};
      // Just below the mark, unless that is the cut just above the previous one.
      if (i + below > 0 && static_cast<double>(below) != previous_others) {
        left[few] = static_cast<double>(i);
        left[many] = below;
        offer.offer(cut, left, left[0] + left[1]);
      }
      if (next + up_to < n_marks + n_others) {
        cut.includes_value = true;
        left[few] = static_cast<double>(next);
        left[many] = up_to;
        offer.offer(cut, left, left[0] + left[1]);
      }
      previous_others = up_to;
      i = next;
    }
  }

 private:
  std::vector<T> marks_;
};

}  // namespace rarewood

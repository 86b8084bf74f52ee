// The exact cuts inside the bins that could still hold the best one. A bin is a small node of its
// own, with counts on its left: where gaps suffice they are used, otherwise its values are sorted.
#pragma once

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <vector>

#include "search/cut_candidates.hpp"
#include "search/gap_search.hpp"
#include "search/scan.hpp"
#include "search/sorted_search.hpp"

namespace rarewood {

template <class T>
class Refine {
 public:
  explicit Refine(bool uses_gaps) : uses_gaps_(uses_gaps) {}

  // Adds every cut inside the given boxes, all of one feature; `lower` is BoxList::lower.
  void add_cuts(const Source<T>& source, const Node& node, std::span<const Box> boxes,
                const std::vector<double>& lower, CutCandidates& cuts) {
    const int feature = boxes.front().feature;
    n_classes_ = node.segments.size();
    items_.clear();
    if (are_lists_shorter(source, node, boxes, feature)) {
      gather_from_lists(source, node, boxes, feature);
    } else {
      gather_from_node(source, node, boxes, feature);
    }
    order_by_box(boxes.size());
    for (std::size_t box = 0; box < boxes.size(); ++box) {
      group_by_class(source, begin_[box], begin_[box + 1]);
      const double* base = lower.data() + boxes[box].lower;
      if (uses_gaps_ && cuts.is_plain()) {
        gaps_.add_cuts(values_, feature, cuts, boxes[box].bin, base);
      } else {
        sorted_.add_cuts(values_, feature, cuts, boxes[box].bin, base);
      }
    }
  }

 private:
  static constexpr Row kAhead = 16;

  // The rows of the boxes' bins over the whole table may be far fewer than those of the node. The
  // lists of a feature are made once it has been searched often enough to pay for them.
  bool are_lists_shorter(const Source<T>& source, const Node& node, std::span<const Box> boxes,
                         int feature) {
    if (source.marks.empty()) return false;
    const auto f = static_cast<std::size_t>(feature);
    const Columns& columns = *source.columns;
    visited_.resize(columns.n_features(), 0);
    if (!columns.has_bin_rows(f)) {
      visited_[f] += node.n_rows;
      if (visited_[f] <= columns.n_rows()) return false;
    }
    const BinRows& lists = columns.bin_rows(f);
    std::size_t n = 0;
    for (const Box& box : boxes) {
      const auto b = static_cast<std::size_t>(box.bin);
      n += lists.begin[b + 1] - lists.begin[b];
    }
    return 2 * n < node.n_rows;
  }

  void gather_from_lists(const Source<T>& source, const Node& node, std::span<const Box> boxes,
                         int feature) {
    segment_of_.resize(static_cast<std::size_t>(node.segments.back().of_class) + 1);
    for (std::size_t s = 0; s < node.segments.size(); ++s) {
      segment_of_[node.segments[s].of_class] = static_cast<std::uint32_t>(s);
    }
    find_in_lists(source, node, boxes, source.columns->bin_rows(feature));
    for (std::size_t i = 0; i < n_found_; ++i) {
      const auto [row, box] = found_[i];
      // Values of different rows are far apart as well.
      if (i + kAhead < n_found_) source.prefetch(found_[i + kAhead].row, feature);
      const Item item{source.value(row, feature), segment_of_[source.classes[row]], row, box};
      items_.insert(items_.end(), source.marks[row].copies, item);
    }
  }

  // The rows of the node in the lists of the boxes' bins. No branch: the node has about every
  // second row of a list.
  void find_in_lists(const Source<T>& source, const Node& node, std::span<const Box> boxes,
                     const BinRows& lists) {
    n_found_ = 0;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const auto b = static_cast<std::size_t>(boxes[i].bin);
      const Row begin = lists.begin[b], end = lists.begin[b + 1];
      if (found_.size() < n_found_ + (end - begin)) found_.resize(2 * n_found_ + (end - begin));
      for (Row at = begin; at < end; ++at) {
        // The rows of a bin are far apart; the lists of all bins lie in one array.
        if (at + kAhead < lists.rows.size()) {
          __builtin_prefetch(&source.marks[lists.rows[at + kAhead]]);
        }
        const Row row = lists.rows[at];
        found_[n_found_] = {row, static_cast<std::int16_t>(i)};
        n_found_ += source.marks[row].owner == node.owner;
      }
    }
  }

  void gather_from_node(const Source<T>& source, const Node& node, std::span<const Box> boxes,
                        int feature) {
    std::array<std::int16_t, kCodes> box_of;
    box_of.fill(-1);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      box_of[boxes[i].bin] = static_cast<std::int16_t>(i);
    }
    const Code* codes = source.columns->codes(feature);
    for (std::size_t s = 0; s < node.segments.size(); ++s) {
      for (Row row : source.rows_of(node.segments[s])) {
        const std::int16_t box = box_of[codes[row]];
        if (box < 0) continue;
        items_.push_back({source.value(row, feature), static_cast<std::uint32_t>(s), row, box});
      }
    }
  }

  struct Found {
    Row row;
    std::int16_t box;
  };

  struct Item {
    T value;
    std::uint32_t segment;
    Row row;
    std::int16_t box;
  };

  // Items of the first box first; those of box b are then begin_[b] ... begin_[b + 1] - 1.
  void order_by_box(std::size_t n_boxes) {
    begin_.assign(n_boxes + 1, 0);
    for (const Item& item : items_) ++begin_[static_cast<std::size_t>(item.box) + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    if (n_boxes == 1) return;
    next_.assign(begin_.begin(), begin_.end() - 1);
    ordered_.resize(items_.size());
    for (const Item& item : items_) ordered_[next_[item.box]++] = item;
    items_.swap(ordered_);
  }

  // Values of some items, class by class.
  void group_by_class(const Source<T>& source, std::size_t begin, std::size_t end) {
    const std::span<const Item> items(items_.data() + begin, end - begin);
    values_.end.assign(n_classes_, 0);
    make_room(values_.value, items.size());
    if (source.weights) make_room(values_.weight, items.size());
    for (const Item& item : items) ++values_.end[item.segment];
    std::partial_sum(values_.end.begin(), values_.end.end(), values_.end.begin());
    next_.assign(n_classes_, 0);
    std::copy(values_.end.begin(), values_.end.end() - 1, next_.begin() + 1);
    for (const Item& item : items) {
      const std::size_t at = next_[item.segment]++;
      values_.value[at] = item.value;
      if (source.weights) values_.weight[at] = source.weights[item.row];
    }
  }

  bool uses_gaps_;
  GapSearch<T> gaps_;
  SortedSearch<T> sorted_;
  NodeValues<T> values_;
  std::vector<std::size_t> next_, begin_;
  std::size_t n_classes_ = 0;
  std::vector<Found> found_;  // the first n_found_ of them
  std::size_t n_found_ = 0;
  std::vector<Item> items_, ordered_;
  std::vector<std::size_t> visited_;  // per feature: rows looked at so far
  std::vector<std::uint32_t> segment_of_;
};

}  // namespace rarewood

// The exact cuts inside the bins that could still hold the best one.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "offer.hpp"
#include "scan.hpp"

namespace rarewood {

template <class T>
class Refine {
 public:
  // Offers every cut inside the given boxes, all of one feature.
  void offer_cuts(const Source<T>& source, const Node& node, std::span<const Box> boxes,
                  CutOffer& offer) {
    const int feature = boxes.front().feature;
    std::array<std::int16_t, kCodes> box_of;
    box_of.fill(-1);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      box_of[static_cast<std::size_t>(boxes[i].bin)] = static_cast<std::int16_t>(i);
    }
    items_.clear();
    const Code* codes = source.columns->codes(static_cast<std::size_t>(feature));
    for (std::size_t s = 0; s < node.segments.size(); ++s) {
      const Row* rows = source.rows_of(node.segments[s]);
      for (Row i = 0; i < node.segments[s].count; ++i) {
        const std::int16_t box = box_of[codes[rows[i]]];
        if (box >= 0) {
          items_.push_back({source.value(rows[i], feature), static_cast<std::uint32_t>(s), rows[i], box});
        }
      }
    }
    std::sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) {
      if (a.box != b.box) return a.box < b.box;
      return a.value < b.value || (a.value == b.value && a.row < b.row);
    });
    for (std::size_t i = 0; i < items_.size();) i = offer_box(source, boxes, feature, i, offer);
  }

 private:
  struct Item {
    T value;
    std::uint32_t segment;
    Row row;
    std::int16_t box;
  };

  // Returns where the next box begins.
  std::size_t offer_box(const Source<T>& source, std::span<const Box> boxes, int feature,
                        std::size_t i, CutOffer& offer) {
    const Box& box = boxes[static_cast<std::size_t>(items_[i].box)];
    left_ = box.lower;
    double rows = 0;
    for (double n : left_) rows += n;  // unweighted; with weights only its sign matters
    for (;; ++i) {
      const Item& item = items_[i];
      left_[item.segment] += source.weight(item.row);
      rows += source.weights ? 0.0 : 1.0;
      if (i + 1 == items_.size() || items_[i + 1].box != item.box) return i + 1;
      if (item.value == items_[i + 1].value) continue;
      offer.offer({.feature = feature, .bin = box.bin, .value = static_cast<double>(item.value)},
                  left_.data(), source.weights ? 0.5 : rows);
    }
  }

  std::vector<Item> items_;
  std::vector<double> left_;
};

}  // namespace rarewood

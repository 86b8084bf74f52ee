// The rows that have an item, as bits.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rarewood {

using Item = std::int32_t;         // a feature with one of its values
using Bits = const std::uint64_t;  // 64 rows each

// Items of rows (row-major, n_features each; negative where a value is missing) and what is known
// of them. An item belongs to one feature, so a row has at most one item of each.
struct ItemTable {
  std::span<const Item> items;
  std::size_t n_features;
  std::vector<std::int32_t> feature_of_item;
};

// Rows of a class and other rows that have certain items.
struct Coverage {
  std::int64_t a;
  std::int64_t c;
};

// Rows of the class fill the first words of every item and other rows the rest, so both counts are
// plain sums over words, and the count in a rare class reads only a few of them.
class ItemBits {
 public:
  ItemBits(const ItemTable& table, std::span<const char> is_class);

  std::size_t n_items() const { return feature_.size(); }
  std::int32_t feature(Item item) const { return feature_[static_cast<std::size_t>(item)]; }
  std::int64_t n_class() const { return n_class_; }
  std::int64_t n_others() const { return n_others_; }
  std::size_t n_words() const { return class_words_ + other_words_; }
  Bits* of(Item item) const { return bits_.data() + static_cast<std::size_t>(item) * n_words(); }

  std::int64_t count_class(Bits* x, Bits* y) const { return count(x, y, class_words_); }
  std::int64_t count_others(Bits* x, Bits* y) const {
    return count(x + class_words_, y + class_words_, other_words_);
  }

 private:
  static std::int64_t count(Bits* x, Bits* y, std::size_t n) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += std::popcount(x[i] & y[i]);
    return sum;
  }

  std::vector<std::int32_t> feature_;
  std::int64_t n_class_ = 0, n_others_ = 0;
  std::size_t class_words_ = 0, other_words_ = 0;
  std::vector<std::uint64_t> bits_;
};

}  // namespace rarewood

#include "rules/item_bits.hpp"

#include "base/throw_if.hpp"

namespace rarewood {

ItemBits::ItemBits(const ItemTable& table, std::span<const char> is_class)
    : feature_(table.feature_of_item) {
  throw_if(table.items.size() != is_class.size() * table.n_features,
           "items and classes must have as many rows.");
  for (char own : is_class) ++(own ? n_class_ : n_others_);
  class_words_ = static_cast<std::size_t>(n_class_ + 63) / 64;
  other_words_ = static_cast<std::size_t>(n_others_ + 63) / 64;
  bits_.resize(n_items() * n_words());
  std::size_t next_class = 0, next_other = 64 * class_words_;
  for (std::size_t row = 0; row < is_class.size(); ++row) {
    const std::size_t place = is_class[row] ? next_class++ : next_other++;
    for (std::size_t f = 0; f < table.n_features; ++f) {
      const Item item = table.items[row * table.n_features + f];
      if (item < 0) continue;
      const auto number = static_cast<std::size_t>(item);
      throw_if(number >= n_items() || feature_[number] != static_cast<std::int32_t>(f),
               "items must be numbers of items of their feature.");
      bits_[number * n_words() + place / 64] |= std::uint64_t{1} << (place % 64);
    }
  }
}

}  // namespace rarewood

#include "criterion/entropy.hpp"

#include <array>

namespace rarewood {

TabledInformation::TabledInformation(double total)
    : scale(1.0 / total), shift(std::log(total) / total) {
  static const auto n_log_n = [] {
    std::array<double, kTableSize> values{};
    for (std::size_t n = 1; n < kTableSize; ++n) {
      values[n] = static_cast<double>(n) * std::log(static_cast<double>(n));
    }
    return values;
  }();
  table = n_log_n.data();
}

}  // namespace rarewood

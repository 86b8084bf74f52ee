// The distinct values of a column, while they are few.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

namespace rarewood {

// Equal numbers count once: +0.0 stands for -0.0 too. The order in which values come does not
// matter: a column either has more than `most` of them or it has not.
class FewValues {
 public:
  explicit FewValues(std::size_t most) : most_(most) {}

  bool is_few() const { return is_few_; }
  // Those of a column that has few, ascending.
  std::vector<double> sorted() const {
    std::vector<double> values = values_;
    std::sort(values.begin(), values.end());
    return values;
  }

  // Missing values are passed over.
  template <class T>
  void add(const T* values, std::size_t n) {
    if (!is_few_) return;
    make_places();
    for (std::size_t i = 0; i < n; ++i) {
      const double x = static_cast<double>(values[i]) + 0.0;
      if (places_[home_of(x)] == x || x != x) continue;
      if (!insert(x)) return;
    }
  }

  void add_all(const FewValues& other) {
    if (!other.is_few_) give_up();
    add(other.values_.data(), other.values_.size());
  }

  void give_up() {
    is_few_ = false;
    values_ = {};
    places_ = {};
  }

 private:
  static constexpr int kBits = 11;  // of a place: eight for each of 255 values

  static std::size_t home_of(double x) {
    return static_cast<std::size_t>((std::bit_cast<std::uint64_t>(x) * 0x9e3779b97f4a7c15ULL) >>
                                    (64 - kBits));
  }

  void make_places() {
    if (!places_.empty()) return;
    places_.assign(std::size_t{1} << kBits, std::numeric_limits<double>::quiet_NaN());
  }

  // False when there are too many. An empty place is NaN, which equals nothing.
  bool insert(double x) {
    std::size_t at = home_of(x);
    for (; places_[at] == places_[at]; at = (at + 1) % places_.size()) {
      if (places_[at] == x) return true;
    }
    if (values_.size() == most_) {
      give_up();
      return false;
    }
    places_[at] = x;
    values_.push_back(x);
    return true;
  }

  std::size_t most_;
  bool is_few_ = true;
  std::vector<double> values_;
  std::vector<double> places_;  // where to find them again
};

}  // namespace rarewood

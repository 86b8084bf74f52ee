// A vector of a few elements, which lie in the object itself: no memory is allocated for them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace rarewood {

// More than kInside elements move to the heap, and stay there until the vector is cleared.
template <class T, std::size_t kInside = 4>
class ShortVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  ShortVector() = default;
  ShortVector(std::size_t n, const T& value) { assign(n, value); }

  std::size_t size() const { return outside_.empty() ? n_inside_ : outside_.size(); }
  bool empty() const { return size() == 0; }
  const T* data() const { return outside_.empty() ? inside_.data() : outside_.data(); }
  T* data() { return outside_.empty() ? inside_.data() : outside_.data(); }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size(); }
  T* begin() { return data(); }
  T* end() { return data() + size(); }
  const T& operator[](std::size_t i) const { return data()[i]; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& back() const { return end()[-1]; }

  void clear() {
    n_inside_ = 0;
    outside_.clear();
  }

  void assign(std::size_t n, const T& value) {
    clear();
    if (n > kInside) return outside_.assign(n, value);
    std::fill_n(inside_.data(), n, value);
    n_inside_ = n;
  }

  void push_back(const T& value) {
    if (outside_.empty() && n_inside_ < kInside) {
      inside_[n_inside_++] = value;
      return;
    }
    if (outside_.empty()) outside_.assign(inside_.begin(), inside_.end());
    outside_.push_back(value);
  }

  friend bool operator==(const ShortVector& a, const ShortVector& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  std::size_t n_inside_ = 0;  // where outside_ is empty
  std::array<T, kInside> inside_;
  std::vector<T> outside_;
};

}  // namespace rarewood

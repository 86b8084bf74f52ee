// A few numbers of a size known when they are made; the few classes of most nodes need no heap.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace rarewood {

// Starts with zeros.
template <class V, std::size_t kInside = 6>
class SmallVector {
 public:
  explicit SmallVector(int n) {
    if (static_cast<std::size_t>(n) > kInside) outside_.resize(n);
  }

  const V* data() const { return outside_.empty() ? inside_.data() : outside_.data(); }
  V* data() { return outside_.empty() ? inside_.data() : outside_.data(); }
  V& operator[](int i) { return data()[i]; }
  const V& operator[](int i) const { return data()[i]; }

 private:
  std::array<V, kInside> inside_{};
  std::vector<V> outside_;
};

}  // namespace rarewood

// Memory for the codes of a whole table.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace rarewood {

// Uses large pages where the system has them: codes are read at random, and with small pages most
// reads would miss the TLB. Not initialised: the threads that fill it
// touch its pages first.
template <class T>
class LargeArray {
 public:
  // Space for n numbers; earlier contents are lost.
  void make(std::size_t n) {
    const bool is_large = n * sizeof(T) >= kLargePage;
    const std::size_t align = is_large ? kLargePage : kLine;
    const std::size_t n_bytes = (n * sizeof(T) / align + 1) * align;
    data_.reset(static_cast<T*>(std::aligned_alloc(align, n_bytes)));
    if (!data_) throw std::bad_alloc();
    size_ = n;
#ifdef MADV_HUGEPAGE
    if (is_large) madvise(data_.get(), n_bytes, MADV_HUGEPAGE);  // refused: small pages
#endif
  }

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t kLine = 64;
  static constexpr std::size_t kLargePage = std::size_t{2} << 20;

  struct Free {
    void operator()(T* data) const { std::free(data); }
  };

  std::unique_ptr<T[], Free> data_;
  std::size_t size_ = 0;
};

}  // namespace rarewood

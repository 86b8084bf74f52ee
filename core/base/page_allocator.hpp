// Memory for lists of rows.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "base/types.hpp"

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace rarewood {

// Takes large arrays from the system and gives them back at once. Those of a tree are freed while
// small arrays of finished trees stay: in a common heap these would settle in the gap, and the rows
// of the next tree would need another one. Numbers are not initialised, so memory that is not
// written takes no space.
template <class T>
class PageAllocator {
 public:
  using value_type = T;

  PageAllocator() = default;
  template <class U>
  PageAllocator(const PageAllocator<U>&) {}

  T* allocate(std::size_t n) {
#ifdef __linux__
    if (is_large(n)) {
      void* found =
          mmap(nullptr, n * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (found == MAP_FAILED) throw std::bad_alloc();
      return static_cast<T*>(found);
    }
#endif
    return std::allocator<T>().allocate(n);
  }

  void deallocate(T* data, std::size_t n) {
#ifdef __linux__
    if (is_large(n)) {
      munmap(data, n * sizeof(T));
      return;
    }
#endif
    std::allocator<T>().deallocate(data, n);
  }

  template <class U>
  void construct(U* place) {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Args>
  void construct(U* place, Args&&... args) {
    ::new (static_cast<void*>(place)) U(std::forward<Args>(args)...);
  }

  friend bool operator==(const PageAllocator&, const PageAllocator&) { return true; }

 private:
  static constexpr std::size_t kLargest = std::size_t{1} << 20;  // bytes, of the common heap

  static bool is_large(std::size_t n) { return n > kLargest / sizeof(T); }
};

// Numbers of rows. New ones are not initialised.
using RowList = std::vector<Row, PageAllocator<Row>>;

}  // namespace rarewood

// Memory for what is large and looked at in no order: in pages of two megabytes where the system
// has them, so that a look costs no walk through page tables, and a million agents no million page
// faults. What is not touched takes no memory.
#pragma once

#include <cstddef>
#include <new>

#include <sys/mman.h>

namespace coracle::detail {

inline constexpr std::size_t large_page = std::size_t{2} << 20;

// Says that [memory, memory + bytes) is worth large pages. A wish: its failure harms nobody.
inline void want_large_pages(void* memory, std::size_t bytes) noexcept {
#ifdef MADV_HUGEPAGE
  static_cast<void>(::madvise(memory, bytes, MADV_HUGEPAGE));
#endif
}

// For containers that grow large.
template <class T>
struct LargePages {
  using value_type = T;

  LargePages() = default;
  template <class U>
  LargePages(const LargePages<U>&) noexcept {}

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    void* const memory = ::operator new(bytes, alignment(bytes));
    if (bytes >= large_page) want_large_pages(memory, bytes);
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) noexcept {
    ::operator delete(memory, alignment(count * sizeof(T)));
  }
  template <class U>
  bool operator==(const LargePages<U>&) const noexcept {
    return true;
  }

 private:
  static std::align_val_t alignment(std::size_t bytes) noexcept {
    return std::align_val_t{bytes >= large_page ? large_page : alignof(T)};
  }
};

}  // namespace coracle::detail

// Memory for large objects that are accessed in no order. It is in pages of two megabytes where the
// system has them, so that an access costs no walk through page tables, and a million agents cost
// no million page faults. Pages that are not touched take no memory.
#pragma once

#include <cstddef>
#include <new>

#include <sys/mman.h>

namespace coracle::detail {

inline constexpr std::size_t large_page = std::size_t{2} << 20;

// Advises the system to use large pages for [memory, memory + bytes). A failure does no harm.
inline void want_large_pages(void* memory, std::size_t bytes) noexcept {
#ifdef MADV_HUGEPAGE
  static_cast<void>(::madvise(memory, bytes, MADV_HUGEPAGE));
#endif
}

// Ends that advice and returns the pages to the system, before the memory goes back to the heap.
inline void end_large_pages(void* memory, std::size_t bytes) noexcept {
  static_cast<void>(::madvise(memory, bytes, MADV_DONTNEED));
#ifdef MADV_NOHUGEPAGE
  static_cast<void>(::madvise(memory, bytes, MADV_NOHUGEPAGE));
#endif
}

// An allocator for containers that grow large.
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

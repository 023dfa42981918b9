// What a peer causes here, as long as it lasts.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace coracle::detail {

// How much of something a peer has at a time, and may have.
struct Share {
  Share(std::size_t things, std::size_t memory) noexcept : most(things), most_bytes(memory) {}

  const std::size_t most, most_bytes;
  std::atomic<std::size_t> count{0}, bytes{0};
};

// What was freed is the system's again, not only this process's; for large things only.
inline void give_memory_back() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

// One of these things.
class Charge {
 public:
  Charge(std::shared_ptr<Share> share, std::size_t bytes) noexcept
      : share_(std::move(share)), bytes_(bytes) {
    const std::size_t count = share_->count.fetch_add(1);
    const std::size_t sum = share_->bytes.fetch_add(bytes_);
    fits_ = count < share_->most && sum <= share_->most_bytes;
  }
  Charge(const Charge&) = delete;
  ~Charge() {
    share_->count.fetch_sub(1);
    share_->bytes.fetch_sub(bytes_);
  }

  // Whether the peer has no more than it may have.
  bool fits() const noexcept { return fits_; }

 private:
  const std::shared_ptr<Share> share_;
  const std::size_t bytes_;
  bool fits_ = false;
};

}  // namespace coracle::detail

// The account of the resources that a peer uses here, as long as it uses them.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace coracle::detail {

// The amount of a resource that a peer uses now, and the most that it may use.
struct Share {
  Share(std::size_t things, std::size_t memory) noexcept : most(things), most_bytes(memory) {}

  const std::size_t most, most_bytes;
  std::atomic<std::size_t> count{0}, bytes{0};
};

// One unit of a share, as long as this object exists.
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

  // Returns whether the share had room for this unit.
  bool fits() const noexcept { return fits_; }

 private:
  const std::shared_ptr<Share> share_;
  const std::size_t bytes_;
  bool fits_ = false;
};

}  // namespace coracle::detail

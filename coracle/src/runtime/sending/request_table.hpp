// A table of open requests: each is open until the one event that ends it.
#pragma once

#include "coracle/errors.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace coracle::detail {

class Asking;

class RequestTable {
 public:
  static constexpr unsigned slot_bits = 24;
  static constexpr std::uint64_t slot_mask = (std::uint64_t{1} << slot_bits) - 1;

  // Returns the request's tag: `number`, which no other request has, above its index in the table.
  std::uint64_t open(Asking& asking, std::uint64_t number) {
    if (free_ == 0) grow();
    const std::uint64_t slot = free_;
    Request& request = table_[slot];
    free_ = request.tag;
    request = {number << slot_bits | slot, &asking};
    ++count_;
    return request.tag;
  }
  // Requires that the request is open.
  void close(std::uint64_t tag) noexcept {
    const std::uint64_t slot = tag & slot_mask;
    table_[slot] = {std::exchange(free_, slot), nullptr};
    --count_;
  }
  // Returns nullptr when the request is not open any more.
  Asking* find(std::uint64_t tag) const noexcept {
    const std::size_t slot = tag & slot_mask;
    return slot < table_.size() && table_[slot].tag == tag ? table_[slot].asking : nullptr;
  }
  std::size_t count() const noexcept { return count_; }
  // Calls see(tag, asking) for each open request.
  template <class See>
  void each(See see) const {
    for (const Request& request : table_) {
      if (request.asking != nullptr) see(request.tag, *request.asking);
    }
  }

 private:
  struct Request {
    std::uint64_t tag = 0;  // of a free entry: the index of the next one, or zero
    Asking* asking = nullptr;
  };

  void grow() {
    if (table_.empty()) table_.emplace_back();  // the first entry is never used
    if (table_.size() >= slot_mask)
      throw Error(Errc::limit_reached, "too many requests are open at once; let some of them end");
    free_ = table_.size();
    table_.emplace_back();
  }

  std::vector<Request> table_;
  std::uint64_t free_ = 0;
  std::size_t count_ = 0;
};

}  // namespace coracle::detail

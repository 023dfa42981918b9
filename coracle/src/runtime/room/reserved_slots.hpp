// Slots in one mailbox that are reserved for messages of other nodes. A slot that is not used in
// time lapses, and others may have it, so that no node fills a mailbox with slots that it never
// uses. The message of a lapsed slot gets in all the same when it comes, but until then its node
// gets no other slot.
#pragma once

#include "coracle/detail/waiting.hpp"
#include "coracle/transport.hpp"

#include <chrono>
#include <compare>
#include <cstdint>
#include <map>

namespace coracle::detail {

class Mailbox;
class Worker;

class ReservedSlots final : TimerNode {
 public:
  static constexpr Duration use_within = std::chrono::seconds(2);
  // An honest node has used its slot by then, or has given it back, or has ended.
  static constexpr Duration forgotten_after = std::chrono::seconds(60);
  enum class State : std::uint8_t { none, kept, lapsed };

  ReservedSlots(Worker& home, Mailbox& mailbox) noexcept
      : TimerNode(&on_time), home_(home), mailbox_(mailbox) {}

  bool empty() const noexcept { return slots_.empty(); }
  bool has(LeaseId origin, std::uint64_t number) const { return slots_.contains({origin, number}); }
  // Reserves a slot for the message whose slot request came from that node under that number.
  void keep(LeaseId origin, std::uint64_t number);
  // Ends the slot of a message that has come, or never will; returns the slot's state until now.
  State end(LeaseId origin, std::uint64_t number) noexcept;
  // Ends the slots of a node that has ended; returns how many of them were still reserved.
  std::uint32_t end_all(LeaseId origin) noexcept;

 private:
  struct Key {
    LeaseId origin;
    std::uint64_t number;

    auto operator<=>(const Key&) const = default;
  };
  struct Slot {
    Time since;
    bool has_lapsed = false;
  };
  using Slots = std::map<Key, Slot>;

  static void on_time(TimerNode& timer) noexcept;
  void look();
  Slots::iterator erase(Slots::iterator slot) noexcept;

  Worker& home_;
  Mailbox& mailbox_;
  Slots slots_;
  std::map<LeaseId, std::uint32_t> lapsed_;  // the number of lapsed slots of each node that has any
};

}  // namespace coracle::detail

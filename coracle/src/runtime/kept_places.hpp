// Places in one mailbox that are kept for messages of other nodes. One that is not used in time
// lapses, and others may have it: so nobody fills a mailbox with places that he never uses. Its
// message gets in all the same when it comes, but until then its node gets no other place.
#pragma once

#include "coracle/detail/waiting.hpp"
#include "coracle/transport.hpp"

#include <chrono>
#include <compare>
#include <cstdint>
#include <map>

namespace coracle::detail {

class Party;
class Worker;

class KeptPlaces final : TimerNode {
 public:
  static constexpr Duration use_within = std::chrono::seconds(2);
  // A node that is honest has used its place by then, or has given it back, or has ended.
  static constexpr Duration forgotten_after = std::chrono::seconds(60);
  enum class Place : std::uint8_t { none, kept, lapsed };

  KeptPlaces(Worker& home, Party& mailbox) noexcept
      : TimerNode(&on_time), home_(home), mailbox_(mailbox) {}

  bool empty() const noexcept { return places_.empty(); }
  bool has(LeaseId origin, std::uint64_t number) const {
    return places_.contains({origin, number});
  }
  // For the message of that node that has knocked under that number.
  void keep(LeaseId origin, std::uint64_t number);
  // That message has come, or never will: what its place was until now.
  Place end(LeaseId origin, std::uint64_t number) noexcept;
  // That node has ended: how many places were kept for it.
  std::uint32_t end_all(LeaseId origin) noexcept;

 private:
  struct Key {
    LeaseId origin;
    std::uint64_t number;

    auto operator<=>(const Key&) const = default;
  };
  struct State {
    Time since;
    bool has_lapsed = false;
  };
  using Places = std::map<Key, State>;

  static void on_time(TimerNode& timer) noexcept;
  void look();
  Places::iterator erase(Places::iterator place) noexcept;

  Worker& home_;
  Party& mailbox_;
  Places places_;
  std::map<LeaseId, std::uint32_t> lapsed_;  // how many of each node, if any
};

}  // namespace coracle::detail

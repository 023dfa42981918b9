// The simulated network between the nodes of a World: frames take time, links can be cut for a
// while, and hosts lose their power.
#pragma once

#include "core.hpp"

#include <deque>
#include <map>
#include <memory>
#include <vector>

namespace coracle::sim::detail {

class Host;

// Every frame arrives, in order, unless one of its ends loses its power. A frame on a link that is
// cut waits for the repair, as it would in a session.
class Network final : public Driven {
 public:
  explicit Network(Core& core);
  ~Network();

  // Returns the parts of a node on host `number`, which must have no node, or no power.
  Realization join(unsigned number, Realization parts);
  // Returns the first host without a node. Fails with Errc::bad_realization when there is none.
  unsigned first_free() const;
  unsigned size() const noexcept { return static_cast<unsigned>(hosts_.size()); }

  // Cuts or mends the direct way from one host to another, in that direction.
  void cut(unsigned from, unsigned to, bool is_cut);
  bool is_cut(unsigned from, unsigned to) const { return between(from, to).is_cut; }
  // Nothing that the host's node does has an effect any more.
  void power_off(unsigned number);
  bool has_power(unsigned number) const { return hosts_.at(number) != nullptr; }

  // --- for hosts ---
  // The host's node has the lease `lease`, after the lease `before`.
  void rebound(LeaseId before, LeaseId lease, Host& host) {
    by_lease_.erase(before);
    by_lease_[lease] = &host;
  }
  bool send(unsigned from, LeaseId to, std::span<const std::byte> frame, const Content& content);
  // Returns whether no frame of that host is under way.
  bool all_acknowledged(unsigned from) const;
  void refuse(unsigned host, LeaseId peer, std::string_view reason);

  // --- Driven: each direction between two hosts is a part ---
  unsigned parts() const noexcept override { return static_cast<unsigned>(directions_.size()); }
  bool ready(unsigned part) override;
  Time alarm(unsigned part) override;
  void add_ready(std::vector<unsigned>& numbers) override;
  Time next_alarm() override;
  bool only_renews() override;
  void step(unsigned part) override;
  std::string waits() override { return {}; }

 private:
  struct Frame {
    LeaseId from;
    LeaseId to;
    Time due;
    std::vector<std::byte> head;
    Content content;
  };
  struct Direction {
    std::deque<Frame> frames;
    bool is_cut = false;
    bool was_full = false;
    Time free{};  // the time when the last frame has left
  };

  std::size_t number_of(unsigned from, unsigned to) const { return from * hosts_.size() + to; }
  const Direction& between(unsigned from, unsigned to) const {
    return directions_.at(number_of(from, to));
  }

  Core& core_;
  std::vector<std::shared_ptr<Host>> hosts_;
  std::vector<std::shared_ptr<Host>> dark_;  // without power; nodes may hold their parts
  std::map<LeaseId, Host*> by_lease_;
  std::vector<Direction> directions_;
  std::vector<unsigned> busy_;  // entries of `directions_` with frames, in order
};

}  // namespace coracle::sim::detail

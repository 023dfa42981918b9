// The simulated network between the nodes of a World: frames take their time, links can be cut for
// a while, and hosts lose their power.
#pragma once

#include "core.hpp"

#include <deque>
#include <map>
#include <memory>
#include <vector>

namespace coracle::sim::detail {

class Host;

// Every frame arrives, in order, unless one of its ends loses its power; what a link that is cut
// does not let through waits for its repair, as it would in a session.
class Network final : public Driven {
 public:
  explicit Network(Core& core);
  ~Network();

  // The parts of a node on host `number`, which must have none, or no power.
  Realization join(unsigned number, Realization parts);
  // Fails with Errc::bad_realization when there is none.
  unsigned first_free() const;
  unsigned size() const noexcept { return static_cast<unsigned>(hosts_.size()); }

  // The direct way from one host to another, in that direction.
  void cut(unsigned from, unsigned to, bool is_cut);
  bool is_cut(unsigned from, unsigned to) const { return way(from, to).is_cut; }
  // Nothing that the host's node does has an effect any more.
  void power_off(unsigned number);
  bool has_power(unsigned number) const { return hosts_.at(number) != nullptr; }

  // --- for hosts ---
  // The host's node has a lease, after that earlier one.
  void rebound(LeaseId before, LeaseId lease, Host& host) {
    by_lease_.erase(before);
    by_lease_[lease] = &host;
  }
  bool send(unsigned from, LeaseId to, std::span<const std::byte> frame, const Content& content);
  // Whether nothing is on its way from that host.
  bool is_heard(unsigned from) const;
  void refuse(unsigned host, LeaseId peer, std::string_view reason);

  // --- Driven: each way is a part ---
  unsigned parts() const noexcept override { return static_cast<unsigned>(ways_.size()); }
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
  struct Way {
    std::deque<Frame> frames;
    bool is_cut = false;
    bool was_full = false;
    Time free{};  // when the last frame has left
  };

  std::size_t number_of(unsigned from, unsigned to) const { return from * hosts_.size() + to; }
  const Way& way(unsigned from, unsigned to) const { return ways_.at(number_of(from, to)); }

  Core& core_;
  std::vector<std::shared_ptr<Host>> hosts_;
  std::vector<std::shared_ptr<Host>> dark_;  // without power; a node may still hold their parts
  std::map<LeaseId, Host*> by_lease_;
  std::vector<Way> ways_;
  std::vector<unsigned> busy_;  // ways with frames, in order
};

}  // namespace coracle::sim::detail

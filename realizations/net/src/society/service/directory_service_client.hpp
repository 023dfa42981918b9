// A node as a directory service sees it; private to the service.
#pragma once

#include "directory_service.hpp"
#include "realizations/net/src/society/policy/fading.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace coracle::society {

class DirectoryService::Client final : public net::SessionEvents, public Interests::Node {
 public:
  Client(DirectoryService& home, std::string name)
      : node(std::move(name)), channel(home.flush_queue_, largest_request), home_(home) {}

  void on_arrived(const net::Arrived& message) override {
    if (home_.besides_ != nullptr && is_besides(message)) {
      // The part that was read before the malformed one is known here and not at its receiver:
      // under these leases the node may send no more.
      if (const char* const why = home_.besides_->on_message(channel, message)) {
        home_.lose(*this);
        return close(why);
      }
      return channel.release(message.bytes());
    }
    const FrameChannel::Got got = channel.take(message);
    if (got == FrameChannel::Got::frame) {
      FrameReader in(channel.head());
      home_.obey(*this, in);
      if (!in.ok() || !in.at_end()) return close("a request that cannot be understood");
    }
    if (got == FrameChannel::Got::nonsense) return close("pieces of a request that do not fit");
    channel.release(message.bytes());
    look_whether_it_takes();
  }
  void on_credit() override {
    channel.on_credit();
    beginning_ = std::min(beginning_, channel.waiting_bytes());
  }
  void on_open(net::Opening) override { is_gone = false; }
  void on_lost(const net::Closing&) override {}
  void on_restarted() override { forget(); }
  void on_suspected() override {}
  void on_trusted() override {}
  void on_gone(const net::Closing& why) override {
    if (!leases.empty() && why.reason != net::Reason::leaving)
      home_.log_("node " + node + " is considered dead: " + why.sentence);
    forget();
    is_gone = true;
    home_.tidy_soon();
  }
  void close(const std::string& why) {
    channel.link()->session().close(net::Reason::malformed, why);
  }

  // Everything that the directory knew was sent. It may be any amount, and does not count below.
  void note_beginning() { beginning_ = channel.waiting_bytes(); }
  void look_whether_it_takes() {
    if (channel.waiting_bytes() > beginning_ + most_waiting) close(takes_nothing);
  }

  // Counts bytes that were announced again for it: others may be behind by so many.
  void note_announced_anew(std::size_t bytes) {
    announced_anew_.add(static_cast<double>(bytes), home_.clock_.now());
  }
  // Returns the reason when the node may not publish such properties to all now.
  std::optional<Error> objection_to(const Properties& properties) {
    if (properties.empty() || announced_anew_.left(home_.clock_.now()) <= most_announced_anew)
      return std::nullopt;
    return Error(Errc::limit_reached,
                 "this node changes properties faster than all other nodes can be expected to "
                 "receive them; change them less often, or try again in some seconds");
  }

  // The end of each of its leases makes all other nodes search their state for that lease.
  void note_opened() { opened_lately_.add(1, home_.clock_.now()); }
  bool may_open() { return opened_lately_.left(home_.clock_.now()) <= most_opened - 1; }
  // The recently opened leases are remembered when the node is gone and comes back.
  bool has_opened_lately() { return opened_lately_.left(home_.clock_.now()) >= 1; }

  // Returns whether the node is connected and still belongs to another service.
  bool is_coming() const {
    const bool is_ours = is_attached || !leases.empty();
    return !is_ours && channel.link() != nullptr && channel.link()->session().is_open();
  }

  const std::string node;
  std::string certified;
  bool is_inside = false;
  FrameChannel channel;
  bool has_followed_all = false;  // since it was attached
  bool is_attached = false;  // false if the node has moved, even if it has leases here
  bool is_gone = false;
  GroupConfirmations::Node groups{channel};
  std::set<LeaseId> leases;
  std::size_t waiting_claims = 0;  // the bytes of its waiting claims

 private:
  static constexpr std::uint64_t largest_request = 1u << 20;
  // The bytes that a node may have announced again, at once and in each second.
  static constexpr double most_announced_anew = 32 << 20, announced_anew_rate = 4 << 20;
  static constexpr double most_opened = 64, opened_rate = 1;  // leases

  void forget() {
    channel.bind(channel.link());
    beginning_ = 0;
    announced_anew_.clear();  // the node's earlier names may come back at once
    is_attached = false;
    home_.lose(*this);
  }

  DirectoryService& home_;
  Fading announced_anew_{announced_anew_rate, home_.clock_.now()};
  Fading opened_lately_{opened_rate, home_.clock_.now()};
  std::size_t beginning_ = 0;  // waiting bytes of what was sent when it attached
};

}  // namespace coracle::society

// A node as a directory service has it; private to the service.
#pragma once

#include "directory_service.hpp"
#include "fading.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <utility>

namespace coracle::society {

class DirectoryService::Client final : public net::SessionEvents {
 public:
  Client(DirectoryService& home, std::string name)
      : node(std::move(name)), way(home.turn_, largest_request), home_(home) {}

  void on_arrived(const net::Arrived& message) override {
    if (home_.besides_ != nullptr && is_besides(message)) {
      // What was read of it before it made no sense is known here and not at its receiver: under
      // these leases it says no more.
      if (const char* const why = home_.besides_->on_message(way, message)) {
        home_.lose(*this);
        return close(why);
      }
      return way.release(message.bytes());
    }
    const Way::Got got = way.take(message);
    if (got == Way::Got::frame) {
      FrameReader in(way.head());
      home_.obey(*this, in);
      if (!in.ok() || !in.at_end()) return close("a request that cannot be understood");
    }
    if (got == Way::Got::nonsense) return close("pieces of a request that do not fit");
    way.release(message.bytes());
    look_whether_it_takes();
  }
  void on_settled(const net::Settled&) override {}
  void on_credit(net::Lane) override {
    way.on_credit();
    beginning_ = std::min(beginning_, way.waiting_bytes());
  }
  void on_open(net::Opening) override { is_gone = false; }
  void on_lost(const net::Closing&) override {}
  void on_restarted(const net::Unsettled&) override { forget(); }
  void on_suspected() override {}
  void on_trusted() override {}
  void on_gone(const net::Closing& why, const net::Unsettled&) override {
    if (!leases.empty() && why.reason != net::Reason::leaving)
      home_.log_("node " + node + " is taken for dead: " + why.sentence);
    forget();
    is_gone = true;
    home_.tidy_soon();
  }
  void close(const std::string& why) { way.link()->session().close(net::Reason::malformed, why); }

  // All that the directory knew was told. It may be any amount, and does not count below.
  void note_beginning() { beginning_ = way.waiting_bytes(); }
  void look_whether_it_takes() {
    if (way.waiting_bytes() > beginning_ + most_waiting) close(takes_nothing);
  }

  // The bytes that it had told anew: others may be behind by so many.
  void note_told_anew(std::size_t bytes) {
    told_anew_.add(static_cast<double>(bytes), home_.clock_.now());
  }
  bool may_tell_anew() { return told_anew_.left(home_.clock_.now()) <= most_told_anew; }

  // The end of each of its leases has all others look for what they had of it.
  void note_opened() { opened_lately_.add(1, home_.clock_.now()); }
  bool may_open() { return opened_lately_.left(home_.clock_.now()) <= most_opened - 1; }
  // That it has opened some lately is not forgotten when it is gone and comes back.
  bool has_opened_lately() { return opened_lately_.left(home_.clock_.now()) >= 1; }

  // It can be heard, and is another service's node as yet.
  bool is_coming() const {
    const bool is_ours = is_attached || !leases.empty();
    return !is_ours && way.link() != nullptr && way.link()->session().is_open();
  }

  const std::string node;
  std::string certified;
  bool is_inside = false;
  Way way;
  bool is_attached = false;  // not if it has moved, even if it has leases here
  bool is_gone = false;
  std::uint64_t groups_told = 0, groups_seen = 0;  // changes of them since it was attached
  // The answers that wait for it, each until it has seen so many changes of groups; in order.
  std::deque<std::pair<std::uint64_t, std::shared_ptr<Awaiting>>> awaited;
  std::shared_ptr<Unanswered> unanswered{new Unanswered{this}};  // of its own requests
  std::set<LeaseId> leases;
  std::size_t waiting_claims = 0;  // their bytes
  bool is_mute = false;            // it did not say in time that it has seen a change of groups

 private:
  static constexpr std::uint64_t largest_request = 1u << 20;
  // Of what was told already, a node may have so many bytes told anew at once, and each second.
  static constexpr double most_told_anew = 32 << 20, told_anew_rate = 4 << 20;
  static constexpr double most_opened = 64, opened_rate = 1;  // leases

  void forget() {
    way.bind(way.link());
    beginning_ = 0;
    told_anew_.clear();  // what it had may come back at once
    is_attached = false;
    home_.lose(*this);
  }

  DirectoryService& home_;
  Fading told_anew_{told_anew_rate, home_.clock_.now()};
  Fading opened_lately_{opened_rate, home_.clock_.now()};
  std::size_t beginning_ = 0;  // bytes that wait of what was told when it attached
};

}  // namespace coracle::society

// The channel of a hostile member's frames to other nodes: by the clearinghouse, or by links of its
// own.
#pragma once

#include "knowledge.hpp"
#include "realizations/net/src/link.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace coracle::fuzzed {

// Receives each frame of the core that arrives.
using Hears = std::function<void(LeaseId from, ByteSpan head, ByteSpan content)>;

// If CORACLE_FUZZ_TRACE is set, writes a line about a frame, for people who investigate a finding.
void trace(const std::string& to, ByteSpan header, ByteSpan content = {});

class Channel {
 public:
  virtual ~Channel() = default;

  // Sends a message of the link. It consists of `header` and `content` and is a frame or a piece of
  // a frame; if `is_batch`, `content` is a frame batch. Returns false when there is no room for it.
  virtual bool say(const Leases& leases, ByteSpan header, ByteSpan content, bool is_batch) = 0;
  // Sends a frame about leases, or about the amount that was read; returns whether it did.
  virtual bool say_odd(const Leases& leases, unsigned which, std::uint64_t number) = 0;
  // Another lease begins.
  virtual void on_lease() = 0;
};

// Sends by the link to the clearinghouse.
class Relayed final : public Channel {
 public:
  Relayed(net::Link& service, const Knowledge& known, Hears hears)
      : service_(service), known_(known), hears_(std::move(hears)) {}

  // Handles a message that the clearinghouse relays.
  void on_arrived(const net::Arrived& message);

  bool say(const Leases& leases, ByteSpan header, ByteSpan content, bool is_batch) override;
  bool say_odd(const Leases& leases, unsigned which, std::uint64_t number) override;
  void on_lease() override { unread_.clear(), read_.clear(); }

 private:
  void note_read(LeaseId from, std::uint64_t bytes);
  bool send(ByteSpan header, ByteSpan content = {});

  net::Link& service_;
  const Knowledge& known_;
  const Hears hears_;
  std::map<LeaseId, std::uint64_t> unread_, read_;
};

// Sends by a link to each node.
class Direct final : public Channel {
 public:
  Direct(net::Links& links, const Knowledge& known, Hears hears);
  ~Direct() override;

  // Another node requests a link, or has one.
  net::SessionEvents& let_in(const std::string& node);
  void on_link(net::Link& link);

  bool say(const Leases& leases, ByteSpan header, ByteSpan content, bool is_batch) override;
  bool say_odd(const Leases& leases, unsigned which, std::uint64_t number) override;
  void on_lease() override {}

 private:
  class Neighbour;
  Neighbour& neighbour(const std::string& node);
  Neighbour* reach(LeaseId lease);

  net::Links& links_;
  const Knowledge& known_;
  const Hears hears_;
  std::map<std::string, std::unique_ptr<Neighbour>> neighbours_;
};

}  // namespace coracle::fuzzed

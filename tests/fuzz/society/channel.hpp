// How a hostile member's frames travel to other nodes: by the clearinghouse, or by links of its
// own.
#pragma once

#include "knowledge.hpp"
#include "realizations/net/src/link.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace coracle::fuzzed {

// Told of each frame of the core that comes.
using Hears = std::function<void(LeaseId from, ByteSpan head, ByteSpan content)>;

// Writes a line about what is said, for people who look into a finding, if CORACLE_FUZZ_TRACE is
// set.
void trace(const std::string& to, ByteSpan header, ByteSpan content = {});

class Channel {
 public:
  virtual ~Channel() = default;

  // Says a message of the link that is, but for its beginning, `header`: a frame, a piece of one,
  // or, if `is_together`, frames that go together, which are its content. False when there is no
  // room for it.
  virtual bool say(const Leases& leases, ByteSpan header, ByteSpan content, bool is_together) = 0;
  // Says something about leases, or about how much was read; returns whether it did.
  virtual bool say_odd(const Leases& leases, unsigned which, std::uint64_t number) = 0;
  // Another lease begins.
  virtual void on_lease() = 0;
};

// By the link to the clearinghouse.
class Relayed final : public Channel {
 public:
  Relayed(net::Link& service, const Knowledge& known, Hears hears)
      : service_(service), known_(known), hears_(std::move(hears)) {}

  // What the clearinghouse passes on.
  void on_arrived(const net::Arrived& message);

  bool say(const Leases& leases, ByteSpan header, ByteSpan content, bool is_together) override;
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

// By a link to each node.
class Direct final : public Channel {
 public:
  Direct(net::Links& links, const Knowledge& known, Hears hears);
  ~Direct() override;

  // Another node wants a link, or has one.
  net::SessionEvents& let_in(const std::string& node);
  void on_link(net::Link& link);

  bool say(const Leases& leases, ByteSpan header, ByteSpan content, bool is_together) override;
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

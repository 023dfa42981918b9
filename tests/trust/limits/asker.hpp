// A directory service among nodes that the test plays: each node sends its requests byte by byte,
// and the test counts the events that it receives. Time is virtual.
#pragma once

#include "linked_hosts.hpp"
#include "realizations/net/src/link.hpp"
#include "realizations/net/src/society/directory/directory_frames.hpp"
#include "realizations/net/src/society/policy/refusals.hpp"
#include "realizations/net/src/society/service/census.hpp"
#include "realizations/sim/src/stream_network.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace coracle::trust {

using namespace std::chrono_literals;

// A world with a service on its first host and no other node.
class ServiceLab {
 public:
  ServiceLab();
  explicit ServiceLab(const std::string& policy);
  sim::World& world() noexcept { return world_; }
  void run(Duration span = 100ms) { world_.run_for(span); }
  // The service's host loses its power, and the service its data; another one takes its place.
  void restart();

 private:
  sim::World world_;
  std::optional<test::LinkedDirectory> service_;
};

// A node that is attached to the service, and has a lease.
class Asker : net::LinksEvents, net::SessionEvents {
 public:
  using Bytes = std::vector<std::byte>;

  Asker(ServiceLab& lab, unsigned host);

  // Sends a request with the next number, and returns the number; all requests go out with the next
  // run().
  template <class... Arguments>
  std::uint64_t ask(society::Request what, const Arguments&... arguments) {
    Bytes frame;
    society::FrameWriter out(frame);
    out.byte(static_cast<std::uint8_t>(what));
    out.number(++asked_);
    (put(out, arguments), ...);
    (void)way_.send(frame);
    return asked_;
  }
  // Sends any bytes, which go out likewise.
  void send(const Bytes& frame) { (void)way_.send(frame); }
  // Attaches, and follows everything.
  void attach(std::uint64_t seen = 0);
  std::uint64_t open_lease(std::string_view identity);
  std::uint64_t claim(std::string_view name, const Properties& properties = {});
  std::uint64_t describe(std::string_view name, std::uint64_t life, const Properties& properties);
  void leave(std::string_view name, std::uint64_t life);

  LeaseId lease() const noexcept { return lease_; }
  bool is_answered(std::uint64_t number) const { return answers_.contains(number); }
  const society::Answer& answer(std::uint64_t number) const { return answers_.at(number); }
  bool is_refused(std::uint64_t number, Errc errc) const {
    return is_answered(number) && answer(number).error && answer(number).error->errc() == errc;
  }
  std::size_t announced(society::Announcement kind) const {
    const auto found = announced_.find(kind);
    return found == announced_.end() ? 0 : found->second;
  }
  // The refusals of the latest answer to `audit`, and the counts of the latest census.
  const std::vector<society::Refusal>& refusals() const noexcept { return refusals_; }
  const std::map<std::string, std::uint64_t>& counts() const noexcept { return counts_; }
  // The reasons for which the service has ended its connection, one for each time.
  const std::vector<std::string>& ended() const noexcept { return ended_; }

  bool reads = true;      // gives credit back for its messages
  bool says_seen = true;  // confirms changes of groups

 private:
  template <class T>
  static void put(society::FrameWriter& out, const T& value) {
    if constexpr (std::is_integral_v<T>) out.number(value);
    else if constexpr (std::is_convertible_v<T, std::string_view>) out.text(value);
    else society::write(out, value);
  }
  void take(society::FrameReader in);

  // --- LinksEvents ---
  net::SessionEvents* on_peer(const net::Greeting&) override { return nullptr; }
  void on_link(net::Link&) override {}
  void on_fault(const std::string&, const net::Closing&, const net::Link*) override {}
  // --- SessionEvents ---
  void on_arrived(const net::Arrived& message) override;
  void on_credit() override { (void)way_.on_credit(); }
  void on_open(net::Opening) override {}
  void on_lost(const net::Closing& why) override { ended_.push_back(why.sentence); }
  void on_restarted() override {}
  void on_suspected() override {}
  void on_trusted() override {}
  void on_gone(const net::Closing&) override {}

  sim::detail::Program program_;
  society::FlushQueue flush_queue_;
  net::Links links_;
  society::FrameChannel way_;
  LeaseId lease_ = 0;
  std::uint64_t asked_ = 0, seen_ = 0;
  bool is_complete_ = false;
  std::map<std::uint64_t, society::Answer> answers_;
  std::map<society::Announcement, std::size_t> announced_;
  std::vector<society::Refusal> refusals_;
  std::map<std::string, std::uint64_t> counts_;
  std::vector<std::string> ended_;
};

}  // namespace coracle::trust

// The state of a hostile member until it restarts; private to it.
#pragma once

#include "channel.hpp"
#include "member.hpp"
#include "realizations/net/src/society/frames/frame_channel.hpp"
#include "realizations/sim/src/stream_network.hpp"

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace coracle::fuzzed {

// The numbers of its own requests; the numbers of an input's requests differ.
enum : std::uint64_t { attaching = 1 << 20, claiming, seeing, opening = 1 << 24 };

struct Member::Life final : net::LinksEvents, net::SessionEvents {
  Life(sim::World& world, const Place& where, const Reads& told);

  // --- LinksEvents ---
  net::SessionEvents* on_peer(const net::Greeting& peer) override {
    return direct ? &direct->let_in(peer.node) : nullptr;
  }
  void on_link(net::Link& link) override {
    if (direct) direct->on_link(link);
  }
  void on_fault(const std::string&, const net::Closing&, const net::Link*) override {}

  // --- SessionEvents: the service ---
  void on_arrived(const net::Arrived& message) override;
  void on_credit() override {}
  void on_open(net::Opening) override { join(); }
  void on_lost(const net::Closing&) override { is_lost = true; }
  void on_restarted() override {}
  void on_suspected() override {}
  void on_trusted() override {}
  void on_gone(const net::Closing&) override { is_lost = true; }

  bool ask(const Bytes& request) {
    trace("the service", request);
    const bool has_room = service->session().send(request, {}) != 0;
    service->flush();
    return has_room;
  }
  // A request whose arguments are numbers.
  Bytes plain(society::Request kind, std::uint64_t number,
              std::initializer_list<std::uint64_t> arguments);
  void join();
  void open_lease();
  void claim(const std::string& name);
  void take(society::FrameReader& in);
  void on_lease(LeaseId lease);
  void hear(LeaseId from, ByteSpan head, ByteSpan content);
  void answer(LeaseId from, ByteSpan head);

  bool say(LeaseId to, const Frame& frame, bool is_kept = true);
  unsigned say_frame(Choices& choose);
  unsigned send_batch(Choices& choose);
  unsigned say_pieces(Choices& choose);
  unsigned say_request(Choices& choose);
  unsigned say_odd(Choices& choose);
  unsigned say_nonsense(Choices& choose);
  unsigned misbehave(Choices& choose);

  static constexpr std::uint64_t largest_answer = std::uint64_t{4} << 20;

  const Place& place;
  const Reads& reads;
  sim::detail::Program program;
  Knowledge known;
  Sayings sayings;
  society::FlushQueue turn;
  society::FrameChannel service_channel{turn, largest_answer};  // joins the pieces from the service
  net::Links links;
  std::vector<std::string> endpoints;
  net::Link* service = nullptr;
  std::optional<Relayed> relayed;
  std::optional<Direct> direct;
  Channel* channel = nullptr;
  std::uint64_t requests = 0, group_changes = 0;
  bool is_complete = false;  // has received the directory's whole content
  std::uint64_t last_opening = opening, last_answered = opening;  // requests for a lease
  bool is_lost = false;
};

}  // namespace coracle::fuzzed

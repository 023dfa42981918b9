// The parts of a Liar. Private to it.
#pragma once

#include "liar.hpp"
#include "lies/requests.hpp"
#include "mouth.hpp"
#include "realizations/net/src/link.hpp"
#include "realizations/sim/src/stream_network.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coracle::test::lying {

using namespace society;

struct Liar::Impl final : net::LinksEvents, net::SessionEvents, Hearing {
  Impl(sim::World& world, const Place& place, std::uint64_t seed, Settings with);

  // --- LinksEvents ---
  net::SessionEvents* on_peer(const net::Greeting& peer) override {
    return direct ? direct->let_in(peer) : nullptr;
  }
  void on_link(net::Link& made) override {
    if (direct) direct->on_link(made);
  }
  void on_fault(const std::string& peer, const net::Closing& why, const net::Link*) override {
    note("fault of " + peer + ": " + why.sentence);
  }

  // --- SessionEvents: the directory ---
  void on_arrived(const net::Arrived& message) override;
  void on_credit() override { (void)channel.on_credit(); }
  void on_open(net::Opening how) override {
    if (how != net::Opening::resumed) attach();
  }
  void on_lost(const net::Closing& why) override {
    note("lost the directory: " + why.sentence);
    wants_to_dial = true;
  }
  void on_restarted() override {}
  void on_suspected() override {}
  void on_trusted() override {}
  void on_gone(const net::Closing&) override { wants_to_dial = true; }

  // --- Hearing ---
  void on_frame(LeaseId from, ByteSpan head, ByteSpan content) override;
  void on_refused(LeaseId from) override {
    note("refused by " + std::to_string(from));
    wants_lease = true;
  }

  void note(const std::string& line) {
    if (settings.note) settings.note(line);
  }
  void ask(const Bytes& request) { (void)channel.send(request); }
  void say(LeaseId to, const Frame& frame, const std::string& what);
  void attach();
  void take(FrameReader& in);
  void on_answer(std::uint64_t number, const Answer& answer);
  void on_lease(LeaseId lease);
  void answer_question(LeaseId from, std::uint8_t kind, std::uint64_t token);
  void answer_message(LeaseId from, std::uint8_t kind, const HeardMessage& message);
  void ring();
  void act();
  void be_honest();
  void misbehave();
  void set_alarm();

  const Place place;
  const Settings settings;
  sim::detail::Program program;
  Dice random;
  Knowledge known;
  Temper temper;
  Draws draw{random, known};
  CoreFrames frames{draw, known, temper};
  FlushQueue turn;
  net::Identity self;
  net::Links links;
  std::vector<std::string> endpoints;
  std::optional<Requests> requests;
  FrameChannel channel;  // to the directory
  net::Link* link = nullptr;
  std::optional<RelayedMouth> relayed;
  std::optional<DirectMouth> direct;
  Mouth* mouth = nullptr;
  std::unique_ptr<net::Alarm> alarm;
  Time renew_at{}, silent_until{};
  unsigned done = 0;
  std::uint64_t heard = 0, rings = 0;
  bool is_complete = false;  // this connection has delivered the directory's whole content
  bool wants_lease = false, wants_to_dial = false, is_stopped = false;
};

}  // namespace coracle::test::lying

// A session whose peer is written by hand, frame by frame.
#pragma once

#include "realizations/net/src/session.hpp"
#include "support/side.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>

namespace coracle::net::test {

using namespace std::chrono_literals;

inline constexpr Epoch our_epoch{1, 0}, peer_epoch{2, 0};

struct Counts final : public SessionEvents {
  void on_arrived(const Arrived& it) override {
    ++arrived;
    bytes += it.bytes();
  }
  void on_credit() override { ++credits; }
  void on_open(Opening) override { ++opened; }
  void on_lost(const Closing&) override { ++lost; }
  void on_restarted() override { ++restarted; }
  void on_suspected() override { ++suspected; }
  void on_trusted() override { ++trusted; }
  void on_gone(const Closing&) override { ++gone; }

  std::size_t arrived = 0, bytes = 0, credits = 0, opened = 0, lost = 0;
  std::size_t suspected = 0, trusted = 0, restarted = 0, gone = 0;
};

// A session, and its peer written by hand.
struct Hand {
  explicit Hand(SessionOptions settings = {}) : options(settings) {}

  Greeting greeting() const { return {"lab", "bob", peer_epoch, 1, 1, options.largest}; }
  void attach() { session.attach(Session::Side::dialled, peer, now); }
  void open(Amount granted = {1'000'000, 1000}, Seq seen = 0, Seq first = 1) {
    attach();
    send(FrameType::resume, [&](FrameWriter& out) {
      out.word(our_epoch.random);
      out.word(our_epoch.counter);
      out.number(1);
      out.number(seen);
      out.number(granted.bytes);
      out.number(granted.messages);
    });
    send(FrameType::start, [&](FrameWriter& out) { out.number(first); });
  }
  std::size_t send(FrameType type, const std::function<void(FrameWriter&)>& body) {
    std::vector<std::byte> frame;
    append_frame(frame, type, body);
    return session.received(frame, now);
  }
  void message(std::size_t bytes) {
    send(FrameType::message, [&](FrameWriter& out) {
      out.number(0);
      out.bytes(bytes_of(std::string(bytes, 'x')));
    });
  }
  // Returns everything that is to be written.
  std::string taken() {
    std::string result;
    for (ByteSpans parts = session.take(now); !parts.empty(); parts = session.take(now)) {
      for (const auto part : parts)
        result.append(reinterpret_cast<const char*>(part.data()), part.size());
      session.written(now);
    }
    return result;
  }
  // Returns the reason of the close, which is also in the last frame.
  Reason reason() {
    if (!session.closing()) return Reason::broken;
    const Reason why = session.closing()->reason;
    const std::string last = taken();
    BOOST_TEST(last.size() >= 5u);
    BOOST_TEST(static_cast<int>(last[0]) == static_cast<int>(FrameType::goodbye));
    BOOST_TEST(static_cast<int>(last[4]) == static_cast<int>(why));
    return why;
  }

  SessionOptions options;
  Greeting peer = greeting();
  Time now{10s};
  Counts counts;
  Session session{options, our_epoch, 1, counts, now};
};

}  // namespace coracle::net::test

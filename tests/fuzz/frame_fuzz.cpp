// Feeds any bytes to a session, from a peer that has been admitted. There must be no crash, no
// event against the interface, and never more memory than four times the received bytes and 64 KiB.
// The first byte of the input selects whether the session has been resumed before.
#include "realizations/net/src/session.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

using namespace coracle;
using namespace coracle::net;

void insist(bool kept) {
  if (!kept) std::abort();
}

class Watching final : public SessionEvents {
 public:
  void on_arrived(const Arrived& it) override {
    insist(it.seq == ++last);
    session->release(it.bytes());
  }
  void on_credit() override {}
  void on_open(Opening) override { insist(++opened == 1); }
  void on_lost(const Closing&) override {}
  void on_restarted() override { insist(false); }
  void on_suspected() override {}
  void on_trusted() override {}
  void on_gone(const Closing&) override { insist(false); }

  Session* session = nullptr;
  Seq last = 0;
  int opened = 0;
};

std::vector<std::byte> opening() {
  std::vector<std::byte> bytes;
  append_frame(bytes, FrameType::resume, [](FrameWriter& out) {
    out.word(1);
    out.word(0);
    out.number(1);
    out.number(0);
    out.number(100'000);
    out.number(100);
  });
  append_frame(bytes, FrameType::start, [](FrameWriter& out) { out.number(1); });
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const Time now{std::chrono::seconds(1)};
  Watching events;
  Session session(SessionOptions(), {1, 0}, 1, events, now);
  events.session = &session;
  session.attach(Session::Side::accepted, {"lab", "eve", {2, 0}, 1, 1, SessionOptions().largest},
                 now);
  if (data[0] & 1) {
    session.received(opening(), now);
    for (int i = 0; i < 3; ++i) session.send({}, Content("to be acknowledged"));
    while (!session.take(now).empty()) session.written(now);
  }
  const std::size_t before = session.memory();
  const auto input = std::as_bytes(std::span(data + 1, size - 1));
  const std::size_t piece = 1 + 16 * static_cast<std::size_t>(data[0] >> 1);
  std::size_t begin = 0;
  bool is_goodbye_written = false;
  for (std::size_t end = 0; end < input.size() && !session.closing();) {
    end = std::min(input.size(), end + piece);
    begin += session.received(input.subspan(begin, end - begin), now);
    insist(end - begin <= session.largest_frame());
    if (!session.is_writing() && !session.take(now).empty()) {
      is_goodbye_written = session.closing().has_value();
      session.written(now);
    }
    insist(session.memory() <= before + 4 * end + (64u << 10));
    if (session.farewell()) break;
  }
  if (session.closing()) insist(is_goodbye_written || !session.take(now).empty());
  return 0;
}

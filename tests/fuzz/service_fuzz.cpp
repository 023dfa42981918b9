// What a node of the society may send to a clearinghouse: requests to its directory, and frames for
// other nodes. Whatever it is, it ends that node's link and nothing else. What a service tells is
// read likewise, and what is understood means the same when it is written again.
#include "realizations/central/src/relay.hpp"
#include "realizations/net/src/society/directory_service.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

namespace {

using namespace coracle;
using namespace coracle::society;

constexpr Time now{std::chrono::seconds(1)};

class StillClock final : public Clock {
 public:
  Time now() const override { return ::now; }
};

class NoAlarms final : public net::Alarms {
 public:
  std::unique_ptr<net::Alarm> make(std::function<void()>) override {
    struct NoAlarm final : net::Alarm {
      void set(Time) override {}
    };
    return std::make_unique<NoAlarm>();
  }
};

// A node that has proved who it is.
class Client final : public net::Link {
 public:
  Client(DirectoryService& service, std::string name)
      : name_(std::move(name)),
        events_(*service.on_peer(greeting())),
        session_(net::SessionOptions(), {1, 0}, 1, events_, now) {
    service.on_link(*this);
  }
  void say(std::span<const std::byte> header) {
    net::Arrived message{};
    message.lane = way_lane;
    message.header = header;
    if (!session_.closing()) events_.on_arrived(message);
  }
  void go() {
    if (!session_.closing()) events_.on_gone({net::Reason::leaving, "it goes"}, {});
  }

  const std::string& node() const override { return name_; }
  net::Session& session() override { return session_; }
  void flush() override {}
  void set_endpoints(std::span<const net::Endpoint>) override {}
  void dial() override {}
  void keep() override {}
  void leave() override {}

 private:
  net::Greeting greeting() const {
    net::Greeting peer;
    peer.society = "lab";
    peer.node = name_;
    return peer;
  }

  const std::string name_;
  net::SessionEvents& events_;
  net::Session session_;
};

void serve(std::span<const std::byte> left) {
  StillClock clock;
  NoAlarms alarms;
  Turn turn;
  central::Relay relay;
  DirectoryService service(
      turn, alarms, clock, {}, {}, [](const std::string&) {}, &relay);
  Client ann(service, "ann"), bob(service, "bob");
  while (left.size() >= 2) {
    Client& who = (std::to_integer<unsigned>(left[0]) & 1) != 0 ? ann : bob;
    if (std::to_integer<unsigned>(left[0]) == 0xff) who.go();
    const auto length = std::min(std::to_integer<std::size_t>(left[1]), left.size() - 2);
    who.say(left.subspan(2, length));
    left = left.subspan(2 + length);
    turn.flush();
  }
}

// Reads one thing of each kind, and writes it again.
template <class Read, class Write>
void again(std::span<const std::byte> bytes, Read read, Write write) {
  FrameReader in(bytes);
  const auto value = read(in);
  if (!in.ok()) return;
  Bytes first, second;
  FrameWriter out(first);
  write(out, value);
  FrameReader reread(first);
  const auto same = read(reread);
  if (!reread.ok() || !reread.at_end()) std::abort();
  FrameWriter out_again(second);
  write(out_again, same);
  if (first != second) std::abort();
}

void tell(std::span<const std::byte> bytes) {
  const auto write = [](FrameWriter& out, const auto& value) { society::write(out, value); };
  again(
      bytes, [](FrameReader& in) { return read_answer(in); }, write);
  again(
      bytes, [](FrameReader& in) { return read_node_info(in); }, write);
  again(
      bytes, [](FrameReader& in) { return read_ending(in); }, write);
  again(
      bytes, [](FrameReader& in) { return read_properties(in); }, write);
  again(
      bytes, [](FrameReader& in) { return read_mailbox(in); }, write);
  FrameReader in(bytes);
  std::optional<Entry> entry;
  (void)read_event(in, entry);
}

}  // namespace

// The first byte says which of both. Requests follow each other, behind a byte that says whose, and
// one that says how long it is.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto input = std::as_bytes(std::span(data + 1, size - 1));
  data[0] % 4 == 0 ? tell(input) : serve(input);
  return 0;
}

// Feeds any bytes to the readers of requests and responses, and to the sessions of a server and a
// client, as a whole and in pieces. There must be no crash; both must give the same messages, and
// hold no more than what has come.
#include "client/session.hpp"
#include "server/session.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace coracle;
using namespace coracle::http;

const ReadLimits limits{
    .header_bytes = 400, .header_fields = 8, .target_bytes = 100, .body_bytes = 300};

std::string read_in(std::string_view bytes, std::size_t piece, MessageReader::Kind kind,
                    bool jade) {
  using State = MessageReader::State;
  MessageReader reader(kind, limits);
  reader.set_headers_end_response(jade);
  std::string all;
  std::size_t at = 0, end = 0;
  while (reader.state() != State::failed) {
    if (reader.state() == State::headed) {
      reader.go_on();
    } else if (reader.state() == State::done) {
      all += reader.head().method + ' ' + reader.head().target + ' ' +
             std::to_string(reader.head().status) + ' ' + reader.body() + '\n';
      reader.next();
    } else if (at == end && end == bytes.size()) {
      if (!reader.has_begun()) return all;
      reader.end();
    } else {
      if (at == end) end = std::min(bytes.size(), end + piece);
      at += reader.read(bytes.substr(at, end - at));
    }
    if (reader.buffered() > end + 100 || reader.body().capacity() > 4 * end + 70'000) std::abort();
  }
  return all + '!' + std::to_string(reader.fault().status);
}

std::string taken(Output& output) {
  std::string all;
  std::string_view views[4];
  while (const std::size_t count = output.front(views)) {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < count; ++i) all += views[i], bytes += views[i].size();
    output.drop(bytes);
  }
  return all;
}

void play_server(std::string_view bytes, std::size_t piece) {
  static const SessionSettings settings = [] {
    SessionSettings made{{}, limits, {}, Sites(), Url::parse("http://localhost/").value()};
    made.limits.pipelined = 3;
    const Handler none = [](const Request&, const Responder&) {};
    made.routes.on("GET", "/a/{x}", none).on("POST", "/{rest...}", none);
    return made;
  }();
  Budget all(2000), own(1000);
  Time now{std::chrono::seconds(1)};
  ServerSession session(settings, all, own, "peer", now);
  for (std::size_t at = 0; at < bytes.size() && !session.is_broken(); at += piece) {
    if (session.wants_bytes()) session.on_bytes(bytes.substr(at, piece), now);
    while (auto job = session.next_job()) {
      if (job->number % 3 == 0) session.begin_stream(job->number, {}, now);
      else if (job->number % 7 == 1) session.begin_socket(job->number, {}, now);
      else session.respond(job->number, Response::with(job->request.body, "a/b"), now);
    }
    while (session.streaming()) {
      session.stream("x", now);
      session.end_stream(now);
    }
    const std::string text = taken(session.output());
    if (!text.empty()) session.on_written(now);
    now += std::chrono::seconds(3);
    if (now >= session.deadline()) session.on_time(now);
  }
  session.on_end(now);
  const std::string rest = taken(session.output());
  if (all.used() > bytes.size() + 2000) std::abort();
}

void play_client(std::string_view bytes, std::size_t piece, bool jade) {
  ClientSession session(limits);
  for (unsigned i = 0; i < 4; ++i) {
    ClientSession::Expected expected;
    expected.id = i;
    expected.is_head = i == 1;
    expected.is_stream = i == 2;
    expected.is_upgrade = i == 3;
    expected.headers_end_response = jade;
    session.send("GET / HTTP/1.1\r\n\r\n", "", expected);
  }
  for (std::size_t at = 0; at < bytes.size() && !session.fault(); at += piece)
    session.on_bytes(bytes.substr(at, piece));
  session.on_end();
  while (session.next_arrival()) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t piece = data[0] % 32 + 1U;
  const bool jade = (data[0] & 0x80U) != 0;
  using Kind = MessageReader::Kind;
  for (const Kind kind : {Kind::request, Kind::response}) {
    if (read_in(bytes, size, kind, jade) != read_in(bytes, piece, kind, jade)) std::abort();
  }
  play_server(bytes, piece);
  play_client(bytes, piece, jade);
  return 0;
}

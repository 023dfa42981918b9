#include "scenarios/gateways/gateway/a2a_place.hpp"

#include "harness/figures/timing.hpp"
#include "harness/machines/host.hpp"

#include <coracle/a2a/server.hpp>
#include <coracle/a2a/talk.hpp>
#include <coracle/coracle.hpp>
#include <coracle/realizations/local.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include <sched.h>

namespace coracle::bench {

namespace {

class A2aEcho final : public Agent {
  Task<> run() override {
    for (;;) {
      const Message request = co_await receive();
      co_await reply(request, request.content());
    }
  }
};

class A2aTicker final : public Agent {
  Task<> run() override {
    for (;;) {
      Message request = co_await receive();
      spawn(tick(std::move(request)));
    }
  }
  Task<> tick(Message request) {
    int left = 0;
    const std::string_view text = request.text();
    std::from_chars(text.data(), text.data() + text.size(), left);
    for (; left > 0; --left) {
      co_await pause(std::chrono::milliseconds(100));
      const Content piece("@" + std::to_string(clock_now().time_since_epoch().count()));
      Task<> sending = a2a::send_piece(*this, request, piece);
      co_await sending;
    }
    co_await reply(request, "end");
  }
};

}  // namespace

void A2aPlace::serve(Meeting& meeting, std::int64_t crowd) {
  http::Loop loop;
  Realization realization = local::realization();
  realization.reactor = loop.reactor(realization.reactor);
  Node node(std::move(realization));
  node.create<A2aEcho>("lab/echo");
  node.create<A2aTicker>("lab/ticker");
  for (std::int64_t i = 0; i < crowd; ++i) node.create<A2aEcho>("crowd/a" + std::to_string(i));
  a2a::ServerOptions options;
  options.exposed = {"**"};
  options.http.limits.connections = options.http.limits.connections_per_peer = 4096;
  options.limits.unfinished_per_caller = 4096;
  const a2a::Server server(node, loop, options);
  meeting.resident = resident_bytes();
  meeting.port = http::Url::parse(server.address()).value().port;
  Port port(node, "keeper");
  while (!meeting.is_over.load()) port.receive(Deadline(std::chrono::milliseconds(5)));
  meeting.resident = resident_bytes();
}

A2aPlace::A2aPlace(std::int64_t crowd) : partner_([&] { serve(*meeting_, crowd); }) {
  while (meeting_->port == 0) sched_yield();
  before_ = meeting_->resident;
}

http::Request A2aPlace::request(const char* method, const std::string& path, std::string body) {
  http::Request made;
  made.method = method;
  made.url =
      http::Url::parse(fmt::format("http://127.0.0.1:{}{}", meeting_->port.load(), path)).value();
  made.headers = {{"A2A-Version", "1.0"}};
  if (!body.empty()) made.headers.add("Content-Type", "application/json");
  made.body = std::move(body);
  return made;
}

std::size_t A2aPlace::end() {
  meeting_->is_over = true;
  partner_.wait();
  return meeting_->resident - std::min<std::size_t>(before_, meeting_->resident);
}

std::string a2a_message(const char* method, const std::string& text, std::uint64_t number) {
  return fmt::format(
      R"({{"jsonrpc":"2.0","id":1,"method":"{}","params":{{"message":{{"messageId":"m{}",)"
      R"("role":"ROLE_USER","parts":[{{"text":"{}"}}]}}}}}})",
      method, number, text);
}

}  // namespace coracle::bench

// A tool of MCP that echoes a text: an agent behind our gateway, by HTTP and by standard input and
// output; fastmcp's own server; and as floors a server of Boost.Beast and two pipes.
#include "harness/figures/compare.hpp"
#include "harness/figures/timing.hpp"
#include "harness/machines/forked.hpp"
#include "harness/machines/program.hpp"
#include "harness/machines/shared.hpp"
#include "harness/run/failures.hpp"
#include "scenarios/gateways/gateway/calling.hpp"
#include "scenarios/gateways/gateway/comparing.hpp"
#include "scenarios/gateways/gateway/gateway.hpp"

#include <coracle/coracle.hpp>
#include <coracle/mcp/http_server.hpp>
#include <coracle/mcp/stdio.hpp>
#include <coracle/realizations/local.hpp>

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <string>
#include <utility>

#include <unistd.h>

namespace coracle::bench {

namespace {

constexpr const char* our_tool = "ask_lab__echo";
constexpr const char* their_tool = "echo";
constexpr double time_to_begin = 60;

class McpEcho : public Agent {
  Task<> run() override {
    for (;;) {
      const Message message = co_await receive();
      co_await reply(message, message.content());
    }
  }
};

std::string use_of(const char* tool, const std::string& text) {
  return fmt::format(
      R"({{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{}",)"
      R"("arguments":{{"text":"{}"}},"_meta":{{)"
      R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
      R"("io.modelcontextprotocol/clientCapabilities":{{}},)"
      R"("io.modelcontextprotocol/clientInfo":{{"name":"bench","version":"1"}}}}}}}})",
      tool, text);
}

http::Request request_to(const std::string& address, const char* tool, const std::string& text) {
  http::Request request;
  request.method = "POST";
  request.url = http::Url::parse(address).value();
  request.headers = {{"Content-Type", "application/json"},
                     {"Accept", "application/json, text/event-stream"},
                     {"MCP-Protocol-Version", "2026-07-28"},
                     {"Mcp-Method", "tools/call"},
                     {"Mcp-Name", tool}};
  request.body = use_of(tool, text);
  return request;
}

// --- by HTTP

struct McpMeeting {
  std::atomic<int> port{0};
  std::atomic<bool> is_over{false};
};

struct McpLoad {
  std::uint32_t connections;
  std::string text;
  double interval;
};

void serve_gateway(McpMeeting& meeting) {
  http::Loop loop;
  Realization realization = local::realization();
  realization.reactor = loop.reactor(realization.reactor);
  Node node(std::move(realization));
  node.create<McpEcho>("lab/echo");
  mcp::Gateway gateway(node, {.exposed = {"lab/**"}});
  mcp::HttpServerOptions options;
  options.http.limits.connections_per_peer = 1024;
  const mcp::HttpServer server(gateway, loop, options);
  Port port(node, "waiting");
  meeting.port = http::Url::parse(server.address()).value().port;
  while (!meeting.is_over.load()) port.receive(Deadline(std::chrono::milliseconds(5)));
}

WebCalls calls_to(const std::string& address, const char* tool, const McpLoad& load) {
  return {request_to(address, tool, load.text), load.text, load.connections, load.interval};
}

Run call_gateway(const McpLoad& load) {
  Shared<McpMeeting> meeting;
  Partner partner([&] { serve_gateway(*meeting); });
  while (meeting->port == 0) sched_yield();
  const std::string address = fmt::format("http://127.0.0.1:{}/mcp", meeting->port.load());
  const Run run = call_server(calls_to(address, our_tool, load));
  meeting->is_over = true;
  partner.wait();
  return run;
}

Run call_floor(const McpLoad& load) {
  return call_beast(calls_to("http://127.0.0.1/mcp", our_tool, load));
}

Run call_fastmcp(const std::string& fastmcp, const McpLoad& load) {
  Dialogue server({fastmcp, "http"}, {});
  const std::string address = server.hear(time_to_begin);
  return call_server(calls_to(address, their_tool, load));
}

// --- by standard input and output

// The ends of two pipes to and from another process.
class TwoPipes {
 public:
  TwoPipes() {
    if (pipe(to_.data()) != 0 || pipe(from_.data()) != 0) throw NotDone("no pipe could be made");
  }
  ~TwoPipes() {
    for (const int each : {to_[0], to_[1], from_[0], from_[1]})
      if (each >= 0) close(each);
  }
  TwoPipes(const TwoPipes&) = delete;
  TwoPipes& operator=(const TwoPipes&) = delete;

  // In the other process.
  std::pair<int, int> become_server() {
    close(std::exchange(to_[1], -1));
    close(std::exchange(from_[0], -1));
    return {to_[0], from_[1]};
  }
  // The server's input ends.
  void end() { close(std::exchange(to_[1], -1)); }

  // Writes a line, and reads the one that comes back.
  void round_trip(const std::string& line, std::string& answer) {
    if (write(to_[1], line.data(), line.size()) != static_cast<ssize_t>(line.size()))
      throw NotDone("a line could not be written");
    answer.clear();
    std::array<char, 4096> some{};
    do {
      const ssize_t size = read(from_[0], some.data(), some.size());
      if (size <= 0) throw NotDone("the other process has ended");
      answer.append(some.data(), static_cast<std::size_t>(size));
    } while (answer.back() != '\n');
  }

 private:
  std::array<int, 2> to_{-1, -1}, from_{-1, -1};
};

// The time of one round trip in ns, without the first fifth.
Run timed(const std::function<void()>& round_trip, double interval) {
  const auto run_for = [&](double time) {
    const Time end = clock_now() + seconds(time);
    std::uint64_t done = 0;
    for (; clock_now() < end; ++done) round_trip();
    return done;
  };
  run_for(interval / 5);
  const Time start = clock_now();
  Run run;
  run.n = run_for(interval);
  run.value = nanoseconds(clock_now() - start) / static_cast<double>(run.n);
  return run;
}

Run pipe_partner(const std::function<void(int in, int out)>& serve, const McpLoad& load) {
  TwoPipes pipes;
  Partner partner([&] {
    const auto [in, out] = pipes.become_server();
    serve(in, out);
  });
  const std::string line = use_of(our_tool, load.text) + '\n';
  std::string answer;
  const auto round_trip = [&] {
    pipes.round_trip(line, answer);
    if (answer.find(load.text) == std::string::npos) throw NotDone("wrong: " + answer);
  };
  const Run run = timed(round_trip, load.interval);
  pipes.end();
  partner.wait();
  return run;
}

Run pipe_gateway(const McpLoad& load) {
  const auto serve = [](int in, int out) {
    Node node(local::realization());
    node.create<McpEcho>("lab/echo");
    mcp::Gateway gateway(node, {.exposed = {"lab/**"}});
    mcp::serve_stdio(gateway, in, out);
  };
  return pipe_partner(serve, load);
}

Run pipe_floor(const McpLoad& load) {
  const auto serve = [](int in, int out) {
    std::array<char, 65536> some{};
    for (ssize_t size = 0; (size = read(in, some.data(), some.size())) > 0;)
      if (write(out, some.data(), static_cast<std::size_t>(size)) != size) return;
  };
  return pipe_partner(serve, load);
}

Run pipe_fastmcp(const std::string& fastmcp, const McpLoad& load) {
  Dialogue server({fastmcp, "stdio"}, {});
  const std::string line = use_of(their_tool, load.text);
  const auto round_trip = [&] {
    server.tell(line);
    const std::string answer = server.hear(time_to_begin);
    if (answer.find(load.text) == std::string::npos) throw NotDone("wrong: " + answer);
  };
  round_trip();
  return timed(round_trip, load.interval);
}

}  // namespace

void measure_mcp(const Options& options, Progress& progress, std::vector<Metric>& metrics) {
  const auto fastmcp = other_gateway(options, "fastmcp");
  if (!fastmcp) {
    progress.clear();
    fmt::print(stderr, "coracle-bench: there is no fastmcp; ./scripts/peers fastmcp gets it\n");
  }
  McpLoad load{1, std::string(options.size, 'x'), options.interval(0.2, 2)};
  using Work = std::function<Run()>;
  const auto measured = [&](Work ours, Work floor, const std::function<Run()>& theirs) {
    std::vector<Work> works{std::move(ours), std::move(floor)};
    if (fastmcp) works.push_back(theirs);
    return interleave(options, progress, works);
  };
  const Params base = {{"protocol", std::string("mcp")},
                       {"size", static_cast<std::int64_t>(options.size)}};
  for (const std::uint32_t connections : {1U, 10U}) {
    load.connections = connections;
    progress.begin(fmt::format("gateway, mcp by http, {} connections", connections));
    const auto runs = measured([&] { return call_gateway(load); }, [&] { return call_floor(load); },
                               [&] { return call_fastmcp(*fastmcp, load); });
    Params params = base;
    params.emplace_back("way", std::string("http"));
    params.emplace_back("connections", std::int64_t{connections});
    add_compared("rate", "requests/s", params, runs, "fastmcp", metrics);
    if (connections == 1) add_compared("rtt", "ns", params, as_times(runs), "fastmcp", metrics);
  }
  progress.begin("gateway, mcp by pipes");
  Params params = base;
  params.emplace_back("way", std::string("stdio"));
  add_compared("rtt", "ns", params,
               measured([&] { return pipe_gateway(load); }, [&] { return pipe_floor(load); },
                        [&] { return pipe_fastmcp(*fastmcp, load); }),
               "fastmcp", metrics);
}

}  // namespace coracle::bench

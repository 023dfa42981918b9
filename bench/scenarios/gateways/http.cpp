// A server and a client of HTTP in two processes, each with one thread: round trips on one
// connection, requests per second on several, with and without pipelining, and large bodies. The
// floor moves the same bytes by sockets, without a look at them.
#include "floor/floors.hpp"
#include "harness/figures/compare.hpp"
#include "harness/figures/timing.hpp"
#include "harness/machines/forked.hpp"
#include "harness/machines/shared.hpp"
#include "harness/run/failures.hpp"
#include "scenarios/scenarios.hpp"

#include <coracle/coracle.hpp>
#include <coracle/http/agent.hpp>
#include <coracle/http/client.hpp>
#include <coracle/realizations/local.hpp>

#include <atomic>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace coracle::bench {

namespace {

// The load that is measured at a time.
struct Load {
  const char* name;
  std::uint32_t connections;
  std::uint32_t outstanding;  // on each of them
  std::size_t size;
  bool by_agents;  // an agent responds, and another one asks
};

// Of both processes.
struct Meeting {
  std::atomic<int> port{0};
  std::atomic<bool> is_over{false};
};

http::Routes echo() {
  http::Routes routes;
  routes.on("POST", "/echo", [](http::Request request, const http::Responder& to) {
    to.send(http::Response::with(std::move(request.body), "application/octet-stream"));
  });
  return routes;
}

Task<http::Response> echo_by_agent(Agent&, http::Request request) {
  co_return http::Response::with(std::move(request.body), "application/octet-stream");
}

// Serves until the other process has what it wants.
void serve(Meeting& meeting, const Load& load) {
  http::ServerOptions options;
  options.limits.connections_per_peer = 1024;
  http::Loop loop;
  const auto wait = [&](const http::Server& server) {
    meeting.port = server.url().port;
    const auto is_over = [&] { return meeting.is_over.load(); };
    while (!loop.run_until(is_over, std::chrono::milliseconds(5))) {
    }
  };
  if (!load.by_agents) return wait(http::Server(loop, options, echo()));
  Realization realization = local::realization();
  realization.reactor = loop.reactor(realization.reactor);
  Node node(std::move(realization));
  Port port(node, "gateway");
  http::Routes routes;
  routes.on("POST", "/echo", http::handled_by(port, echo_by_agent));
  const http::Server server(loop, options, std::move(routes));
  meeting.port = server.url().port;
  while (!meeting.is_over.load()) port.receive(Deadline(std::chrono::milliseconds(5)));
}

http::Request request_for(const Meeting& meeting, std::size_t size) {
  http::Request request;
  request.method = "POST";
  request.url =
      http::Url::parse("http://127.0.0.1:" + std::to_string(meeting.port) + "/echo").value();
  request.body.assign(size, 'x');
  return request;
}

http::ClientOptions options_for(const Load& load) {
  http::ClientOptions options;
  options.limits.connections_per_server = load.connections;
  options.limits.connections = load.connections;
  options.limits.pipelined = load.outstanding;
  return options;
}

// Sends one request after the other, so many at a time.
struct Caller {
  void call() {
    client.send(request, {}, [this](const Result<http::Response>& result) {
      if (!result || result->body.size() != request.body.size())
        throw NotDone("a response is wrong");
      ++done;
      if (!is_over) call();
      else --under_way;
    });
  }
  http::Client& client;
  const http::Request request;
  std::uint64_t done = 0;
  std::uint32_t under_way = 0;
  bool is_over = false;
};

Run measure(const Meeting& meeting, const Load& load, double interval) {
  http::Loop loop;
  http::Client client(loop, options_for(load));
  Caller caller{client, request_for(meeting, load.size)};
  caller.under_way = load.connections * load.outstanding;
  for (std::uint32_t i = 0; i < caller.under_way; ++i) caller.call();
  const auto run_for = [&](double time) {
    const Time end = clock_now() + seconds(time);
    loop.run_until([&] { return clock_now() >= end; }, end);
  };
  run_for(interval / 5);
  const std::uint64_t before = caller.done;
  const Time start = clock_now();
  run_for(interval);
  Run run;
  run.n = caller.done - before;
  run.value = static_cast<double>(run.n) / (nanoseconds(clock_now() - start) / 1e9);
  caller.is_over = true;
  loop.run_until([&] { return caller.under_way == 0; });
  return run;
}

// The same by agents: each has one request under way.
Run measure_agents(const Meeting& meeting, const Load& load, double interval) {
  http::Loop loop;
  Realization realization = local::realization();
  realization.reactor = loop.reactor(realization.reactor);
  Node node(std::move(realization));
  http::Client client(loop, options_for(load));
  const http::Request request = request_for(meeting, load.size);
  Run run;
  std::atomic<std::uint64_t> done{0};
  std::atomic<bool> is_over{false};
  const auto body = [&](Agent&) -> Task<int> {
    while (!is_over) {
      const http::Response response = co_await client.fetch(request);
      if (response.body.size() != request.body.size()) throw NotDone("a response is wrong");
      ++done;
    }
    co_return 0;
  };
  Port port(node, "asker");
  port.act<int>([&](Agent& me) -> Task<int> {
    std::uint32_t left = load.connections * load.outstanding;
    const auto one = [&]() -> Task<> {
      Task<int> task = body(me);
      co_await task;
      --left;
    };
    for (std::uint32_t i = 0; i < load.connections * load.outstanding; ++i) me.spawn(one());
    co_await me.pause(seconds(interval / 5));
    const std::uint64_t before = done;
    const Time start = clock_now();
    co_await me.pause(seconds(interval));
    run.n = done - before;
    run.value = static_cast<double>(run.n) / (nanoseconds(clock_now() - start) / 1e9);
    is_over = true;
    while (left != 0) co_await me.pause(std::chrono::milliseconds(1));
    co_return 0;
  });
  return run;
}

Run play(const Load& load, double interval) {
  Shared<Meeting> meeting;
  Partner partner([&] { serve(*meeting, load); });
  while (meeting->port == 0) sched_yield();
  const Run run =
      load.by_agents ? measure_agents(*meeting, load, interval) : measure(*meeting, load, interval);
  meeting->is_over = true;
  partner.wait();
  return run;
}

// The bytes of a request and a response, with what is before the body.
WebLoad floor_of(const Load& load, double interval) {
  const std::string size = std::to_string(load.size);
  const std::string request =
      "POST /echo HTTP/1.1\r\nHost: 127.0.0.1:12345\r\nContent-Length: " + size + "\r\n\r\n";
  const std::string response =
      "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: " + size +
      "\r\n\r\n";
  return {load.connections, load.outstanding, request.size() + load.size,
          response.size() + load.size, interval};
}

}  // namespace

std::vector<Metric> run_http(const Options& options, Progress& progress) {
  constexpr std::size_t large = std::size_t{1} << 20;
  const Load loads[] = {
      {"rtt", 1, 1, options.size, false},    {"rtt", 1, 1, options.size, true},
      {"rate", 10, 1, options.size, false},  {"rate", 100, 1, options.size, false},
      {"rate", 1, 100, options.size, false}, {"rate", 1, 100, options.size, true},
      {"large", 1, 1, large, false}};
  const double interval = options.interval(0.2, 1);
  std::vector<Metric> metrics;
  for (const Load& load : loads) {
    const std::string name = load.name;
    const bool is_time = name == "rtt";
    // Of a rate, the number that the metric shows.
    const auto shown = [&](Run run) {
      if (is_time) run.value = 1e9 / run.value;
      else if (name == "large") run.value *= static_cast<double>(large) / (1 << 20);
      return run;
    };
    const auto runs = interleave(options, progress,
                                 {[&] { return shown(play(load, interval)); },
                                  [&] { return shown(floor_web(floor_of(load, interval))); }});
    const Params params = {{"connections", std::int64_t{load.connections}},
                           {"outstanding", std::int64_t{load.outstanding}},
                           {"size", static_cast<std::int64_t>(load.size)},
                           {"by", std::string(load.by_agents ? "agents" : "callbacks")}};
    const char* const unit = is_time ? "ns" : name == "large" ? "MiB/s" : "requests/s";
    for (Metric& each : beside_floor(name, unit, params, runs[0], runs[1]))
      metrics.push_back(std::move(each));
  }
  return metrics;
}

}  // namespace coracle::bench

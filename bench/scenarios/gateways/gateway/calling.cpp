#include "scenarios/gateways/gateway/calling.hpp"

#include "floor/floors.hpp"
#include "harness/figures/timing.hpp"
#include "harness/machines/forked.hpp"
#include "harness/machines/other_systems.hpp"
#include "harness/machines/shared.hpp"
#include "harness/run/failures.hpp"

#include <coracle/http/client.hpp>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <utility>

#include <sched.h>

namespace coracle::bench {

namespace {

// Sends one request after the other, so many at a time.
struct Calling {
  void call() {
    http::Request request = calls.request;
    if (calls.vary) calls.vary(request, ++sent);
    client.send(std::move(request), {}, [this](const Result<http::Response>& result) {
      if (!result) throw NotDone("there is no response: " + result.error().sentence());
      if (result->status != 200 || result->body.find(calls.in_response) == std::string::npos)
        throw NotDone("a response is wrong: " + result->body.substr(0, 500));
      ++done;
      if (!is_over) call();
      else --under_way;
    });
  }
  http::Client& client;
  const WebCalls& calls;
  std::uint64_t sent = 0, done = 0;
  std::uint32_t under_way = 0;
  bool is_over = false;
};

}  // namespace

Run call_server(const WebCalls& calls) {
  http::ClientOptions options;
  options.limits.connections_per_server = calls.connections;
  http::Loop loop;
  http::Client client(loop, options);
  Calling calling{client, calls};
  calling.under_way = calls.connections;
  for (std::uint32_t i = 0; i < calls.connections; ++i) calling.call();
  const auto run_for = [&](double time) {
    const Time end = clock_now() + seconds(time);
    loop.run_until([&] { return clock_now() >= end; }, end);
  };
  run_for(calls.interval / 5);
  const std::uint64_t before = calling.done;
  const Time start = clock_now();
  run_for(calls.interval);
  Run run;
  run.n = calling.done - before;
  run.value = static_cast<double>(run.n) / (nanoseconds(clock_now() - start) / 1e9);
  calling.is_over = true;
  loop.run_until([&] { return calling.under_way == 0; });
  if (run.n == 0) throw NotDone("the server has not responded");
  return run;
}

Run call_beast(WebCalls calls) {
  struct Meeting {
    std::atomic<int> port{0};
    std::atomic<bool> is_over{false};
  };
  Shared<Meeting> meeting;
  Partner partner([&] {
    serve_beast_echo([&](std::uint16_t port) { meeting->port = port; },
                     [&] { return meeting->is_over.load(); });
  });
  while (meeting->port == 0) sched_yield();
  calls.request.url.port = static_cast<std::uint16_t>(meeting->port);
  const Run run = call_server(calls);
  meeting->is_over = true;
  partner.wait();
  return run;
}

std::optional<std::string> other_gateway(const Options& options, std::string_view name) {
  const std::filesystem::path program = folder_of_peers(options) / ("gateway-" + std::string(name));
  if (!std::filesystem::is_regular_file(program)) return std::nullopt;
  return program.string();
}

Summary difference(const std::vector<Run>& a, const std::vector<Run>& b) {
  std::vector<double> values;
  std::uint64_t n = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    values.push_back(a[i].value - b[i].value);
    n += a[i].n;
  }
  return summarize(values, n);
}

}  // namespace coracle::bench

// Tasks of A2A that an agent ends at once, beside the same by a2a-sdk's own server; and the cards
// of many agents. The floor is a server of Boost.Beast.
#include "harness/figures/compare.hpp"
#include "harness/machines/program.hpp"
#include "scenarios/gateways/gateway/a2a_place.hpp"
#include "scenarios/gateways/gateway/calling.hpp"
#include "scenarios/gateways/gateway/comparing.hpp"
#include "scenarios/gateways/gateway/gateway.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

namespace coracle::bench {

namespace {

constexpr double time_for_sdk = 60;

// Each request is a new message, which begins a new task.
WebCalls tasks_at(http::Request request, const Options& options, std::uint32_t connections) {
  const std::string text(options.size, 'x');
  WebCalls calls{std::move(request), text, connections, options.interval(0.2, 2)};
  calls.vary = [text](http::Request& changed, std::uint64_t number) {
    changed.body = a2a_message("SendMessage", text, number);
  };
  return calls;
}

void measure_tasks(const Options& options, Progress& progress, std::vector<Metric>& metrics) {
  const auto sdk = other_gateway(options, "a2a-sdk");
  if (!sdk) {
    progress.clear();
    fmt::print(stderr, "coracle-bench: there is no a2a-sdk; ./scripts/peers a2a-sdk gets it\n");
  }
  for (const std::uint32_t connections : {1U, 10U}) {
    progress.begin(fmt::format("gateway, a2a, {} connections", connections));
    http::Request one;
    std::vector<std::function<Run()>> works = {
        [&] {
          A2aPlace place;
          one = place.request("POST", "/a2a/lab/echo", "{}");
          const Run run = call_server(tasks_at(one, options, connections));
          place.end();
          return run;
        },
        [&] { return call_beast(tasks_at(one, options, connections)); }};
    if (sdk)
      works.emplace_back([&] {
        Dialogue server({*sdk}, {});
        http::Request theirs = one;
        theirs.url = http::Url::parse(server.hear(time_for_sdk)).value();
        return call_server(tasks_at(theirs, options, connections));
      });
    const auto runs = interleave(options, progress, works);
    const Params params = {{"protocol", std::string("a2a")},
                           {"size", static_cast<std::int64_t>(options.size)},
                           {"connections", std::int64_t{connections}}};
    add_compared("rate", "requests/s", params, runs, "a2a-sdk", metrics);
    if (connections == 1) add_compared("rtt", "ns", params, as_times(runs), "a2a-sdk", metrics);
  }
}

// Requests that read what a server of many agents shows to everybody.
void measure_reading(const Options& options, Progress& progress, const char* what,
                     const std::string& wanted,
                     const std::function<std::string(std::uint64_t)>& path, std::int64_t crowd,
                     std::vector<Metric>& metrics) {
  progress.begin(fmt::format("gateway, a2a, {} of {} agents", what, crowd));
  http::Request one;
  const auto calls_of = [&](std::string in_response) {
    WebCalls calls{one, std::move(in_response), 1, options.interval(0.2, 2)};
    calls.vary = [&](http::Request& changed, std::uint64_t number) {
      changed.url.path = path(number);
    };
    return calls;
  };
  const auto runs = interleave(options, progress,
                               {[&] {
                                  A2aPlace place(crowd);
                                  one = place.request("GET", "/");
                                  const Run run = call_server(calls_of(wanted));
                                  place.end();
                                  return run;
                                },
                                [&] { return call_beast(calls_of("")); }});
  const Params params = {{"protocol", std::string("a2a")}, {"agents", crowd}};
  add_compared(what, "ns", params, as_times(runs), "", metrics);
}

}  // namespace

void measure_a2a_calls(const Options& options, Progress& progress, std::vector<Metric>& metrics) {
  measure_tasks(options, progress, metrics);
  const std::int64_t crowd = options.quick ? 100 : 10'000;
  const auto card = [crowd](std::uint64_t number) {
    return fmt::format("/a2a/crowd/a{}/.well-known/agent-card.json",
                       number % static_cast<std::uint64_t>(crowd));
  };
  measure_reading(options, progress, "card", "supportedInterfaces", card, crowd, metrics);
  const auto list = [](std::uint64_t) { return std::string("/a2a"); };
  measure_reading(options, progress, "list", "nextPageToken", list, crowd, metrics);
}

}  // namespace coracle::bench

// Many subscribers of streams of A2A: the time from an agent to them, the server's memory for each,
// and streams that are lost and go on: each change comes once, in its order.
#include "harness/figures/timing.hpp"
#include "harness/run/failures.hpp"
#include "scenarios/gateways/gateway/a2a_place.hpp"
#include "scenarios/gateways/gateway/gateway.hpp"

#include <coracle/http/client.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <utility>

namespace coracle::bench {

namespace {

constexpr const char* resume = "urn:coracle:a2a:resume:1";
constexpr double patience = 60;

class Subscribers {
 public:
  Subscribers(A2aPlace& place, std::size_t count, int pieces)
      : place_(place), pieces_(pieces), all_(count) {
    http::ClientOptions options;
    options.limits.connections = options.limits.connections_per_server = 4096;
    client_.emplace(loop_, options);
  }

  // A task for each.
  void begin() {
    for (std::size_t i = 0; i < all_.size(); ++i)
      listen(all_[i],
             place_.request("POST", "/a2a/lab/ticker",
                            a2a_message("SendStreamingMessage", std::to_string(pieces_), i)));
    run_until([this] { return all_of([](const One& one) { return one.last > 0; }); }, patience);
  }
  // Loses all streams, and asks for what comes behind the last change of each.
  void lose_all() {
    for (One& one : all_) {
      if (one.is_done) continue;
      one.events.close();
      http::Request again =
          place_.request("POST", "/a2a/lab/ticker/tasks/" + one.task + ":subscribe", "{}");
      again.headers.add("A2A-Extensions", resume);
      again.headers.add("Last-Event-ID", std::to_string(one.last));
      listen(one, std::move(again));
      ++losses_;
    }
  }
  void run_for(double time) {
    const Time end = clock_now() + seconds(time);
    loop_.run_until([&] { return clock_now() >= end; }, end);
  }
  // Waits for the ends of all tasks.
  void end() {
    run_until([this] { return all_of([](const One& one) { return one.is_done; }); },
              patience + pieces_ / 10.0);
    if (delays_.size() != all_.size() * static_cast<std::size_t>(pieces_))
      throw NotDone("pieces of A2A are missing");
  }
  // From the agent to the subscriber, in ns.
  std::vector<double>& delays() noexcept { return delays_; }
  std::uint64_t losses() const noexcept { return losses_; }

 private:
  struct One {
    http::EventSource events;
    std::shared_ptr<int> stream;  // that is heard
    std::string task;
    std::uint64_t last = 0;  // the number of the last change
    bool is_done = false;
  };

  template <class Test>
  bool all_of(Test test) const {
    return std::all_of(all_.begin(), all_.end(), test);
  }
  void run_until(const std::function<bool()>& is_done, double most) {
    if (!loop_.run_until(is_done, clock_now() + seconds(most)))
      throw NotDone("streams of A2A do not end in time");
  }
  void listen(One& one, http::Request request) {
    one.stream = std::make_shared<int>();
    one.events = client_->events(std::move(request));
    const std::weak_ptr<int> stream = one.stream;
    one.events.listen([](const http::Response&) {},
                      [this, &one, stream](const http::Event& event) {
                        if (stream.lock() == one.stream) take(one, event);
                      },
                      [](const std::optional<Error>&) {});
  }
  void take(One& one, const http::Event& event) {
    const Time now = clock_now();
    constexpr std::string_view task = "\"task\":{\"id\":\"";
    if (const std::size_t at = event.data.find(task); at != std::string::npos) {
      const std::size_t begin = at + task.size();
      one.task = event.data.substr(begin, event.data.find('"', begin) - begin);
      return;
    }
    std::uint64_t number = 0;
    std::from_chars(event.id.data(), event.id.data() + event.id.size(), number);
    if (number != one.last + 1)
      throw NotDone(fmt::format("after the change {} of a task of A2A came {}", one.last, number));
    one.last = number;
    if (const std::size_t at = event.data.find("\"@"); at != std::string::npos) {
      std::int64_t sent = 0;
      std::from_chars(event.data.data() + at + 2, event.data.data() + event.data.size(), sent);
      delays_.push_back(static_cast<double>(now.time_since_epoch().count() - sent));
    }
    if (event.data.find("TASK_STATE_COMPLETED") != std::string::npos) one.is_done = true;
  }

  A2aPlace& place_;
  const int pieces_;
  http::Loop loop_;
  std::vector<One> all_;  // outlives the client, which calls it
  std::vector<double> delays_;
  std::uint64_t losses_ = 0;
  std::optional<http::Client> client_;
};

// `rounds` times, all streams are lost at once.
void measure_lost(const Options& options, Progress& progress, int rounds,
                  std::vector<Metric>& metrics) {
  const std::size_t count = options.quick ? 20 : 1000;
  const int pieces = options.quick ? 5 : 50;
  progress.begin(fmt::format("gateway, a2a, {} streams, lost {} times", count, rounds));
  std::vector<Run> delays;
  std::vector<double> bytes, losses;
  for (unsigned repeat = 0; repeat < options.repeats(); ++repeat) {
    A2aPlace place;
    Run run;
    {
      Subscribers all(place, count, pieces);
      all.begin();
      for (int i = 0; i < rounds; ++i) {
        all.run_for(0.3);
        all.lose_all();
      }
      all.end();
      run.samples = std::move(all.delays());
      losses.push_back(static_cast<double>(all.losses()));
    }
    run.n = run.samples.size();
    run.value = percentile(run.samples, 99);
    delays.push_back(std::move(run));
    bytes.push_back(static_cast<double>(place.end()) / static_cast<double>(count));
  }
  const Params params = {{"protocol", std::string("a2a")},
                         {"subscribers", static_cast<std::int64_t>(count)},
                         {"rounds", std::int64_t{rounds}}};
  metrics.push_back({"delivery_p99", "ns", params, summarize(delays), {}});
  metrics.push_back({"subscriber", "bytes", params, summarize(bytes, count), {}});
  if (rounds != 0) metrics.push_back({"resumed", "streams", params, summarize(losses, count), {}});
}

}  // namespace

void measure_a2a_streams(const Options& options, Progress& progress, std::vector<Metric>& metrics) {
  measure_lost(options, progress, 0, metrics);
  measure_lost(options, progress, 3, metrics);
}

}  // namespace coracle::bench

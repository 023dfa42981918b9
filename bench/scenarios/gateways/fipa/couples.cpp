#include "scenarios/gateways/fipa/couples.hpp"

#include "harness/figures/usage.hpp"

#include <coracle/acl/message.hpp>
#include <coracle/coracle.hpp>
#include <coracle/support/quote.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include <time.h>

namespace coracle::bench {

namespace {

// The state that the callers of one platform share.
struct Calling {
  std::atomic<bool> is_over{false};
  std::atomic<std::uint32_t> left{0};   // callers that have not ended
  std::atomic<std::uint32_t> wrong{0};  // of these, those that got a wrong answer
  std::mutex mutex;                     // guards problem
  std::string problem;                  // the first wrong answer
  std::deque<std::atomic<std::uint64_t>> trips;
};

acl::Message request_to(const acl::AgentId& partner, const CoupleLoad& load, std::uint32_t number) {
  acl::Message request;
  request.performative = acl::Performative::request;
  request.receivers = {partner};
  request.content = content_of(load.content);
  request.conversation_id = fmt::format("couple-{}", number);
  return request;
}

std::string text_of(const acl::Message* answer) {
  if (answer == nullptr) return "it is no message of FIPA";
  return fmt::format("{} {}", acl::to_text(answer->performative),
                     detail::quoted(acl::text_of(*answer), 2000));
}

class Caller final : public Agent {
 public:
  Caller(acl::Message request, std::uint32_t number, std::shared_ptr<Calling> calling)
      : request_(std::move(request)), number_(number), calling_(std::move(calling)) {}

  Task<> run() override {
    std::uint64_t trips = 0;
    while (!calling_->is_over.load(std::memory_order_relaxed)) {
      request_.reply_with = std::to_string(++trips);
      const Content content = Content::of(request_);
      co_await send("fipa", content);
      const Message message = co_await receive();
      const auto* const answer = message.content().try_as<acl::Message>();
      if (answer == nullptr || answer->performative != acl::Performative::inform ||
          answer->in_reply_to != request_.reply_with || answer->content != request_.content) {
        const std::lock_guard lock(calling_->mutex);
        if (calling_->wrong++ == 0) calling_->problem = text_of(answer);
        break;
      }
      calling_->trips[number_].store(trips, std::memory_order_relaxed);
    }
    --calling_->left;
  }

 private:
  acl::Message request_;
  const std::uint32_t number_;
  const std::shared_ptr<Calling> calling_;
};

class Partnering final : public Agent {
 public:
  Task<> run() override {
    while (true) {
      const Message message = co_await receive();
      const auto* const request = message.content().try_as<acl::Message>();
      if (request == nullptr) continue;
      acl::Message answer = acl::reply(*request, acl::Performative::inform);
      answer.content = request->content;
      const Content content = Content::of(std::move(answer));
      co_await send("fipa", content);
    }
  }
};

// The processor time of this process and of another one, in ns.
double processor_time(pid_t other) {
  double all = usage_of_process().both();
  clockid_t clock{};
  timespec used{};
  if (other < 0 || clock_getcpuclockid(other, &clock) != 0 || clock_gettime(clock, &used) != 0)
    return all;
  return all + static_cast<double>(used.tv_sec) * 1e9 + static_cast<double>(used.tv_nsec);
}

std::vector<std::uint64_t> trips_of(const Calling& calling) {
  std::vector<std::uint64_t> trips;
  for (const auto& each : calling.trips) trips.push_back(each.load(std::memory_order_relaxed));
  return trips;
}

}  // namespace

std::string content_of(std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += static_cast<char>('a' + text.size() % 26);
  return text;
}

std::string partner_name(std::uint32_t number) { return "partner" + std::to_string(number); }

Played measure_callers(FipaPlatform& platform, const std::vector<acl::AgentId>& partners,
                       const CoupleLoad& load, pid_t other) {
  const auto calling = std::make_shared<Calling>();
  calling->left = load.couples;
  calling->trips.resize(load.couples);
  Port port(platform.node(), "keeper");
  for (std::uint32_t i = 0; i < load.couples; ++i)
    platform.node().create<Caller>("caller" + std::to_string(i),
                                   request_to(partners.at(i), load, i), i, calling);
  const auto is_wrong = [&] { return calling->wrong != 0; };
  const auto run_for = [&](double time) {
    const Time end = clock_now() + seconds(time);
    wait_until(port, [&] { return is_wrong() || clock_now() >= end; });
  };
  wait_until(port, [&] {  // until all couples play
    const std::vector<std::uint64_t> trips = trips_of(*calling);
    return is_wrong() || std::find(trips.begin(), trips.end(), 0) == trips.end();
  });
  run_for(load.interval / 3);
  const std::vector<std::uint64_t> before = trips_of(*calling);
  const double used_before = processor_time(other);
  const Time start = clock_now();
  run_for(load.interval);
  // Beside other work, one round trip may take longer than a short interval.
  wait_until(port, [&] { return is_wrong() || trips_of(*calling) != before; });
  const std::vector<std::uint64_t> after = trips_of(*calling);
  const double used = processor_time(other) - used_before;
  const double passed = nanoseconds(clock_now() - start);
  calling->is_over = true;
  wait_until(port, [&] { return calling->left == 0; });
  if (is_wrong()) throw NotDone("an answer of the other platform is wrong: " + calling->problem);
  Run run;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const std::uint64_t trips = after[i] - before[i];
    run.n += trips;
    if (trips != 0) run.samples.push_back(passed / static_cast<double>(trips));
  }
  run.value = passed * load.couples / static_cast<double>(run.n);
  return {std::move(run), used / 2 / static_cast<double>(run.n)};
}

Played play_couples(const CoupleLoad& load) {
  const auto furnish = [&](FipaPlatform& second) {
    for (std::uint32_t i = 0; i < load.couples; ++i)
      second.node().create<Partnering>(partner_name(i));
  };
  return on_two_platforms(
      load.way, furnish, [&](FipaPlatform& first, const SecondPlatform& second) {
        std::vector<acl::AgentId> partners;
        for (std::uint32_t i = 0; i < load.couples; ++i)
          partners.push_back({.name = partner_name(i) + "@second", .addresses = {second.address}});
        return measure_callers(first, partners, load, second.process);
      });
}

std::size_t bytes_of_request(const CoupleLoad& load) {
  const std::string address = "http://127.0.0.1:12345/acc";
  acl::Message request = request_to({.name = "partner0@second", .addresses = {address}}, load, 0);
  request.sender = {.name = "caller0@first", .addresses = {address}};
  request.reply_with = "12345";
  return bytes_of_letter(request, load.way);
}

}  // namespace coracle::bench

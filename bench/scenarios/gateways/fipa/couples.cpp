#include "scenarios/gateways/fipa/couples.hpp"

#include "harness/figures/timing.hpp"
#include "harness/machines/forked.hpp"
#include "harness/machines/shared.hpp"
#include "harness/run/failures.hpp"

#include <coracle/acl/message.hpp>
#include <coracle/coracle.hpp>
#include <coracle/fipa/http_mtp.hpp>
#include <coracle/fipa/letter.hpp>
#include <coracle/realizations/local.hpp>

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <deque>
#include <utility>

namespace coracle::bench {

namespace {

constexpr Duration look_each = std::chrono::milliseconds(2);
constexpr Duration patience = std::chrono::seconds(60);

// What the processes of both platforms share.
struct Meeting {
  std::atomic<bool> is_open{false};
  std::atomic<bool> is_over{false};
  std::array<char, 256> address{};  // of the second platform, once it is open
};

// What the callers of one platform share.
struct Calling {
  std::atomic<bool> is_over{false};
  std::atomic<std::uint32_t> left{0};   // callers that have not ended
  std::atomic<std::uint32_t> wrong{0};  // of these, those that got a wrong answer
  std::deque<std::atomic<std::uint64_t>> trips;
};

std::string content_of(std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += static_cast<char>('a' + text.size() % 26);
  return text;
}

acl::Message request_to(const acl::AgentId& partner, const CoupleLoad& load, std::uint32_t number) {
  acl::Message request;
  request.performative = acl::Performative::request;
  request.receivers = {partner};
  request.content = content_of(load.content);
  request.conversation_id = fmt::format("couple-{}", number);
  return request;
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
        ++calling_->wrong;
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

Realization reacting(http::Loop& loop) {
  Realization realization = local::realization();
  realization.reactor = loop.reactor(realization.reactor);
  return realization;
}

fipa::GatewayOptions gateway_options(const std::string& name, const CoupleLoad& load) {
  fipa::GatewayOptions options;
  options.platform = name;
  options.exposed = {"*"};
  options.form = load.form;
  options.foreign_agents_per_platform = 2 * most_couples;
  return options;
}

// A place for each further transport.
std::shared_ptr<fipa::Mtp> transport_of(const CoupleLoad& load, http::Loop& loop, std::size_t ahead,
                                        const std::string& host) {
  fipa::HttpMtpOptions options;
  options.server.endpoint = host + ":0";
  options.server.insecure = load.hosts != nullptr;
  options.ahead = ahead;
  return fipa::http_mtp(loop, std::move(options));
}

// Waits on the thread of a port.
template <class Condition>
void wait_until(Port& port, const Condition& condition) {
  const Time latest = clock_now() + patience;
  while (!condition()) {
    if (clock_now() > latest) throw NotDone("the couples take too long");
    (void)port.receive(Deadline(look_each));
  }
}

std::vector<std::uint64_t> trips_of(const Calling& calling) {
  std::vector<std::uint64_t> trips;
  for (const auto& each : calling.trips) trips.push_back(each.load(std::memory_order_relaxed));
  return trips;
}

// The second platform's part.
void serve(Meeting& meeting, const CoupleLoad& load) {
  const std::string host = load.hosts ? load.hosts->address(1) : "127.0.0.1";
  if (load.hosts) load.hosts->enter(1);
  FipaPlatform platform("second", load, ahead_of_ours, host);
  for (std::uint32_t i = 0; i < load.couples; ++i)
    platform.node().create<Partnering>(partner_name(i));
  const std::string address = platform.gateway().addresses().at(0);
  std::memcpy(meeting.address.data(), address.data(),
              std::min(address.size(), meeting.address.size() - 1));
  meeting.is_open = true;
  Port port(platform.node(), "keeper");
  while (!meeting.is_over) (void)port.receive(Deadline(look_each));
}

}  // namespace

const std::vector<std::string_view>& transports() {
  static const std::vector<std::string_view> names = {"http"};
  return names;
}

FipaPlatform::FipaPlatform(const std::string& name, const CoupleLoad& load, std::size_t ahead,
                           const std::string& host)
    : node_(reacting(loop_)), gateway_(node_, gateway_options(name, load)) {
  gateway_.plug(transport_of(load, loop_, ahead, host));
}

std::string partner_name(std::uint32_t number) { return "partner" + std::to_string(number); }

Run measure_callers(FipaPlatform& platform, const std::vector<acl::AgentId>& partners,
                    const CoupleLoad& load) {
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
  const Time start = clock_now();
  run_for(load.interval);
  const std::vector<std::uint64_t> after = trips_of(*calling);
  const double passed = nanoseconds(clock_now() - start);
  calling->is_over = true;
  wait_until(port, [&] { return calling->left == 0; });
  if (is_wrong()) throw NotDone("an answer of the other platform is wrong");
  Run run;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const std::uint64_t trips = after[i] - before[i];
    run.n += trips;
    if (trips != 0) run.samples.push_back(passed / static_cast<double>(trips));
  }
  if (run.n == 0) throw NotDone("no couple has made a round trip; measure for longer");
  run.value = passed * load.couples / static_cast<double>(run.n);
  return run;
}

Run play_couples(const CoupleLoad& load) {
  Shared<Meeting> meeting;
  Partner second([&] { serve(*meeting, load); });
  while (!meeting->is_open) sched_yield();
  Run run;
  {
    FipaPlatform platform("first", load, ahead_of_ours,
                          load.hosts ? load.hosts->address(0) : "127.0.0.1");
    std::vector<acl::AgentId> partners;
    for (std::uint32_t i = 0; i < load.couples; ++i)
      partners.push_back(
          {.name = partner_name(i) + "@second", .addresses = {meeting->address.data()}});
    run = measure_callers(platform, partners, load);
  }
  meeting->is_over = true;
  second.wait();
  return run;
}

std::size_t bytes_of_letter(const CoupleLoad& load) {
  acl::Message request =
      request_to({.name = "partner0@second", .addresses = {"http://127.0.0.1:12345/acc"}}, load, 0);
  request.sender = {.name = "caller0@first", .addresses = {"http://127.0.0.1:12345/acc"}};
  request.reply_with = "12345";
  const fipa::HttpBody body = fipa::http_body_of(
      fipa::letter_of(request, request.receivers, load.form, {}), machine_random());
  const std::string head =
      "POST /acc HTTP/1.1\r\nHost: 127.0.0.1:12345\r\nCache-Control: no-cache\r\n"
      "Mime-Version: 1.0\r\nContent-Type: \r\nContent-Length: 1234\r\n\r\n";
  return head.size() + body.content_type.size() + body.body.size();
}

std::size_t bytes_of_response() {
  return std::string_view("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").size();
}

}  // namespace coracle::bench

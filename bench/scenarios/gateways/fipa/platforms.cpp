#include "scenarios/gateways/fipa/platforms.hpp"

#include "harness/machines/forked.hpp"
#include "harness/machines/shared.hpp"

#include <coracle/coracle.hpp>
#include <coracle/fipa/http_mtp.hpp>
#ifdef CORACLE_HAS_IIOP
#include <coracle/fipa/iiop_mtp.hpp>
#endif
#include <coracle/fipa/letter.hpp>
#include <coracle/realizations/local.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <utility>

#include <sched.h>

namespace coracle::bench {

namespace {

constexpr std::size_t most_foreign_agents = 10'000;

// What the processes of both platforms share.
struct Meeting {
  std::atomic<bool> is_open{false};
  std::atomic<bool> is_over{false};
  std::array<char, 1024> address{};  // of the second platform, once it is open
};

Realization reacting(http::Loop& loop) {
  Realization realization = local::realization();
  realization.reactor = loop.reactor(realization.reactor);
  return realization;
}

fipa::GatewayOptions gateway_options(const std::string& name, const FipaWay& way) {
  fipa::GatewayOptions options;
  options.platform = name;
  options.exposed = {"*"};
  options.form = way.form;
  options.foreign_agents_per_platform = most_foreign_agents;
  return options;
}

// A place for each further transport.
std::shared_ptr<fipa::Mtp> transport_of(const FipaWay& way, http::Loop& loop, std::size_t ahead,
                                        const std::string& host) {
#ifdef CORACLE_HAS_IIOP
  if (way.mtp == "iiop") {
    fipa::IiopMtpOptions options;
    options.endpoint = host + ":0";
    options.insecure = way.hosts != nullptr;
    return fipa::iiop_mtp(std::move(options));
  }
#endif
  fipa::HttpMtpOptions options;
  options.server.endpoint = host + ":0";
  options.server.insecure = way.hosts != nullptr;
  options.ahead = ahead;
  return fipa::http_mtp(loop, std::move(options));
}

std::string host_of(const FipaWay& way, unsigned number) {
  return way.hosts ? way.hosts->address(number) : "127.0.0.1";
}

// The second platform's part.
void serve(Meeting& meeting, const FipaWay& way,
           const std::function<void(FipaPlatform&)>& furnish) {
  if (way.hosts) way.hosts->enter(1);
  FipaPlatform platform("second", way, ahead_of_ours, host_of(way, 1));
  furnish(platform);
  const std::string address = platform.gateway().addresses().at(0);
  std::memcpy(meeting.address.data(), address.data(),
              std::min(address.size(), meeting.address.size() - 1));
  meeting.is_open = true;
  Port port(platform.node(), "keeper");
  while (!meeting.is_over) (void)port.receive(Deadline(std::chrono::milliseconds(2)));
}

}  // namespace

const std::vector<std::string_view>& transports() {
#ifdef CORACLE_HAS_IIOP
  static const std::vector<std::string_view> names = {"http", "iiop"};
#else
  static const std::vector<std::string_view> names = {"http"};
#endif
  return names;
}

FipaPlatform::FipaPlatform(const std::string& name, const FipaWay& way, std::size_t ahead,
                           const std::string& host)
    : node_(reacting(loop_)), gateway_(node_, gateway_options(name, way)) {
  gateway_.plug(transport_of(way, loop_, ahead, host));
}

Run on_two_platforms(const FipaWay& way, const std::function<void(FipaPlatform&)>& furnish,
                     const std::function<Run(FipaPlatform&, const std::string&)>& play) {
  Shared<Meeting> meeting;
  Partner second([&] { serve(*meeting, way, furnish); });
  while (!meeting->is_open) sched_yield();
  Run run;
  {
    FipaPlatform platform("first", way, ahead_of_ours, host_of(way, 0));
    run = play(platform, meeting->address.data());
  }
  meeting->is_over = true;
  second.wait();
  return run;
}

std::size_t bytes_of_letter(const acl::Message& message, const FipaWay& way) {
  const fipa::Letter letter = fipa::letter_of(message, message.receivers, way.form, {});
  const fipa::HttpBody body = fipa::http_body_of(letter, machine_random());
  const std::string_view head =
      "POST /acc HTTP/1.1\r\nHost: 127.0.0.1:12345\r\nCache-Control: no-cache\r\n"
      "Mime-Version: 1.0\r\nContent-Type: \r\nContent-Length: 1234\r\n\r\n";
  return head.size() + body.content_type.size() + body.body.size();
}

std::size_t bytes_of_response() {
  return std::string_view("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").size();
}

}  // namespace coracle::bench

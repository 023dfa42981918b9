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
#include <unistd.h>

namespace coracle::bench {

namespace {

constexpr std::size_t most_foreign_agents = 10'000;
// An answer may overtake the response to its request's letter, so each couple may have two.
constexpr std::size_t most_letters = 10'000;

// The state that both processes share.
struct Meeting {
  std::atomic<bool> is_open{false};
  std::atomic<bool> is_over{false};
  pid_t process = -1;                // of the second platform, once it is open
  std::array<char, 4096> address{};  // of the second platform, once it is open
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
  options.letters = options.letters_per_address = most_letters;
  return options;
}

std::shared_ptr<fipa::Mtp> transport_of(const FipaWay& way, http::Loop& loop,
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
  return fipa::http_mtp(loop, std::move(options));
}

std::string host_of(const FipaWay& way, unsigned number) {
  return way.hosts ? way.hosts->address(number) : "127.0.0.1";
}

// The second platform's part.
void serve(Meeting& meeting, const FipaWay& way,
           const std::function<void(FipaPlatform&)>& furnish) {
  if (way.hosts) way.hosts->enter(1);
  FipaPlatform platform("second", way, host_of(way, 1));
  furnish(platform);
  const std::string address = platform.gateway().addresses().at(0);
  std::memcpy(meeting.address.data(), address.data(),
              std::min(address.size(), meeting.address.size() - 1));
  meeting.process = getpid();
  meeting.is_open = true;
  Port port(platform.node(), "keeper");
  while (!meeting.is_over) (void)port.receive(Deadline(std::chrono::milliseconds(2)));
}

Played play_here(const FipaWay& way, const std::function<void(FipaPlatform&)>& furnish,
                 const std::function<Played(FipaPlatform&, const SecondPlatform&)>& play) {
  Shared<Meeting> meeting;
  Partner second([&] { serve(*meeting, way, furnish); });
  while (!meeting->is_open) sched_yield();
  Played played;
  {
    FipaPlatform platform("first", way, host_of(way, 0));
    played = play(platform, {meeting->address.data(), meeting->process});
  }
  meeting->is_over = true;
  second.wait();
  return played;
}

}  // namespace

const std::vector<std::string_view>& transports() {
  static const std::vector<std::string_view> names = {
      "http",
#ifdef CORACLE_HAS_IIOP
      "iiop",
#endif
  };
  return names;
}

FipaPlatform::FipaPlatform(const std::string& name, const FipaWay& way, const std::string& host)
    : node_(reacting(loop_)), gateway_(node_, gateway_options(name, way)) {
  gateway_.plug(transport_of(way, loop_, host));
}

Played on_two_platforms(const FipaWay& way, const std::function<void(FipaPlatform&)>& furnish,
                        const std::function<Played(FipaPlatform&, const SecondPlatform&)>& play) {
  if (way.mtp != "iiop") return play_here(way, furnish, play);
  const std::vector<double> found = measured_in_child([&] {
    const Played played = play_here(way, furnish, play);
    return std::vector<double>{played.run.value, static_cast<double>(played.run.n), played.cost};
  });
  return {{found.at(0), {}, static_cast<std::uint64_t>(found.at(1))}, found.at(2)};
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

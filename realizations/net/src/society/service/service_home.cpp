#include "service_home.hpp"

#include "coracle/grants.hpp"
#include "coracle/support/epoch_clock.hpp"
#include "coracle/support/log.hpp"
#include "coracle/support/quote.hpp"
#include "coracle/support/spinning.hpp"
#include "heap_trimmer.hpp"
#include "realizations/net/src/asio/alarms.hpp"
#include "realizations/net/src/asio/asio_network.hpp"
#include "realizations/net/src/asio/busy_poller.hpp"
#include "realizations/net/src/society/beacon/endpoints_here.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <fmt/format.h>

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <future>
#include <thread>
#include <utility>

namespace coracle::society {

namespace {

Start this_start() {
  const auto salt = static_cast<std::uint32_t>(machine_random().next() % Start::largest_salt);
  return {detail::epoch_of_this_start(), salt};
}

// Returns a name that is the same at each start, where possible, so that its nodes recognize the
// service; and no other service's name: paths of Unix sockets are the same on many hosts.
std::string name_of(const ServiceSettings& settings) {
  if (settings.listen.empty()) return settings.name;
  const auto leaves_host = [&settings](const std::string& place) {
    return endpoint_of(place, settings.proof).scheme != net::Endpoint::Scheme::unix_socket;
  };
  const auto place = std::find_if(settings.listen.begin(), settings.listen.end(), leaves_host);
  if (place == settings.listen.end()) return settings.name + "@" + settings.listen.front();
  std::string name = settings.name + "@" + *place;
  const net::Endpoint at = endpoint_of(*place, settings.proof);
  if (at.port == 0) name += "/" + random_node_name();
  const std::vector<net::Endpoint> announced = announced_endpoints(at);
  if (announced.empty() || announced.front() == at) return name;
  std::array<char, 65> host{};
  (void)::gethostname(host.data(), host.size() - 1);
  return name + "/" + host.data() + "/" + announced.front().host;
}

Log log_of(const ServiceSettings& settings) {
  if (!settings.log) return detail::warnings_of(detail::LogPart::directory);
  return [log = settings.log](const std::string& line) { log(detail::shown(line)); };
}

// As long as a node's worker looks, and only where the senders of the work can run meanwhile.
constexpr Duration longest_look = std::chrono::microseconds(50);

Duration look_here() {
  return std::thread::hardware_concurrency() > 1 ? longest_look : Duration::zero();
}

}  // namespace

std::string secret_identity() {
  std::string identity;
  for (int word = 0; word < 4; ++word) identity += fmt::format("{:016x}", machine_random().next());
  return identity;
}

std::unique_ptr<Authority> authority_of(const ServiceSettings& settings) {
  if (settings.policy.empty()) return nullptr;
  return std::make_unique<Authority>(read_policy(settings.policy).value(), log_of(settings));
}

Result<void> read_policy_again(const ServiceSettings& settings, Authority* authority,
                               ServiceHome& home) {
  if (authority == nullptr)
    return Error(Errc::bad_options,
                 "the " + settings.name + " was started without a policy; start it with one");
  std::string text;
  auto policy = read_policy(settings.policy, &text);
  if (!policy) {
    log_of(settings)("the policy stays as it was: " + policy.error().sentence());
    return policy.error();
  }
  authority->replace(*std::move(policy));
  home.set_policy(std::move(text));
  return {};
}

struct ServiceHome::Impl {
  Impl(const ServiceSettings& settings, Besides* besides, Authority* authority,
       const net::Doorway* doorway)
      : places(endpoints_of(settings.listen, settings.proof)),
        name(name_of(settings)),
        network(network_for(settings, doorway)),
        alarms(net::asio_alarms(context)),
        start(this_start()),
        log(log_of(settings)),
        service(turn, *alarms, steady_clock(), start, settings.limits, log, besides, authority),
        links(*network, *alarms, steady_clock(), machine_random(),
              identity_of(settings.society, settings.proof, name, places), service_link_options(),
              service) {
    if (settings.listen.empty())
      throw Error(Errc::bad_options, "a " + settings.name +
                                         " that listens nowhere is of no use; give its option "
                                         "listen a place such as 127.0.0.1:4410");
    if (!settings.message_store.empty()) {
      service.let_keep(
          [identity = settings.message_store](const std::string&, const std::string& said) {
            return said == identity;
          });
    }
    if (!settings.policy.empty()) {
      std::string text;
      read_policy(settings.policy, &text).value();
      service.set_policy(std::move(text));
    }
    service.count_more([this, count = settings.count_more](Census& census) {
      if (count) count(census);
      if (const auto days = network->certificate_days())
        census.counts.emplace_back("certificate_days", *days);
    });
    service.tidy(links);
    if (doorway != nullptr) links.listen(net::Doorway::place()).value();
    beacon = settings.beacon;
    if (beacon) keys.emplace(settings.proof.key, settings.society);
    thread = std::thread([this] { run(); });
  }
  ~Impl() {
    boost::asio::post(context, [this] { context.stop(); });
    if (thread.joinable()) thread.join();
  }

  // On the service's thread.
  void answer_by(const BeaconPlace& place) {
    Here here;
    here.started = start.epoch;
    here.salt = start.salt;
    for (const std::string& endpoint : endpoints) {
      for (const net::Endpoint& announced :
           announced_endpoints(net::Endpoint::parse(endpoint).value()))
        here.endpoints.push_back(announced.text());
    }
    answerer = std::make_unique<BeaconAnswerer>(context, place, *keys, here, log);
    BeaconWatch::Settings watching{
        .place = place,
        .keys = *keys,
        .started = start.epoch,
        .salt = start.salt,
        .is_used = [this] { return service.is_used(); },
        .on_older = [this](const DirectoryReport& older) { service.announce_older(older); }};
    watch = std::make_unique<BeaconWatch>(context, std::move(watching), log);
  }

  std::unique_ptr<net::Network> network_for(const ServiceSettings& settings,
                                            const net::Doorway* doorway) {
    net::AsioOptions options = socket_options(settings.society, settings.proof);
    options.log = log_of(settings);
    auto sockets = net::asio_network(context, steady_clock(), std::move(options));
    if (doorway == nullptr) return sockets;
    return doorway->inner(context, steady_clock(), std::move(sockets));
  }
  // On the service's thread.
  void listen() {
    for (const net::Endpoint& place : places)
      endpoints.push_back(links.listen(place).value().text());
    if (beacon) answer_by(*beacon);
  }

  void run() {
    while (!context.stopped()) {
      const Time idle_since = steady_clock().now();
      if (!busy_poller.poll() && !look(idle_since)) {
        busy_poller.wait(Duration::max());
        const Time now = steady_clock().now();
        spinning.idled(now - idle_since);
        heap_trimmer.idled(now - idle_since, now);
      }
      turn.flush();
    }
  }

  // Returns whether something came while it looked, as a node's worker does.
  bool look(Time began) {
    const Duration longest = spinning.begin();
    for (Time before = began; before - began < longest;) {
      sched_yield();
      bool came = false;
      for (unsigned looks = spinning.looks(); looks > 0 && !came; --looks)
        came = busy_poller.poll();
      const Time present = steady_clock().now();
      if (spinning.gave_way(present - before)) return came;
      if (came) return spinning.found(), true;
      before = present;
    }
    if (longest != Duration::zero()) spinning.in_vain();
    return false;
  }

  const std::vector<net::Endpoint> places;
  const std::string name;
  std::optional<BeaconPlace> beacon;  // `keys` prove its replies
  std::optional<net::KeySource> keys;
  boost::asio::io_context context{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work =
      boost::asio::make_work_guard(context);
  std::unique_ptr<net::Network> network;
  net::BusyPoller busy_poller{context, *network};
  std::unique_ptr<net::Alarms> alarms;
  detail::Spinning spinning{look_here()};
  HeapTrimmer heap_trimmer;
  FlushQueue turn;
  const Start start;
  const Log log;
  DirectoryService service;
  net::Links links;
  std::vector<std::string> endpoints;
  std::unique_ptr<BeaconAnswerer> answerer;
  std::unique_ptr<BeaconWatch> watch;
  std::thread thread;
};

ServiceHome::ServiceHome(const ServiceSettings& settings, Besides* besides, Authority* authority,
                         const net::Doorway* doorway)
    : impl_(std::make_unique<Impl>(settings, besides, authority, doorway)) {}

ServiceHome::~ServiceHome() = default;

void ServiceHome::listen() {
  std::promise<void> listens;
  boost::asio::post(impl_->context, [this, &listens] {
    try {
      impl_->listen();
      listens.set_value();
    } catch (...) {
      listens.set_exception(std::current_exception());
    }
  });
  listens.get_future().get();
}

const std::vector<std::string>& ServiceHome::endpoints() const noexcept { return impl_->endpoints; }

void ServiceHome::set_policy(std::string text) {
  boost::asio::post(impl_->context, [this, text = std::move(text)]() mutable {
    impl_->service.set_policy(std::move(text));
  });
}

Result<bool> ServiceHome::read_keys_again() {
  std::promise<Result<bool>> looked;
  boost::asio::post(impl_->context,
                    [this, &looked] { looked.set_value(impl_->network->read_keys_again()); });
  return looked.get_future().get();
}

const std::string& ServiceHome::name() const noexcept { return impl_->name; }

}  // namespace coracle::society

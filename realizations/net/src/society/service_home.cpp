#include "service_home.hpp"

#include "endpoints_here.hpp"
#include "epoch_clock.hpp"
#include "realizations/net/src/asio/alarms.hpp"
#include "realizations/net/src/asio/network.hpp"
#include "runtime/log.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <unistd.h>

#include <array>
#include <thread>
#include <utility>

namespace coracle::society {

namespace {

Start this_start() {
  const auto salt = static_cast<std::uint32_t>(machine_random().next() % Start::largest_salt);
  return {detail::epoch_of_this_start(), salt};
}

// The same at each start, where it can be, so that its nodes know it again; and no other's.
std::string name_of(const ServiceSettings& settings) {
  if (settings.listen.empty()) return settings.name;
  std::string name = settings.name + "@" + settings.listen.front();
  const net::Endpoint at = endpoint_of(settings.listen.front(), settings.proof);
  if (at.scheme == net::Endpoint::Scheme::unix_socket) return name;
  if (at.port == 0) name += "/" + random_node_name();
  const std::vector<net::Endpoint> told = told_for(at);
  if (told.empty() || told.front() == at) return name;
  std::array<char, 65> host{};
  (void)::gethostname(host.data(), host.size() - 1);
  return name + "/" + host.data() + "/" + told.front().host;
}

}  // namespace

struct ServiceHome::Parts {
  Parts(const ServiceSettings& settings, Besides* besides)
      : network(net::asio_network(context, steady_clock(), socket_options(settings.proof))),
        alarms(net::asio_alarms(context)),
        turn([this] { boost::asio::post(context, [this] { turn.flush(); }); }),
        start(this_start()),
        log(settings.log ? settings.log : Log(&detail::log_warning)),
        service(turn, *alarms, steady_clock(), start, settings.limits, log, besides),
        links(*network, *alarms, steady_clock(), machine_random(),
              identity_of(settings.society, settings.proof, name_of(settings),
                          endpoints_of(settings.listen, settings.proof)),
              link_options(service_patience), service) {
    if (settings.listen.empty())
      throw Error(Errc::bad_options, "a " + settings.name +
                                         " that listens nowhere is of no use; give its option "
                                         "listen a place such as 127.0.0.1:4410");
    service.tidy(links);
    for (const net::Endpoint& place : endpoints_of(settings.listen, settings.proof))
      endpoints.push_back(links.listen(place).value().text());
    if (settings.beacon) answer_by(*settings.beacon, {settings.society, settings.proof.key});
    thread = std::thread([this] { context.run(); });
  }
  ~Parts() {
    boost::asio::post(context, [this] { context.stop(); });
    if (thread.joinable()) thread.join();
  }

  void answer_by(const BeaconPlace& place, Secret secret) {
    Here here;
    here.started = start.epoch;
    here.salt = start.salt;
    for (const std::string& endpoint : endpoints) {
      for (const net::Endpoint& told : told_for(net::Endpoint::parse(endpoint).value()))
        here.endpoints.push_back(told.text());
    }
    answerer = std::make_unique<BeaconAnswerer>(context, place, std::move(secret), here, log);
  }

  boost::asio::io_context context{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work =
      boost::asio::make_work_guard(context);
  std::unique_ptr<net::Network> network;
  std::unique_ptr<net::Alarms> alarms;
  Turn turn;
  const Start start;
  const Log log;
  DirectoryService service;
  net::Links links;
  std::vector<std::string> endpoints;
  std::unique_ptr<BeaconAnswerer> answerer;
  std::thread thread;
};

ServiceHome::ServiceHome(const ServiceSettings& settings, Besides* besides)
    : parts_(std::make_unique<Parts>(settings, besides)) {}

ServiceHome::~ServiceHome() = default;

const std::vector<std::string>& ServiceHome::endpoints() const noexcept {
  return parts_->endpoints;
}

}  // namespace coracle::society

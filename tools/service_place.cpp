#include "service_place.hpp"

#include "realizations/net/src/asio/asio_network.hpp"
#include "realizations/net/src/common_settings.hpp"

#include "coracle/realizations/central.hpp"
#include "coracle/realizations/distributed.hpp"
#include "coracle/realizations/open.hpp"

#include <fmt/format.h>
#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

namespace coracle::command {

namespace {

ServicePlace clearinghouse(const std::string& text) {
  const central::Options options = central::options_from(text);
  ServicePlace place{
      "clearinghouse", options.society, {options.key, options.tls, options.insecure}, {}};
  place.endpoints = {society::endpoint_of(options.server, place.proof)};
  return place;
}

ServicePlace directory(std::string_view text) {
  const distributed::Options options = distributed::options_from(text);
  ServicePlace place{
      "directory", options.society, {options.key, options.tls, options.insecure}, {}};
  place.endpoints = society::endpoints_of(options.directories, place.proof);
  if (!place.endpoints.empty()) return place;
  place.beacon = society::beacon_at(options.beacon, options.key);
  const std::string folder =
      options.folder.empty() ? distributed::folder_of(options.society) : options.folder;
  place.own.emplace();
  place.own->scheme = net::Endpoint::Scheme::unix_socket;
  place.own->path = folder + "/directory";
  return place;
}

// Looks for directories through the beacon, as a node does, and for as long.
std::vector<net::Endpoint> heard(const ServicePlace& place) {
  boost::asio::io_context context{1};
  std::vector<net::Endpoint> places;
  bool is_over = false;
  std::optional<Error> failure;
  society::BeaconSeeker::Settings settings{.place = *place.beacon,
                                           .keys = net::KeySource(place.proof.key, place.society),
                                           .own = *place.own,
                                           .carry = [&is_over] { is_over = true; },
                                           .on_found =
                                               [&](const std::vector<net::Endpoint>& found) {
                                                 if (!std::exchange(is_over, true)) places = found;
                                               },
                                           .on_reply = {}};
  society::BeaconSeeker seeker(context, std::move(settings), [&](const std::string& why) {
    failure.emplace(Errc::unreachable, why +
                                           "; name the directory, as in distributed:directory="
                                           "192.0.2.7:4410");
  });
  if (failure) throw *failure;
  seeker.search();
  while (!is_over && context.run_one() != 0) {
  }
  return places;
}

// No directory answers: neither through the beacon, if there is one, nor at this user's own socket.
Error nobody(const ServicePlace& place) {
  using std::chrono::duration_cast, std::chrono::milliseconds;
  const std::string own = place.own->text();
  if (!place.beacon)
    return Error(
        Errc::unreachable,
        fmt::format("no directory of the society '{}' answers on this host, where the first node "
                    "of this user carries one at {}; start a node, set CORACLE_KEY (or key=...) to "
                    "search for it on the LAN, or name the directory, as in "
                    "distributed:directory=192.0.2.7:4410",
                    place.society, own));
  return Error(
      Errc::unreachable,
      fmt::format("no directory of the society '{}' has answered the beacon at {}:{} within {} ms, "
                  "nor does one answer at {}; start a node of it, or `coracle directory`; if one "
                  "runs, see that it has the same society and key and that UDP passes between the "
                  "two; or name the directory, as in distributed:directory=192.0.2.7:4410",
                  place.society, place.beacon->group, place.beacon->port,
                  duration_cast<milliseconds>(society::BeaconSeeker::patience).count(), own));
}

// One attempt to connect.
struct Reaching final : net::ConnectEvents {
  void on_connect(Result<std::unique_ptr<net::Connection>> outcome) override {
    if (outcome) result = Result<void>();
    else result = outcome.error();
  }
  std::optional<Result<void>> result;
};

}  // namespace

std::optional<ServicePlace> service_of(std::string whole) {
  if (whole.empty()) whole = society::environment("CORACLE_REALIZATION");
  settings::RealizationText text(whole);
  // The settings that open() has for every realization do not concern a service.
  for (const auto& common : settings::common_settings) {
    while (text.take(common.name())) {
    }
  }
  const std::string rest = text.behind_scheme();
  const std::string scheme = std::string(text.scheme) + (text.scheme == whole ? "" : ":");
  if (scheme == "distributed:") return directory(rest);
  if (scheme == "central:" || scheme.starts_with("central+")) return clearinghouse(scheme + rest);
  if (scheme != "" && scheme != "local:" && scheme != "sim:")
    (void)open(whole);  // throws an error with the realizations that exist
  return std::nullopt;
}

Result<ServicePlace> found(ServicePlace place, Duration patience) {
  if (!place.endpoints.empty()) return place;
  if (place.beacon) place.endpoints = heard(place);
  if (!place.endpoints.empty()) return place;
  if (!reach(place, *place.own, patience)) return nobody(place);
  place.endpoints = {*place.own};
  return place;
}

ServicePlace service_to_ask(const std::string& text, Duration patience) {
  if (auto place = service_of(text)) return found(*std::move(place), patience).value();
  throw Error(Errc::unsupported,
              "a society of one process has no service to ask; name that of another society, as in "
              "central://127.0.0.1:4410 or distributed:");
}

Result<void> reach(const ServicePlace& place, const net::Endpoint& endpoint, Duration patience) {
  boost::asio::io_context context{1};
  net::AsioOptions options;
  options.insecure = true;  // nothing is sent
  if (endpoint.scheme == net::Endpoint::Scheme::tls)
    options = socket_options(place.society, place.proof);
  const auto network = net::asio_network(context, steady_clock(), std::move(options));
  Reaching events;
  const std::vector<net::Endpoint> endpoints = {endpoint};
  const auto attempt = network->connect(endpoints, Deadline(patience), events);
  while (!events.result && context.run_one() != 0) {
  }
  return events.result
             ? *std::move(events.result)
             : Error(Errc::expired,
                     endpoint.text() +
                         " does not answer in time; look whether it runs and can be reached");
}

}  // namespace coracle::command

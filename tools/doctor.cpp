// coracle doctor: takes the steps by which a node connects, one after the other, and prints which
// step fails and the remedy.
#include "commands.hpp"
#include "errand.hpp"
#include "realizations/net/src/society/home/advice.hpp"
#include "service_view.hpp"

#include <fmt/format.h>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/json.hpp>

#include <string>
#include <utility>

namespace coracle::command {

namespace {

namespace json = boost::json;
using Scheme = net::Endpoint::Scheme;

class Doctor {
 public:
  explicit Doctor(const DoctorSettings& settings)
      : settings_(settings),
        patience_(
            std::chrono::duration_cast<Duration>(std::chrono::duration<double>(settings.within))) {}

  int run() {
    std::optional<ServicePlace> place;
    const bool is_read = step("text", [&] {
      place = service_of(settings_.place.realization);
      return place ? place->service + " of the society '" + place->society + "' " + where(*place)
                   : std::string("this realization has no service to connect to");
    });
    if (!is_read) return failed;
    if (!place) return done;
    const bool is_found = !place->endpoints.empty() || step("directory", [&] {
      place = found(*place, patience_).value();
      return "found at " + list(*place);
    });
    if (!is_found) return failed;
    if (!place->proof.tls.empty() && !step("keys", [&] { return certificate(*place); }))
      return failed;
    if (!connect(*place) || !greet(*place)) return failed;
    if (settings_.as.empty()) return done;
    const bool may = step("policy", [this] {
      do_as(settings_.place, settings_.as, [](Agent&) -> Task<> { co_return; });
      return "an agent '" + settings_.as + "' may be there";
    });
    return may ? done : failed;
  }

 private:
  static std::string certificate(const ServicePlace& place) {
    const net::TlsFiles files = net::tls_files_in(place.proof.tls);
    const std::string node = net::certified_node(files, place.society);
    return "the certificate is for '" + node + "', and good until " +
           net::date_text(net::certificate_end(files));
  }
  static std::string where(const ServicePlace& place) {
    if (!place.endpoints.empty()) return "at " + list(place);
    if (!place.beacon) return "at " + place.own->text() + ", if a node of this user carries it";
    return fmt::format("to be found by the beacon at {}:{}", place.beacon->group,
                       place.beacon->port);
  }
  static std::string list(const ServicePlace& place) {
    std::string all;
    for (const net::Endpoint& each : place.endpoints)
      all += (all.empty() ? "" : ", ") + each.text();
    return all;
  }

  void say(const std::string& step, bool is_good, const std::string& what) const {
    if (settings_.place.json) {
      print_json(json::serialize(json::object{{"step", step}, {"ok", is_good}, {"what", what}}));
    } else {
      print_line(fmt::format("{:<4} {:<9} {}", is_good ? "ok" : "FAIL", step, what));
    }
  }

  // Prints the text that `act` returns or throws; returns whether it returned one.
  template <class Act>
  bool step(const std::string& name, Act act) const {
    try {
      say(name, true, act());
      return true;
    } catch (const std::exception& error) {
      say(name, false, error.what());
      return false;
    }
  }

  // One place that answers is enough, as it is for a node.
  bool connect(const ServicePlace& place) const {
    bool is_reached = false;
    for (const net::Endpoint& endpoint : place.endpoints) {
      const bool is_socket = endpoint.scheme == Scheme::unix_socket;
      if (!is_socket && !step("name", [&] { return resolve(endpoint); })) continue;
      net::Endpoint plain = endpoint;
      if (!is_socket) plain.scheme = Scheme::tcp;
      if (!step(is_socket ? "socket" : "tcp", [&] { return open_at(place, plain); })) continue;
      const bool is_secured = endpoint.scheme == Scheme::tls;
      if (is_secured && !step("tls", [&] { return open_at(place, endpoint); })) continue;
      is_reached = true;
      break;
    }
    return is_reached;
  }

  static std::string resolve(const net::Endpoint& endpoint) {
    boost::asio::io_context context;
    boost::asio::ip::tcp::resolver resolver(context);
    boost::system::error_code failure;
    const auto found = resolver.resolve(endpoint.host, std::to_string(endpoint.port), failure);
    if (failure)
      throw Error(Errc::unreachable, "'" + endpoint.host + "' is not a known host: " +
                                         failure.message() + "; check the name");
    std::string all;
    for (const auto& each : found)
      all += (all.empty() ? "" : ", ") + each.endpoint().address().to_string();
    return "'" + endpoint.host + "' is " + all;
  }

  std::string open_at(const ServicePlace& place, const net::Endpoint& endpoint) const {
    reach(place, endpoint, patience_).value();
    return endpoint.text() + " answers";
  }

  // The other side checks version, society and identity one after another.
  bool greet(const ServicePlace& place) const {
    static constexpr const char* names[] = {"greeting", "version", "society", "identity"};
    net::Closing why;
    const auto view = look_at(place, patience_, &why);
    const std::size_t bad = view ? std::size(names) : number_of(why.reason);
    for (std::size_t at = 0; at < std::min(bad, std::size(names)); ++at)
      say(names[at], true, "the other side agrees");
    if (!view) {
      say(names[bad], false, society::with_advice(why));
      return false;
    }
    std::string counts;
    for (const auto& [what, count] : view->census.counts)
      counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, what);
    say("service", true, counts);
    return true;
  }

  static std::size_t number_of(net::Reason reason) {
    switch (reason) {
      case net::Reason::wrong_version:
        return 1;
      case net::Reason::wrong_society:
        return 2;
      case net::Reason::not_permitted:
        return 3;
      default:
        return 0;
    }
  }

  const DoctorSettings& settings_;
  const Duration patience_;
};

}  // namespace

int run_doctor(const DoctorSettings& settings) { return Doctor(settings).run(); }

}  // namespace coracle::command

#include "beacon_socket.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/multicast.hpp>
#include <boost/asio/ip/udp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace coracle::society {

namespace {

using boost::asio::ip::address_v4;
using boost::asio::ip::udp;
using boost::system::error_code;
using namespace std::chrono_literals;

// How often the interfaces of this host are looked at again.
constexpr Duration look_pause = 5s;
// When a search asks, one pause after another, and how often it asks later. Nobody has answered
// when the third pause is over: there should be a directory.
constexpr Duration pauses[] = {100ms, 200ms, 400ms, 300ms, 1s, 3s};
constexpr std::size_t patient = 3;
static_assert(pauses[0] + pauses[1] + pauses[2] == BeaconSeeker::patience);
constexpr Duration later = 5s;
// Answers to so many questions are understood.
constexpr std::size_t most_questions = 8;

// An interface, by its IPv4 address.
struct Interface {
  address_v4 address, broadcast;
  bool has_broadcast = false;
};

std::vector<Interface> interfaces(const std::string& only) {
  std::vector<Interface> found;
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return found;
  const auto address_of = [](const sockaddr* address) {
    return address_v4(ntohl(reinterpret_cast<const sockaddr_in*>(address)->sin_addr.s_addr));
  };
  for (const ifaddrs* each = all; each != nullptr; each = each->ifa_next) {
    if (each->ifa_addr == nullptr || each->ifa_addr->sa_family != AF_INET ||
        (each->ifa_flags & IFF_UP) == 0)
      continue;
    Interface here;
    here.address = address_of(each->ifa_addr);
    if (!only.empty() && here.address.to_string() != only) continue;
    here.has_broadcast = (each->ifa_flags & IFF_BROADCAST) != 0 && each->ifa_broadaddr != nullptr;
    if (here.has_broadcast) here.broadcast = address_of(each->ifa_broadaddr);
    found.push_back(here);
  }
  ::freeifaddrs(all);
  return found;
}

std::span<const std::byte> bytes_of(const std::array<std::byte, beacon_size + 1>& buffer,
                                    std::size_t size) {
  return std::span(buffer).first(size);
}

}  // namespace

BeaconPlace BeaconPlace::parse(const std::string& text) {
  BeaconPlace place;
  const std::size_t at = text.find('@');
  if (at != std::string::npos) place.interface = text.substr(at + 1);
  const auto where = net::Endpoint::parse("tcp://" + text.substr(0, at));
  error_code bad, worse;
  if (where) {
    place.group = where->host;
    place.port = where->port;
    const auto group = boost::asio::ip::make_address_v4(place.group, bad);
    if (!bad && !group.is_multicast()) bad = boost::asio::error::invalid_argument;
    if (!place.interface.empty()) boost::asio::ip::make_address_v4(place.interface, worse);
  }
  if (!where || bad || worse || place.port == 0)
    throw Error(Errc::bad_options, "beacon: '" + text +
                                       "' is no place for a beacon; write off, or "
                                       "GROUP:PORT such as 239.192.44.10:4410");
  return place;
}

std::optional<BeaconPlace> beacon_at(const std::string& text, const std::string& key) {
  if (text == "off" || key.empty()) return std::nullopt;
  return text.empty() ? BeaconPlace() : BeaconPlace::parse(text);
}

struct BeaconAnswerer::Parts : std::enable_shared_from_this<Parts> {
  Parts(boost::asio::io_context& context, BeaconPlace where, net::KeySource source, Here answers)
      : place(std::move(where)),
        keys(std::move(source), steady_clock().now()),
        answer(std::move(answers)),
        socket(context),
        timer(context) {}

  error_code open() {
    error_code error;
    const udp::endpoint all(address_v4::any(), place.port);
    socket.open(all.protocol(), error);
    if (!error) socket.set_option(udp::socket::reuse_address(true), error);
    if (!error) socket.bind(all, error);
    if (error) return error;
    join();
    receive();
    return error;
  }
  // Interfaces come and go.
  void join() {
    error_code known;
    for (const Interface& each : interfaces(place.interface)) {
      socket.set_option(boost::asio::ip::multicast::join_group(
                            boost::asio::ip::make_address_v4(place.group), each.address),
                        known);
    }
    timer.expires_after(look_pause);
    timer.async_wait([self = shared_from_this()](const error_code& over) {
      if (!over) self->join();
    });
  }
  void receive() {
    socket.async_receive_from(
        boost::asio::buffer(buffer), from,
        [self = shared_from_this()](const error_code& error, std::size_t size) {
          if (error == boost::asio::error::operation_aborted || !self->socket.is_open()) return;
          if (!error) self->take(size);
          self->receive();
        });
  }
  void take(std::size_t size) {
    const Time now = steady_clock().now();
    for (const BeaconKey& key : keys.at(now)) {
      const auto asked = read_beacon(key, bytes_of(buffer, size));
      const Seek* const question = asked ? std::get_if<Seek>(&*asked) : nullptr;
      if (question == nullptr) continue;
      if (!answering.may_answer(question->nonce, now)) return;
      answer.nonce = question->nonce;
      error_code ignored;
      socket.send_to(boost::asio::buffer(write_beacon(key, answer)), from, 0, ignored);
      return;
    }
  }

  const BeaconPlace place;
  BeaconKeys keys;
  Here answer;
  Answering answering;
  udp::socket socket;
  boost::asio::steady_timer timer;
  udp::endpoint from;
  std::array<std::byte, beacon_size + 1> buffer{};
};

BeaconAnswerer::BeaconAnswerer(boost::asio::io_context& context, const BeaconPlace& place,
                               net::KeySource keys, Here answer, const Log& log)
    : parts_(std::make_shared<Parts>(context, place, std::move(keys), std::move(answer))) {
  const error_code error = parts_->open();
  if (error)
    log("the directory cannot be found by a beacon, since port " + std::to_string(place.port) +
        " cannot be had: " + error.message());
}

BeaconAnswerer::~BeaconAnswerer() {
  error_code ignored;
  parts_->socket.close(ignored);
  parts_->timer.cancel();
}

struct BeaconSeeker::Parts : std::enable_shared_from_this<Parts> {
  Parts(boost::asio::io_context& context, Settings what,
        std::function<void(const std::vector<net::Endpoint>&)> told)
      : settings(std::move(what)),
        keys(settings.keys, steady_clock().now()),
        tell(std::move(told)),
        socket(context),
        timer(context) {}

  error_code open() {
    error_code error;
    socket.open(udp::v4(), error);
    if (!error) socket.set_option(boost::asio::socket_base::broadcast(true), error);
    if (!error) socket.bind(udp::endpoint(address_v4::any(), 0), error);
    if (!error) receive();
    return error;
  }
  void search() {
    findings = {};
    step = 0;
    go_on();
  }
  void go_on() {
    ask();
    timer.expires_after(step < std::size(pauses) ? pauses[step] : later);
    timer.async_wait([self = shared_from_this()](const error_code& over) {
      if (!over) self->look();
    });
  }
  void look() {
    std::vector<net::Endpoint> places = findings.places(steady_clock().now());
    if (++step == patient && places.empty()) {
      settings.carry();
      is_carried = true;
    }
    const net::Endpoint& own = settings.own;
    if (is_carried && std::find(places.begin(), places.end(), own) == places.end())
      places.push_back(own);
    if (!places.empty()) tell(places);
    go_on();
  }
  void ask() {
    Seek question;
    for (std::size_t i = 0; i < question.nonce.size(); i += 8) {
      const std::uint64_t word = machine_random().next();
      std::memcpy(question.nonce.data() + i, &word, 8);
    }
    questions.push_back(question.nonce);
    if (questions.size() > most_questions) questions.pop_front();
    // With each key, since a society changes its keys node by node.
    std::vector<std::vector<std::byte>> datagrams;
    for (const BeaconKey& key : keys.at(steady_clock().now()))
      datagrams.push_back(write_beacon(key, question));
    const auto send = [&](const address_v4& to) {
      error_code ignored;
      for (const auto& each : datagrams)
        socket.send_to(boost::asio::buffer(each), udp::endpoint(to, settings.place.port), 0,
                       ignored);
    };
    here = interfaces(settings.place.interface);
    for (const Interface& each : here) {
      error_code no;
      socket.set_option(boost::asio::ip::multicast::outbound_interface(each.address), no);
      if (!no) send(boost::asio::ip::make_address_v4(settings.place.group));
      if (each.has_broadcast) send(each.broadcast);
    }
  }
  void receive() {
    socket.async_receive_from(
        boost::asio::buffer(buffer), from,
        [self = shared_from_this()](const error_code& error, std::size_t size) {
          if (error == boost::asio::error::operation_aborted || !self->socket.is_open()) return;
          if (!error) self->take(size);
          self->receive();
        });
  }
  void take(std::size_t size) {
    std::optional<std::variant<Seek, Here>> said;
    for (const BeaconKey& key : keys.at(steady_clock().now())) {
      if (!said) said = read_beacon(key, bytes_of(buffer, size));
    }
    const Here* const answer = said ? std::get_if<Here>(&*said) : nullptr;
    if (answer == nullptr) return;
    if (std::find(questions.begin(), questions.end(), answer->nonce) == questions.end()) return;
    const auto address = from.address().to_v4();
    const bool is_own = std::any_of(here.begin(), here.end(),
                                    [&](const Interface& each) { return each.address == address; });
    findings.add(*answer, address.to_string(), is_own ? std::optional(settings.own) : std::nullopt,
                 steady_clock().now());
  }

  const Settings settings;
  BeaconKeys keys;
  const std::function<void(const std::vector<net::Endpoint>&)> tell;
  Findings findings;
  std::deque<BeaconNonce> questions;
  std::vector<Interface> here;
  std::size_t step = 0;
  bool is_carried = false;
  udp::socket socket;
  boost::asio::steady_timer timer;
  udp::endpoint from;
  std::array<std::byte, beacon_size + 1> buffer{};
};

BeaconSeeker::BeaconSeeker(boost::asio::io_context& context, Settings settings,
                           std::function<void(const std::vector<net::Endpoint>&)> tell,
                           const Log& log)
    : parts_(std::make_shared<Parts>(context, std::move(settings), std::move(tell))) {
  const error_code error = parts_->open();
  if (error) log("directories cannot be looked for by a beacon: " + error.message());
}

BeaconSeeker::~BeaconSeeker() {
  error_code ignored;
  parts_->socket.close(ignored);
  parts_->timer.cancel();
}

void BeaconSeeker::search() { parts_->search(); }

}  // namespace coracle::society

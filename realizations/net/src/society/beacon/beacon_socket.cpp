#include "beacon_socket.hpp"

#include "beacon_asker.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/multicast.hpp>
#include <boost/asio/ip/udp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <span>
#include <utility>

namespace coracle::society {

namespace {

using boost::asio::ip::address_v4;
using boost::asio::ip::udp;
using boost::system::error_code;
using namespace std::chrono_literals;

// The interval at which the interfaces of this host are read again.
constexpr Duration look_pause = 5s;
// The pauses after the first questions of a search, and the pause after each later one. When the
// third pause is over without a reply, there should be a directory.
constexpr Duration pauses[] = {100ms, 200ms, 400ms, 300ms, 1s, 3s};
constexpr std::size_t patient = 3;
static_assert(pauses[0] + pauses[1] + pauses[2] == BeaconSeeker::patience);
constexpr Duration later = 5s;
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

struct BeaconAnswerer::Impl : std::enable_shared_from_this<Impl> {
  Impl(boost::asio::io_context& context, BeaconPlace where, net::KeySource source, Here answers)
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
      if (!is_older(answer, *question)) return;
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
    : impl_(std::make_shared<Impl>(context, place, std::move(keys), std::move(answer))) {
  const error_code error = impl_->open();
  if (error)
    log("the directory cannot be found by a beacon, since port " + std::to_string(place.port) +
        " cannot be used: " + error.message());
}

BeaconAnswerer::~BeaconAnswerer() {
  error_code ignored;
  impl_->socket.close(ignored);
  impl_->timer.cancel();
}

struct BeaconSeeker::Impl : std::enable_shared_from_this<Impl> {
  Impl(boost::asio::io_context& context, Settings what)
      : settings(std::move(what)), timer(context) {}

  error_code open(boost::asio::io_context& context) {
    asker =
        std::make_shared<BeaconAsker>(context, settings.place, settings.keys,
                                      [this](const DirectoryReport& answer) { receive(answer); });
    return asker->open();
  }
  void search() {
    findings = {};
    reported.clear();
    step = 0;
    go_on();
  }
  void go_on() {
    asker->ask({});
    timer.expires_after(step < std::size(pauses) ? pauses[step] : later);
    timer.async_wait([self = shared_from_this()](const error_code& over) {
      if (!over) self->look();
    });
  }
  void look() {
    if (++step == patient && findings.places(steady_clock().now()).empty()) {
      settings.carry();
      is_carried = true;
    }
    report();
    go_on();
  }
  void report() {
    std::vector<net::Endpoint> places = findings.places(steady_clock().now());
    const net::Endpoint& own = settings.own;
    if (is_carried && std::find(places.begin(), places.end(), own) == places.end())
      places.push_back(own);
    if (places.empty()) return;
    reported = places;
    settings.on_found(places);
  }
  void receive(const DirectoryReport& answer) {
    const auto own = asker->is_own(answer.from) ? std::optional(settings.own) : std::nullopt;
    take(findings.add(answer, own, steady_clock().now()));
  }
  void add_reported(const DirectoryReport& directory) {
    take(findings.add_reported(directory, steady_clock().now()));
  }
  void take(const std::optional<net::Endpoint>& place) {
    // A search first collects replies, to choose the best at once.
    if (!place || step < patient) return;
    if (std::find(reported.begin(), reported.end(), *place) == reported.end()) report();
    if (settings.on_reply) settings.on_reply(*place);
  }

  const Settings settings;
  std::shared_ptr<BeaconAsker> asker;
  Findings findings;
  std::vector<net::Endpoint> reported;
  std::size_t step = 0;
  bool is_carried = false;
  boost::asio::steady_timer timer;
};

BeaconSeeker::BeaconSeeker(boost::asio::io_context& context, Settings settings, const Log& log)
    : impl_(std::make_shared<Impl>(context, std::move(settings))) {
  const error_code error = impl_->open(context);
  if (error) log("directories cannot be looked for by a beacon: " + error.message());
}

BeaconSeeker::~BeaconSeeker() {
  impl_->asker->close();
  impl_->timer.cancel();
}

void BeaconSeeker::search() { impl_->search(); }

void BeaconSeeker::add_reported(const DirectoryReport& directory) {
  impl_->add_reported(directory);
}

struct BeaconWatch::Impl : std::enable_shared_from_this<Impl> {
  Impl(boost::asio::io_context& context, Settings what)
      : settings(std::move(what)), timer(context) {}

  error_code open(boost::asio::io_context& context) {
    asker =
        std::make_shared<BeaconAsker>(context, settings.place, settings.keys,
                                      [this](const DirectoryReport& answer) { receive(answer); });
    const error_code error = asker->open();
    if (!error) go_on();
    return error;
  }
  Seek question() const { return {{}, settings.started, settings.salt}; }
  void go_on() {
    if (settings.is_used()) asker->ask(question());
    timer.expires_after(pause);
    timer.async_wait([self = shared_from_this()](const error_code& over) {
      if (!over) self->go_on();
    });
  }
  // Returns whether nodes of other hosts cannot use the address of this reply.
  bool is_of_no_use(const DirectoryReport& answer) const {
    return settings.place.interface.empty() && answer.from.starts_with("127.");
  }
  void receive(const DirectoryReport& answer) {
    const Time now = steady_clock().now();
    const Seek last_reported{{}, reported.started, reported.salt};
    const bool is_news = now >= quiet_until || is_older(answer.directory, last_reported);
    if (!is_older(answer.directory, question()) || !is_news || is_of_no_use(answer)) return;
    reported = answer.directory;
    quiet_until = now + 2s;
    settings.on_older(answer);
  }

  const Settings settings;
  std::shared_ptr<BeaconAsker> asker;
  Here reported;  // the last that was reported
  Time quiet_until{};
  boost::asio::steady_timer timer;
};

BeaconWatch::BeaconWatch(boost::asio::io_context& context, Settings settings, const Log& log)
    : impl_(std::make_shared<Impl>(context, std::move(settings))) {
  const error_code error = impl_->open(context);
  if (error) log("older directories cannot be looked for by a beacon: " + error.message());
}

BeaconWatch::~BeaconWatch() {
  impl_->asker->close();
  impl_->timer.cancel();
}

}  // namespace coracle::society

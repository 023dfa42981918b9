#include "beacon_asker.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/multicast.hpp>

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

namespace coracle::society {

namespace {

using boost::asio::ip::address_v4;
using boost::asio::ip::udp;
using boost::system::error_code;

// Replies to this many latest questions are accepted.
constexpr std::size_t most_questions = 8;

}  // namespace

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
    here.is_loopback = (each->ifa_flags & IFF_LOOPBACK) != 0;
    if (here.has_broadcast) here.broadcast = address_of(each->ifa_broadaddr);
    found.push_back(here);
  }
  ::freeifaddrs(all);
  return found;
}

BeaconAsker::BeaconAsker(boost::asio::io_context& context, BeaconPlace place, net::KeySource keys,
                         OnReply on_reply)
    : place_(std::move(place)),
      keys_(std::move(keys), steady_clock().now()),
      on_reply_(std::move(on_reply)),
      socket_(context) {}

error_code BeaconAsker::open() {
  error_code error;
  socket_.open(udp::v4(), error);
  if (!error) socket_.set_option(boost::asio::socket_base::broadcast(true), error);
  if (!error) socket_.bind(udp::endpoint(address_v4::any(), 0), error);
  if (!error) receive();
  return error;
}

void BeaconAsker::close() {
  error_code ignored;
  socket_.close(ignored);
}

void BeaconAsker::ask(Seek asker) {
  for (std::size_t i = 0; i < asker.nonce.size(); i += 8) {
    const std::uint64_t word = machine_random().next();
    std::memcpy(asker.nonce.data() + i, &word, 8);
  }
  questions_.push_back(asker.nonce);
  if (questions_.size() > most_questions) questions_.pop_front();
  // Sends the question with each key, because a society changes its keys node by node.
  std::vector<std::vector<std::byte>> datagrams;
  for (const BeaconKey& key : keys_.at(steady_clock().now()))
    datagrams.push_back(write_beacon(key, asker));
  const auto send = [&](const address_v4& to) {
    error_code ignored;
    for (const auto& each : datagrams)
      socket_.send_to(boost::asio::buffer(each), udp::endpoint(to, place_.port), 0, ignored);
  };
  here_ = interfaces(place_.interface);
  const bool is_directory = asker.started != 0;  // a directory asks often
  for (const Interface& each : here_) {
    if (is_directory && each.is_loopback && here_.size() > 1) continue;
    error_code no;
    socket_.set_option(boost::asio::ip::multicast::outbound_interface(each.address), no);
    if (!no) send(boost::asio::ip::make_address_v4(place_.group));
    if (each.has_broadcast) send(each.broadcast);
  }
}

bool BeaconAsker::is_own(const std::string& address) const {
  return std::any_of(here_.begin(), here_.end(),
                     [&](const Interface& each) { return each.address.to_string() == address; });
}

void BeaconAsker::receive() {
  socket_.async_receive_from(
      boost::asio::buffer(buffer_), from_,
      [self = shared_from_this()](const error_code& error, std::size_t size) {
        if (error == boost::asio::error::operation_aborted || !self->socket_.is_open()) return;
        if (!error) self->take(size);
        self->receive();
      });
}

void BeaconAsker::take(std::size_t size) {
  const auto datagram = std::span<const std::byte>(buffer_).first(size);
  std::optional<std::variant<Seek, Here>> said;
  for (const BeaconKey& key : keys_.at(steady_clock().now())) {
    if (!said) said = read_beacon(key, datagram);
  }
  const Here* const answer = said ? std::get_if<Here>(&*said) : nullptr;
  if (answer == nullptr) return;
  if (std::find(questions_.begin(), questions_.end(), answer->nonce) == questions_.end()) return;
  on_reply_({*answer, from_.address().to_v4().to_string()});
}

}  // namespace coracle::society

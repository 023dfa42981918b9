// Questions of the beacon, and their replies, over UDP: multicast and broadcast on every interface
// of this host. Everything happens on the context's thread.
#pragma once

#include "beacon.hpp"
#include "beacon_place.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/udp.hpp>

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace coracle::society {

// An interface, by its IPv4 address.
struct Interface {
  boost::asio::ip::address_v4 address, broadcast;
  bool has_broadcast = false;
  bool is_loopback = false;
};

// Returns the interfaces of this host, or the one with that address.
std::vector<Interface> interfaces(const std::string& only);

class BeaconAsker : public std::enable_shared_from_this<BeaconAsker> {
 public:
  using OnReply = std::function<void(const DirectoryReport&)>;
  // `on_reply` is called for each reply.
  BeaconAsker(boost::asio::io_context& context, BeaconPlace place, net::KeySource keys,
              OnReply on_reply);

  // Returns why it cannot ask; no error if it can.
  boost::system::error_code open();
  // From now on `on_reply` is not called any more.
  void close();
  // Sends a question to all; `asker` describes the asking side, and its nonce is chosen here.
  void ask(Seek asker);
  // Returns whether that address was one of this host's at the last question.
  bool is_own(const std::string& address) const;

 private:
  void receive();
  void take(std::size_t size);

  const BeaconPlace place_;
  BeaconKeys keys_;
  OnReply on_reply_;
  std::deque<BeaconNonce> questions_;
  std::vector<Interface> here_;
  boost::asio::ip::udp::socket socket_;
  boost::asio::ip::udp::endpoint from_;
  std::array<std::byte, beacon_size + 1> buffer_{};
};

}  // namespace coracle::society

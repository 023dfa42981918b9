// The beacon over UDP: multicast and broadcast on every interface of this host.
#pragma once

#include "beacon.hpp"
#include "way.hpp"

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coracle::society {

// Where questions are asked.
struct BeaconPlace {
  std::string group = "239.192.44.10";
  std::uint16_t port = 4410;
  // The address of the only interface that is used; empty: all.
  std::string interface;

  // Understands "239.192.44.10:4410" and "239.192.44.10:4410@127.0.0.1".
  // Fails with Errc::bad_options.
  static BeaconPlace parse(const std::string& text);
};

// Whether the text of a setting wants a beacon, and where: "off" does not, nor does nothing at all
// when there is no key.
std::optional<BeaconPlace> beacon_at(const std::string& text, const std::string& key);

// Answers for a directory. All that happens is on the context's thread.
class BeaconAnswerer {
 public:
  // `log` is told when it cannot be; then there is no answer.
  BeaconAnswerer(boost::asio::io_context& context, const BeaconPlace& place, net::KeySource keys,
                 Here answer, const Log& log);
  ~BeaconAnswerer();

 private:
  struct Parts;
  const std::shared_ptr<Parts> parts_;
};

// Asks for directories, often at first, and then now and then.
class BeaconSeeker {
 public:
  // After so long without an answer, nobody has answered.
  static constexpr Duration patience = std::chrono::milliseconds(700);
  struct Settings {
    BeaconPlace place;
    net::KeySource keys;
    // Where this user's own directory is, if he has one.
    net::Endpoint own;
    // Nobody answers: there should be one at `own`.
    std::function<void()> carry;
  };
  // `tell` is told where directories are, the best first.
  BeaconSeeker(boost::asio::io_context& context, Settings settings,
               std::function<void(const std::vector<net::Endpoint>&)> tell, const Log& log);
  ~BeaconSeeker();

  // Begins anew: what was known is old.
  void search();

 private:
  struct Parts;
  const std::shared_ptr<Parts> parts_;
};

}  // namespace coracle::society

// How directories are found by the beacon: who answers for one, and who asks.
#pragma once

#include "beacon.hpp"
#include "beacon_place.hpp"
#include "way.hpp"

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coracle::society {

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
    // Is told where directories are, the best first.
    std::function<void(const std::vector<net::Endpoint>&)> tell;
    // Is told where one was heard just now; may be empty.
    std::function<void(const net::Endpoint&)> heard;
  };
  BeaconSeeker(boost::asio::io_context& context, Settings settings, const Log& log);
  ~BeaconSeeker();

  // Begins anew: what was known is old.
  void search();
  // Somebody else has heard that directory.
  void hear_of(const HeardOf& directory);

 private:
  struct Parts;
  const std::shared_ptr<Parts> parts_;
};

// Asks, for a directory, whether an older one can be heard: two halves of a LAN that were apart
// have one each, and only the nodes of the younger one have to go elsewhere.
class BeaconWatch {
 public:
  // So nodes that were apart are together again within two seconds.
  static constexpr Duration pause = std::chrono::milliseconds(300);
  struct Settings {
    BeaconPlace place;
    net::KeySource keys;
    std::uint64_t started = 0, salt = 0;  // of the directory
    // Whether it has nodes; else nothing is asked.
    std::function<bool()> is_used;
    // An older one was heard, and no still older one in the last two seconds.
    std::function<void(const HeardOf&)> tell;
  };
  BeaconWatch(boost::asio::io_context& context, Settings settings, const Log& log);
  ~BeaconWatch();

 private:
  struct Parts;
  const std::shared_ptr<Parts> parts_;
};

}  // namespace coracle::society

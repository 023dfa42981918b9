// The two sides of the beacon: a directory that replies, and nodes and directories that ask.
#pragma once

#include "beacon.hpp"
#include "beacon_place.hpp"
#include "realizations/net/src/society/frames/frame_channel.hpp"

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coracle::society {

// Replies for a directory. Everything happens on the context's thread.
class BeaconAnswerer {
 public:
  // `log` gets a line when the answerer cannot be set up; then there are no replies.
  BeaconAnswerer(boost::asio::io_context& context, const BeaconPlace& place, net::KeySource keys,
                 Here answer, const Log& log);
  ~BeaconAnswerer();

 private:
  struct Impl;
  const std::shared_ptr<Impl> impl_;
};

// Searches for directories, often at first, and then now and then.
class BeaconSeeker {
 public:
  // The time without a reply after which a directory is assumed not to exist.
  static constexpr Duration patience = std::chrono::milliseconds(700);
  struct Settings {
    BeaconPlace place;
    net::KeySource keys;
    // The endpoint of this user's own directory, if the user has one.
    net::Endpoint own;
    // Called when nobody replies: there should be a directory at `own`.
    std::function<void()> carry;
    // Called with the endpoints of the directories, the best first.
    std::function<void(const std::vector<net::Endpoint>&)> on_found;
    // Called with the endpoint of a directory that has just replied; may be empty.
    std::function<void(const net::Endpoint&)> on_reply;
  };
  BeaconSeeker(boost::asio::io_context& context, Settings settings, const Log& log);
  ~BeaconSeeker();

  // Begins anew: earlier findings are out of date.
  void search();
  // Adds a directory that another node has found.
  void add_reported(const DirectoryReport& directory);

 private:
  struct Impl;
  const std::shared_ptr<Impl> impl_;
};

// Checks for a directory whether an older one is there: two halves of a LAN that were apart have
// one each, and only the nodes of the younger one have to move.
class BeaconWatch {
 public:
  // So nodes that were apart are together again within two seconds.
  static constexpr Duration pause = std::chrono::milliseconds(300);
  struct Settings {
    BeaconPlace place;
    net::KeySource keys;
    std::uint64_t started = 0, salt = 0;  // the start of the directory
    // Returns whether the directory has nodes; else no question is sent.
    std::function<bool()> is_used;
    // Called when an older one has replied, and no still older one in the last two seconds.
    std::function<void(const DirectoryReport&)> on_older;
  };
  BeaconWatch(boost::asio::io_context& context, Settings settings, const Log& log);
  ~BeaconWatch();

 private:
  struct Impl;
  const std::shared_ptr<Impl> impl_;
};

}  // namespace coracle::society

// The protocol by which nodes find their society's directory on a LAN: a node that seeks one asks
// by multicast, and a directory replies with its endpoints. Pure; docs/wire.md describes the
// datagrams.
//
// Without the society key, nobody can read or make the society's datagrams. The proof in a datagram
// is made with a key for beacons alone, derived from the society key. An attacker that receives it
// learns nothing of the key by which nodes are admitted, and could only guess at 160 random bits. A
// reply is for one question only, and never longer than the question.
#pragma once

#include "coracle/clock.hpp"
#include "realizations/net/src/endpoint.hpp"
#include "realizations/net/src/society_key.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace coracle::society {

// The size of a question, and the maximum size of a reply.
inline constexpr std::size_t beacon_size = 512;

// A society's key for its beacons.
using BeaconKey = net::SocietyKey::Derived;
BeaconKey beacon_key(const net::SocietyKey& key, std::string_view society);

using BeaconNonce = std::array<std::byte, 16>;

// A question: a node or a directory seeks a directory.
struct Seek {
  BeaconNonce nonce{};
  // The asking directory's own start; only older directories may reply. 0 and 0: a node asks.
  std::uint64_t started = 0, salt = 0;
};

// A directory's reply to a question.
struct Here {
  BeaconNonce nonce{};
  // Identifies the directory by the time of its start; the earliest directory is the best.
  std::uint64_t started = 0, salt = 0;
  std::vector<std::string> endpoints;
};

// Returns whether `directory` is older than the asking directory; every directory is for a node.
bool is_older(const Here& directory, const Seek& asker);

// A reply, and the address from which it came.
struct DirectoryReport {
  Here directory;
  std::string from;
};

// Leaves out endpoints for which there is no room.
std::vector<std::byte> write_beacon(const BeaconKey& key, const Seek& seek);
std::vector<std::byte> write_beacon(const BeaconKey& key, const Here& here);
// Returns the datagram of these bytes, with the proof behind them; for tests and fuzzers too.
std::vector<std::byte> seal_beacon(const BeaconKey& key, std::vector<std::byte> bytes);
// Returns nothing when the datagram is not made with that key or is malformed.
std::optional<std::variant<Seek, Here>> read_beacon(const BeaconKey& key,
                                                    std::span<const std::byte> datagram);

// The current beacon keys of a society: their file is checked again when a second has passed.
class BeaconKeys {
 public:
  static constexpr Duration pause = std::chrono::seconds(1);

  // Fails as net::KeySource::read() does.
  BeaconKeys(net::KeySource source, Time now);
  // Returns at least one key; questions are made with the first. A file that cannot be read changes
  // nothing.
  const std::vector<BeaconKey>& at(Time now);

 private:
  net::KeySource source_;
  std::vector<BeaconKey> keys_;
  Time read_;
};

// Decides whether a directory replies: once to each question, and not to too many.
class Answering {
 public:
  static constexpr std::size_t most_at_once = 32, most_nonces = 256;
  static constexpr Duration pause = std::chrono::milliseconds(20);  // for one more reply

  bool may_answer(const BeaconNonce& nonce, Time now);

 private:
  std::set<BeaconNonce> known_;
  std::deque<BeaconNonce> order_;  // the answered nonces, the oldest first
  std::size_t left_ = most_at_once;
  Time counted_{};
};

// The directories that a node has found.
class Findings {
 public:
  // The time for which a directory is kept without another reply, and the number that is kept.
  static constexpr Duration lasting = std::chrono::seconds(16);
  static constexpr std::size_t most = 64;

  // When the reply is from this host, `own` is the endpoint of this user's own directory, and that
  // directory is then reached by `own`. Returns the endpoint at which the directory can be reached,
  // if there is one.
  std::optional<net::Endpoint> add(const DirectoryReport& report,
                                   const std::optional<net::Endpoint>& own, Time now);
  // The same for a directory that another directory reports. If this host has received a reply of
  // that directory itself, it knows the endpoint better.
  std::optional<net::Endpoint> add_reported(const DirectoryReport& report, Time now);
  // Returns the endpoints of the directories, the best first.
  std::vector<net::Endpoint> places(Time now);

 private:
  struct Found {
    net::Endpoint place;
    Time heard{};
  };
  std::map<std::pair<std::uint64_t, std::uint64_t>, Found> found_;
};

}  // namespace coracle::society

// How nodes find their society's directory on a LAN: who seeks it says so to everybody, and a
// directory answers where it is. Pure; docs/wire.md has the datagrams in words.
//
// Nobody understands, or can say, what is the society's without its key. What proves a datagram is
// made with a key for beacons alone, derived from the society's: whoever hears it learns nothing of
// the key by which nodes are let in, and could only guess at 160 random bits. An answer is to one
// question only, and never longer than that.
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

// The size of a question, and the most that an answer has.
inline constexpr std::size_t beacon_size = 512;

// A society's key for its beacons.
using BeaconKey = net::SocietyKey::Derived;
BeaconKey beacon_key(const net::SocietyKey& key, std::string_view society);

using BeaconNonce = std::array<std::byte, 16>;

// Somebody seeks a directory.
struct Seek {
  BeaconNonce nonce{};
  // The asker is this directory, and only older ones are to answer; 0 and 0 is none.
  std::uint64_t started = 0, salt = 0;
};

// A directory's answer to that.
struct Here {
  BeaconNonce nonce{};
  // Which directory it is, by the time of its start; the earliest is the best.
  std::uint64_t started = 0, salt = 0;
  std::vector<std::string> endpoints;
};

// Whether a directory with that start is older than the one that asks; everybody is for a node.
bool is_older(const Here& directory, const Seek& asker);

// An answer, and the address from which it came.
struct HeardOf {
  Here directory;
  std::string from;
};

// Leaves out endpoints for which there is no room.
std::vector<std::byte> write_beacon(const BeaconKey& key, const Seek& seek);
std::vector<std::byte> write_beacon(const BeaconKey& key, const Here& here);
// The datagram of these bytes: with the proof behind them; for tests and fuzzers too.
std::vector<std::byte> seal_beacon(const BeaconKey& key, std::vector<std::byte> bytes);
// Nothing, when it is not made with that key or makes no sense.
std::optional<std::variant<Seek, Here>> read_beacon(const BeaconKey& key,
                                                    std::span<const std::byte> datagram);

// The beacon keys of a society, as its keys are now: their file is looked at again when a second
// has passed.
class BeaconKeys {
 public:
  static constexpr Duration pause = std::chrono::seconds(1);

  // Fails as net::KeySource::read() does.
  BeaconKeys(net::KeySource source, Time now);
  // At least one; the first is the one to ask with. What cannot be read changes nothing.
  const std::vector<BeaconKey>& at(Time now);

 private:
  net::KeySource source_;
  std::vector<BeaconKey> keys_;
  Time read_;
};

// Whether a directory answers: each question once, and not too many.
class Answering {
 public:
  static constexpr std::size_t most_at_once = 32, most_nonces = 256;
  static constexpr Duration pause = std::chrono::milliseconds(20);  // for one more

  bool may_answer(const BeaconNonce& nonce, Time now);

 private:
  std::set<BeaconNonce> known_;
  std::deque<BeaconNonce> order_;  // of those, the oldest first
  std::size_t left_ = most_at_once;
  Time counted_{};
};

// What a node has heard of directories.
class Findings {
 public:
  // How long a directory counts that is not heard again, and how many are kept.
  static constexpr Duration lasting = std::chrono::seconds(16);
  static constexpr std::size_t most = 64;

  // `own`, when the answer is from this host, is where this user's own directory is: it is then
  // reached by that. Returns where that directory is reached, if it can be.
  std::optional<net::Endpoint> add(const HeardOf& heard, const std::optional<net::Endpoint>& own,
                                   Time now);
  // The same of what another directory says: where this host has heard it itself, it knows better
  // how it is reached.
  std::optional<net::Endpoint> add_told(const HeardOf& heard, Time now);
  // Where they are, the best first.
  std::vector<net::Endpoint> places(Time now);

 private:
  struct Found {
    net::Endpoint place;
    Time heard{};
  };
  std::map<std::pair<std::uint64_t, std::uint64_t>, Found> found_;
};

}  // namespace coracle::society

// The peer of a session: its identity, and its incarnations.
#pragma once

#include "realizations/net/src/session/terms.hpp"

#include <optional>
#include <string>
#include <vector>

namespace coracle::net {

// The identity of the peer, by its greeting and as far as its proof confirms it.
struct Greeting {
  std::string society, node;
  Epoch epoch;
  std::uint64_t number = 0;   // its session with us: the next one when it has given us up
  std::uint8_t version = 1;   // the one that both support
  std::uint64_t largest = 0;  // the largest message that it accepts
  std::string certified{};    // the name that its certificate proves; empty: it showed none
  bool is_inside = false;     // the peer is part of this process
  bool is_on_this_host = false;
};

// The state in which a new connection of the two nodes finds the session.
enum class Opening : std::uint8_t {
  first,      // nothing was known of the peer
  resumed,    // the peer is as it was: nothing is lost
  restarted,  // the peer has begun anew, see SessionEvents::on_restarted
};

// An incarnation of the peer ends when the peer is started anew, or when one of the two nodes gives
// the other up.
class KnownPeer {
 public:
  // The meaning of a greeting for the session.
  enum class Verdict : std::uint8_t { first, resumes, restarts, stale };

  Verdict judge(const Greeting& greeting) const;
  // The peer has sent a greeting that is not stale. Returns whether messages may be lost, since a
  // new incarnation begins.
  bool accept(const Greeting& greeting);
  // The peer has resumed the session: from now on messages are sent to it.
  void confirm() { confirmed_ = true; }
  // The session is open.
  Opening open();
  // Throws Errc::too_large for a message of that size, since the peer accepts only `largest` bytes.
  [[noreturn]] void refuse(std::uint64_t bytes, std::uint64_t largest) const;
  // The peer is given up, and its incarnation ends.
  void forget();

  // The last greeting; nullopt until the first one, and after the peer was given up.
  const std::optional<Greeting>& greeting() const { return greeting_; }

 private:
  std::optional<Greeting> greeting_;
  bool confirmed_ = false;   // the peer has sent its RESUME in this incarnation
  bool opened_ = false;      // the session was open in this incarnation
  bool restarted_ = false;   // the peer has begun anew since the session was last open
  std::vector<Epoch> past_;  // earlier epochs of the peer, at most 8
};

}  // namespace coracle::net

// The surroundings of conversations: the names that agents of FIPA have in our society, identifiers
// of messages, and the calendar. Tests: tests/fipa/initiator_test.cpp.
#pragma once

#include "coracle/acl/agent_id.hpp"
#include "coracle/acl/protocols/session.hpp"
#include "coracle/clock.hpp"
#include "coracle/name.hpp"
#include "coracle/result.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace coracle::acl {

// The way from an agent's identifier to its name in the society, and back. A gateway to other
// platforms may replace the two functions.
struct Naming {
  // Fails with Errc::bad_name if the identifier cannot be a name.
  std::function<Result<Name>(const AgentId&)> name_of;
  std::function<AgentId(const Name&)> agent_of;
};

// The names of a society that is no platform: identifiers have no "@", and the agent "ann" is
// "ann". One of another platform, "zed@p2", is "fipa/zed@p2", as a gateway calls it. Where there is
// a gateway, fipa::naming() of <coracle/fipa/settings.hpp> has the society's own platform, too.
Naming naming();

// Identifiers of 128 random bits. `random` outlives them.
MessageIds random_ids(Random& random = machine_random());

// All of it.
struct Settings {
  Settings() : naming(acl::naming()), ids(random_ids()) {}

  Naming naming;
  MessageIds ids;
  // Without its zero, only times from now have a meaning in reply-by; our own agents write these.
  Calendar calendar;
};

// The time limits and the settings of a conversation. Setters return *this; a duration becomes
// Terms with that time for the answers.
class Terms {
 public:
  Terms() = default;
  template <class Rep, class Period>
  Terms(std::chrono::duration<Rep, Period> reply_within) : reply_within_(reply_within) {}

  // The time for the answers to the first message, as its reply-by.
  Terms& reply_within(Duration span) { return reply_within_ = span, *this; }
  // The end of the whole conversation: sessions that are still open then expire.
  Terms& until(Deadline deadline) { return until_ = deadline, *this; }
  Terms& settings(Settings settings) { return settings_ = std::move(settings), *this; }

  const std::optional<Duration>& reply_within() const noexcept { return reply_within_; }
  const Deadline& until() const noexcept { return until_; }
  const Settings& settings() const noexcept { return settings_; }

 private:
  std::optional<Duration> reply_within_;
  Deadline until_;
  Settings settings_;
};

}  // namespace coracle::acl

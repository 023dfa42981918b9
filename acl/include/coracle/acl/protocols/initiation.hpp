// A conversation that an agent has begun with others: one Session for each receiver of the first
// message. All sessions have one conversation-id; each has a reply-with of its own, by which
// answers are matched. It sends nothing and has no clock.
// Tests: acl/tests/protocols/initiation_test.cpp.
#pragma once

#include "coracle/acl/protocols/session.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace coracle::acl {

// The greatest number of receivers of one conversation.
inline constexpr std::size_t max_receivers = 10'000;

// The conversation. Sessions are numbered by the order of the receivers; an agent that is named
// twice has one session.
class Initiation {
 public:
  // A message to one receiver.
  struct Outgoing {
    std::size_t session = 0;
    Message message;
  };
  // The effect of a message, and the session that it concerns. For Heard::foreign, the number means
  // nothing.
  struct Hearing {
    Heard heard = Heard::foreign;
    std::size_t session = 0;
  };

  // Begins with `opening`: its performative opens the protocol, its sender is this agent. It gets
  // the protocol's name, and a conversation-id if it has none. `reply_within` replaces its
  // reply-by. `ids` is called here only. Fails with Errc::bad_options without receivers or with
  // more than max_receivers, and for a performative that does not open the protocol.
  Initiation(const Protocol& protocol, Message opening, const MessageIds& ids,
             std::optional<Duration> reply_within, const Calendar& calendar, Time now);

  const std::string& conversation_id() const noexcept { return conversation_id_; }
  std::span<const Session> sessions() const noexcept { return sessions_; }
  // The number of sessions in that state.
  std::size_t count(State state) const noexcept;
  // Returns whether all sessions are over.
  bool is_over() const noexcept { return count(State::over) == sessions_.size(); }
  // Returns the messages that are to be sent. Each is returned once.
  std::vector<Outgoing> take_outgoing() noexcept { return std::exchange(outgoing_, {}); }
  // The time at which on_time() is to be called; Time::max() if never.
  Time deadline() const noexcept;

  // Takes a message of anybody.
  Hearing hear(const Message& message, Time now);
  // Does everything that is due.
  void on_time(Time now);
  // Goes on with one session; see Session. Each returns false if it is not permitted now.
  bool say(std::size_t session, Speech speech, Time now);
  bool cancel(std::size_t session, Speech speech, Time now);
  // Goes on with all sessions that permit it; returns their number.
  std::size_t say_to_all(const Speech& speech, Time now);
  // Cancels all sessions that are not over.
  void cancel_all(const Speech& speech, Time now);
  void expect_answers_to(std::size_t session, std::string reply_with) {
    sessions_.at(session).expect_answers_to(std::move(reply_with));
  }
  // Ends a session without a message: Outcome::lost when a message to it could not be sent.
  void end(std::size_t session, Outcome outcome) { sessions_.at(session).end(outcome); }
  void end_all(Outcome outcome) noexcept;

 private:
  std::vector<Session> sessions_;
  std::unordered_map<std::string, std::size_t> by_partner_;  // by names in lower case
  std::string conversation_id_;
  std::vector<Outgoing> outgoing_;
};

}  // namespace coracle::acl

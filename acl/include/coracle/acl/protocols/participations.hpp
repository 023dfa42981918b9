// The conversations that other agents have begun with an agent: one Session for each. It sends
// nothing and has no clock. Tests: acl/tests/protocols/participations_test.cpp.
#pragma once

#include "coracle/acl/protocols/session.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

namespace coracle::acl {

// The protocol to which a message belongs: that of its name or, if it names none, the one that
// people mean by its performative: fipa-request for a request. Nullptr if there is none.
const Protocol* protocol_of(const Message& message) noexcept;

// The sessions of a participant, by their initiators and conversations.
class Participations {
 public:
  // The greatest number of open sessions in all, and with one agent.
  struct Limits {
    std::size_t all = 10'000;
    std::size_t each = 100;
  };
  enum class Found : std::uint8_t {
    nothing,  // the message begins no conversation, and belongs to none
    begun,    // a new session
    session,  // a session that there was; see `heard`
    no_room,  // it would begin a session beyond the limits
  };
  struct Hearing {
    Found found = Found::nothing;
    // For Found::session.
    Heard heard = Heard::foreign;
    // For begun and session. It stays valid until remove().
    Session* session = nullptr;
  };

  Participations(AgentId self, MessageIds ids, const Calendar& calendar, Limits limits)
      : self_(std::move(self)), ids_(std::move(ids)), calendar_(calendar), limits_(limits) {}

  // Takes a message of anybody. Once a session is over, a message in the same conversation can
  // begin a new one.
  Hearing hear(const Message& message, Time now);
  // Forgets a session.
  void remove(const Session& session);
  // The number of sessions.
  std::size_t size() const noexcept { return sessions_.size(); }
  const AgentId& self() const noexcept { return self_; }

 private:
  // The initiator's name in lower case, and the conversation-id; for a conversation without one, a
  // number behind a character that no identifier has.
  using Key = std::pair<std::string, std::string>;

  struct Held {
    Session session;
    Key key;
  };

  // The open session to which the message belongs, and what it was there.
  Hearing hear_in_session(const Key& key, const Message& message, Time now);
  Hearing begin(const Protocol& protocol, Key key, const Message& message, Time now);

  AgentId self_;
  MessageIds ids_;
  Calendar calendar_;
  Limits limits_;
  std::map<Key, Session*> by_key_;
  std::unordered_map<const Session*, std::unique_ptr<Held>> sessions_;
  std::uint64_t unnamed_ = 0;
};

}  // namespace coracle::acl

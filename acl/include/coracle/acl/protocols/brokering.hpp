// The messages of brokers and recruiters: an agent asks them to pass a message on to agents that
// they choose. A broker passes the answers back; with a recruiter, the answers go to the agent that
// has asked. Tests: acl/tests/protocols/brokering_test.cpp.
#pragma once

#include "coracle/acl/protocols/session.hpp"
#include "coracle/acl/sl/term.hpp"
#include "coracle/result.hpp"

#include <string>
#include <string_view>

namespace coracle::acl {

// The content of a proxy message.
struct Proxy {
  // The agents that are meant: (all ?x (…)) for all that a broker finds, (any ?x (…)) for one.
  sl::Term targets;
  // The message that is passed on. Answers to it have its reply-with as their in-reply-to.
  Message message;
  // The condition under which it is passed on.
  sl::Term condition = true;

  bool operator==(const Proxy&) const = default;
};

// ((all ?x (…)) (action BROKER (REQUEST …)) condition). It needs the language fipa-sl2 or fipa-sl.
// Reading fails with Errc::bad_encoding.
std::string proxy_content(const AgentId& broker, const Proxy& proxy);
Result<Proxy> read_proxy(std::string_view content);

// The protocol of the message that a proxy contains; nullptr if a broker cannot pass it on, because
// its protocol needs further messages of the initiator: contract nets, auctions, proxies.
const Protocol* brokered_protocol(const Message& message) noexcept;

// The answer of a target, as a broker passes it back to the client, who has opened `client`.
Message passed_back(const Message& answer, const Session& client, const Proxy& proxy);
// The message that a recruiter sends to its targets, without receivers: they answer the client, or
// the agents that the message in the proxy names in reply-to.
Message recruiting(const Proxy& proxy, const Session& client);

}  // namespace coracle::acl

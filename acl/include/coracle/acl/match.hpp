// The messages of FIPA that a receive wants. They are combined with `&&`, `||` and `!`:
//
//   auto answer = co_await receive(acl::replying_to("r1") &&
//                                  !acl::of_performative(acl::Performative::agree));
//
// Only messages of FIPA fit; but `!m` also fits all other content. Names that people choose fit in
// any case of their ASCII letters, because platforms differ in it: agents, languages, encodings,
// ontologies, protocols, and the keys of user parameters. Contents, values and identifiers fit only
// if they are equal: a partner returns an identifier as it came, and two that differ in case are
// two. An empty text fits messages without the parameter. Tests: acl/tests/match_test.cpp.
#pragma once

#include "coracle/acl/message.hpp"
#include "coracle/match.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace coracle::acl {

// All messages of FIPA.
Match any_message();
// Messages with that performative.
Match of_performative(Performative performative);
// Messages of that protocol: "fipa-request".
Match of_protocol(std::string protocol);
// Messages whose conversation_id is that.
Match of_conversation(std::string conversation_id);
// Messages about that ontology.
Match of_ontology(std::string ontology);
// Messages whose content is in that language: "fipa-sl0".
Match of_language(std::string language);
// Messages whose content has that encoding.
Match of_encoding(std::string encoding);
// Messages whose in_reply_to is that: the answers to the message with that reply_with.
Match replying_to(std::string reply_with);
// Messages whose reply_with is that.
Match with_reply_with(std::string reply_with);
// Messages with that time for the answer, field by field.
Match with_reply_by(DateTime reply_by);
// Messages whose content is that.
Match with_content(Body content);
// Messages with that user parameter, and that value.
Match with_parameter(std::string name, std::string value);

// Messages whose parameter `sender` is the agent of that name. Any agent can write any sender
// there; coracle::from() fits the agent that really sent a message.
Match from_agent(std::string name);
// Messages that have the agent of that name among their receivers, perhaps with others.
Match to_agent(std::string name);
// Messages whose answers go to the agent of that name, perhaps with others.
Match answered_to(std::string name);

// Messages that have all parameters of `example` that are not empty there, with these values. The
// performative is not compared. Agents are compared by their names; each agent in a list of
// `example` must be in the list of the message.
Match like(Message example);

namespace detail {

// A test of messages of FIPA; any other message fails it.
class MessageTest : public Match::Test {
 public:
  bool fits(const MessageView& message) const final;
  // Returns whether `message` fits.
  virtual bool fits(const Message& message) const = 0;
};

}  // namespace detail

// Messages of FIPA for which `predicate(const acl::Message&)` returns true.
template <class Predicate>
Match where(Predicate predicate) {
  struct Wrapped final : detail::MessageTest {
    explicit Wrapped(Predicate p) : predicate_(std::move(p)) {}
    bool fits(const Message& message) const override { return predicate_(message); }
    Predicate predicate_;
  };
  return matching(std::make_shared<Wrapped>(std::move(predicate)));
}

}  // namespace coracle::acl

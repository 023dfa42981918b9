// The contents of messages about actions, as FIPA's interaction protocols exchange them: a request
// ((action A (sell B))), its answers ((done …)), ((result … …)) or ((action …) reason), a
// subscription ((iota ?x (result … ?x))) and its notifications ((= (iota …) …)). An answer repeats
// the text of the request as it came. Tests: acl/tests/ontology/contents_test.cpp.
#pragma once

#include "coracle/acl/message.hpp"
#include "coracle/acl/ontology/frame.hpp"
#include "coracle/acl/ontology/management_error.hpp"
#include "coracle/acl/sl/text.hpp"
#include "coracle/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace coracle::acl {

// An action that somebody asks for, in a request or in a subscription to its results.
struct AskedAction {
  // The agent that is to act.
  AgentId actor;
  // The act: (register …), for from_term<management::Action>().
  sl::Term act;
  // The text that answers repeat: (action A …), or (iota ?x …) of a subscription.
  std::string text;
};

// Each function that reads fails with Errc::bad_encoding for a text that is not such a content.

// The content that is one value alone, such as a predicate, or the goods of a call for proposals.
template <class T>
std::string content_of(const T& value) {
  return to_text(std::vector<sl::Term>{to_term(value)});
}
template <class T>
Result<T> value_of(std::string_view content, const sl::Limits& limits = {});

// The request, and how it is read.
std::string request_content(const AgentId& actor, const sl::Term& act);
Result<AskedAction> read_request(std::string_view content, const sl::Limits& limits = {});

// The answer that the action is done. `action` is AskedAction::text, or the text of an action that
// was changed: with a shorter lease. Reading gives the action.
std::string done_content(std::string_view action);
Result<sl::Term> read_done(std::string_view content, const sl::Limits& limits = {});

// The answer with a result, mostly a sequence. Reading gives the result.
std::string result_content(std::string_view action, const sl::Term& result);
Result<sl::Term> read_result(std::string_view content, const sl::Limits& limits = {});

// The answer with the reason why the action is not done. Reading gives the reason of every content:
// that of JADE's irregular ones, too; a content that is not understood is the argument of an
// internal-error.
std::string reason_content(std::string_view action, const management::Reason& reason);
management::Reason read_reason(std::string_view content, const sl::Limits& limits = {});

// The subscription to the results of an action, and what is notified: the results. It needs the
// language fipa-sl or fipa-sl2.
std::string subscription_content(const AgentId& actor, const sl::Term& act);
Result<AskedAction> read_subscription(std::string_view content, const sl::Limits& limits = {});
std::string notification_content(std::string_view subscription, const sl::Term& results);
Result<sl::Term> read_notification(std::string_view content, const sl::Limits& limits = {});

// A message within a content, such as the subscription that is cancelled or the message that a
// broker passes on: (SUBSCRIBE :sender A :receivers (sequence B) :content "…").
template <>
struct TermOf<Message> {
  static sl::Term write(const Message& value);
  static bool read(const sl::Term& term, Message& value, TermReader& reader);
};

// The content of a CANCEL for JADE's directory facilitator, which wants the message that is
// cancelled: ((action A (SUBSCRIBE …))).
std::string cancel_content(const AgentId& actor, const Message& message);
Result<Message> read_cancel(std::string_view content, const sl::Limits& limits = {});

// The only expression of a content.
Result<sl::Term> read_only_term(std::string_view content, const sl::Limits& limits);

template <class T>
Result<T> value_of(std::string_view content, const sl::Limits& limits) {
  const Result<sl::Term> term = read_only_term(content, limits);
  if (!term) return term.error();
  T value{};
  if (const auto mismatch = from_term(term.value(), value)) return unreadable(*mismatch);
  return value;
}

}  // namespace coracle::acl

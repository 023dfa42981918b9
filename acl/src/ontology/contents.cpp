#include "coracle/acl/ontology/contents.hpp"

#include "ascii.hpp"

#include "coracle/errors.hpp"

#include <utility>

namespace coracle::acl {

namespace {

using sl::Compound;
using sl::Term;

Error no_such(std::string_view what) {
  return Error(Errc::bad_encoding, "a content of SL cannot be read: it is no " + std::string(what) +
                                       "; its sender has to correct it");
}

Error unreadable(const sl::Fault& fault) {
  return Error(Errc::bad_encoding, "a content of SL cannot be read: at byte " +
                                       std::to_string(fault.offset) + ", " + fault.reason +
                                       "; its sender has to correct it");
}

// The arguments of the only expression of a content, which is a compound with that symbol and so
// many arguments; nullptr if it is another one.
const std::vector<sl::Argument>* only(const sl::Reading& reading, std::string_view symbol,
                                      std::size_t count) noexcept {
  if (reading.expressions.size() != 1) return nullptr;
  const Compound* found = reading.expressions[0].as_compound(symbol);
  return found != nullptr && found->arguments.size() == count ? &found->arguments : nullptr;
}

// The last argument of such an expression.
Result<Term> last_of_only(std::string_view content, const sl::Limits& limits,
                          std::string_view symbol, std::size_t count, std::string_view what) {
  sl::Reading reading = sl::read_content(content, limits);
  if (reading.fault) return unreadable(*reading.fault);
  const auto* arguments = only(reading, symbol, count);
  if (arguments == nullptr) return no_such(what);
  return arguments->back().value;
}

// The parts of (action A act).
std::optional<AskedAction> parts_of(const Term& action) {
  const Compound* found = action.as_compound("action");
  if (found == nullptr) return std::nullopt;
  AskedAction asked;
  if (from_term(found->arguments[0].value, asked.actor)) return std::nullopt;
  asked.act = found->arguments[1].value;
  return asked;
}

std::string join(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view each : parts) text += each;
  return text;
}

// The slots of a message within a content.
struct Embedded {
  static constexpr auto frame =
      acl::by_name("message", "sender", "receivers", "reply-to", "protocol", "language", "ontology",
                   "in-reply-to", "reply-with", "conversation-id", "reply-by", "encoding",
                   "content", "bs-content");

  std::optional<AgentId> sender;
  std::vector<AgentId> receivers;
  std::vector<AgentId> reply_to;
  std::optional<std::string> protocol;
  std::optional<std::string> language;
  std::optional<std::string> ontology;
  std::optional<std::string> in_reply_to;
  std::optional<std::string> reply_with;
  std::optional<std::string> conversation_id;
  std::optional<DateTime> reply_by;
  std::optional<std::string> encoding;
  std::optional<std::string> content;
  std::optional<Bytes> bytes;
};

std::optional<std::string> unless_empty(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return text;
}

Term with_symbol(std::string symbol, const Term& frame) {
  return sl::frame(std::move(symbol), frame.as<Compound>()->arguments);
}

}  // namespace

Result<Term> read_only_term(std::string_view content, const sl::Limits& limits) {
  sl::Reading reading = sl::read_content(content, limits);
  if (reading.fault) return unreadable(*reading.fault);
  if (reading.expressions.size() != 1) return no_such("single expression");
  return std::move(reading.expressions[0]);
}

std::string request_content(const AgentId& actor, const Term& act) {
  return join({"(", to_text(sl::action(to_term(actor), act)), ")"});
}

Result<AskedAction> read_request(std::string_view content, const sl::Limits& limits) {
  const sl::Reading reading = sl::read_content(content, limits);
  if (reading.fault) return unreadable(*reading.fault);
  if (only(reading, "action", 2) == nullptr) return no_such("action of an agent");
  std::optional<AskedAction> asked = parts_of(reading.expressions[0]);
  if (!asked) return no_such("action of an agent with an identifier");
  asked->text = reading.spans[0].of(content);
  return *std::move(asked);
}

std::string done_content(std::string_view action) { return join({"((done ", action, "))"}); }

Result<Term> read_done(std::string_view content, const sl::Limits& limits) {
  return last_of_only(content, limits, "done", 1, "'done' with an action");
}

std::string result_content(std::string_view action, const Term& result) {
  return join({"((result ", action, " ", to_text(result), "))"});
}

Result<Term> read_result(std::string_view content, const sl::Limits& limits) {
  return last_of_only(content, limits, "result", 2, "'result' with an action and a term");
}

std::string reason_content(std::string_view action, const management::Reason& reason) {
  return join({"(", action, " ", to_text(to_term(reason)), ")"});
}

management::Reason read_reason(std::string_view content, const sl::Limits& limits) {
  const sl::Reading reading = sl::read_content(content, limits);
  const auto& found = reading.expressions;
  if (found.empty()) return management::reason(management::internal_error, content);
  // The reason stands behind the action, or alone; or it stands there without its parentheses.
  const bool is_bare = found.front().kind() == Term::Kind::text && found.size() > 1;
  if (is_bare) {
    management::Reason bare{*found.front().as<std::string>(), {}};
    for (std::size_t i = 1; i < found.size(); ++i) {
      const auto* text = found[i].as<std::string>();
      bare.arguments.push_back(text != nullptr ? *text : to_text(found[i]));
    }
    return bare;
  }
  management::Reason reason;
  const bool is_action = found.back().as_compound("action") != nullptr;
  if (is_action || from_term(found.back(), reason)) {
    return management::reason(management::internal_error, content);
  }
  return reason;
}

std::string subscription_content(const AgentId& actor, const Term& act) {
  return join({"((iota ?x (result ", to_text(sl::action(to_term(actor), act)), " ?x)))"});
}

Result<AskedAction> read_subscription(std::string_view content, const sl::Limits& limits) {
  const sl::Reading reading = sl::read_content(content, limits);
  if (reading.fault) return unreadable(*reading.fault);
  const auto* parts = only(reading, "iota", 2);
  const Compound* result = parts == nullptr ? nullptr : (*parts)[1].value.as_compound("result");
  const bool is_one = result != nullptr && result->arguments.size() == 2 &&
                      result->arguments[1].value == parts->front().value &&
                      parts->front().value.kind() == Term::Kind::variable;
  std::optional<AskedAction> asked;
  if (is_one) asked = parts_of(result->arguments[0].value);
  if (!asked) return no_such("subscription to the result of an action");
  asked->text = reading.spans[0].of(content);
  return *std::move(asked);
}

std::string notification_content(std::string_view subscription, const Term& results) {
  return join({"((= ", subscription, " ", to_text(results), "))"});
}

Result<Term> read_notification(std::string_view content, const sl::Limits& limits) {
  return last_of_only(content, limits, "=", 2, "notification with '='");
}

Term TermOf<Message>::write(const Message& value) {
  Embedded slots;
  if (!value.sender.name.empty()) slots.sender = value.sender;
  slots.receivers = value.receivers;
  slots.reply_to = value.reply_to;
  slots.protocol = unless_empty(value.protocol);
  slots.language = unless_empty(value.language);
  slots.ontology = unless_empty(value.ontology);
  slots.in_reply_to = unless_empty(value.in_reply_to);
  slots.reply_with = unless_empty(value.reply_with);
  slots.conversation_id = unless_empty(value.conversation_id);
  slots.reply_by = value.reply_by;
  slots.encoding = unless_empty(value.encoding);
  if (const auto* bytes = std::get_if<Bytes>(&value.content)) slots.bytes = *bytes;
  else slots.content = unless_empty(std::get<std::string>(value.content));
  std::string symbol(to_text(value.performative));
  for (char& each : symbol) each = to_upper(each);
  return with_symbol(std::move(symbol), to_term(slots));
}

bool TermOf<Message>::read(const Term& term, Message& value, TermReader& reader) {
  const auto* compound = term.as<Compound>();
  const auto performative = compound == nullptr ? std::nullopt : performative_of(compound->symbol);
  const bool has_slots =
      compound != nullptr && (compound->arguments.empty() || !compound->arguments[0].slot.empty());
  if (!performative || !has_slots) {
    return reader.refuse(Mismatch::Kind::wrong_frame, "is no message with a performative");
  }
  Embedded slots;
  if (!TermOf<Embedded>::read(with_symbol("message", term), slots, reader)) return false;
  value = {};
  value.performative = *performative;
  value.sender = std::move(slots.sender).value_or(AgentId());
  value.receivers = std::move(slots.receivers);
  value.reply_to = std::move(slots.reply_to);
  value.protocol = std::move(slots.protocol).value_or("");
  value.language = std::move(slots.language).value_or("");
  value.ontology = std::move(slots.ontology).value_or("");
  value.in_reply_to = std::move(slots.in_reply_to).value_or("");
  value.reply_with = std::move(slots.reply_with).value_or("");
  value.conversation_id = std::move(slots.conversation_id).value_or("");
  value.reply_by = slots.reply_by;
  value.encoding = std::move(slots.encoding).value_or("");
  if (slots.bytes) value.content = *std::move(slots.bytes);
  else value.content = std::move(slots.content).value_or("");
  return true;
}

std::string cancel_content(const AgentId& actor, const Message& message) {
  return request_content(actor, to_term(message));
}

Result<Message> read_cancel(std::string_view content, const sl::Limits& limits) {
  Result<AskedAction> asked = read_request(content, limits);
  if (!asked) return asked.error();
  Message message;
  if (from_term(asked->act, message)) return no_such("message in an action");
  return message;
}

}  // namespace coracle::acl

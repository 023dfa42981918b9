#include "acl_json.hpp"

#include "coracle/acl/base64.hpp"
#include "coracle/errors.hpp"
#include "coracle/support/quote.hpp"

#include <boost/json.hpp>

#include <utility>

namespace coracle::command {

namespace {

namespace json = boost::json;
using acl::AgentId;

// The parameters that are texts, in the order in which they are printed.
constexpr std::pair<std::string_view, std::string acl::Message::*> texts[] = {
    {"language", &acl::Message::language},
    {"encoding", &acl::Message::encoding},
    {"ontology", &acl::Message::ontology},
    {"protocol", &acl::Message::protocol},
    {"conversation-id", &acl::Message::conversation_id},
    {"reply-with", &acl::Message::reply_with},
    {"in-reply-to", &acl::Message::in_reply_to}};

json::array json_of(const acl::Parameters& parameters) {
  json::array list;
  for (const auto& [name, value] : parameters) {
    list.push_back(json::object{{"name", name}, {"value", value}});
  }
  return list;
}

json::array json_of(const std::vector<AgentId>& agents);

json::object json_of(const AgentId& agent) {
  json::object object{{"name", agent.name}};
  if (!agent.addresses.empty()) object["addresses"] = json::value_from(agent.addresses);
  if (!agent.resolvers.empty()) object["resolvers"] = json_of(agent.resolvers);
  if (!agent.user.empty()) object["user"] = json_of(agent.user);
  return object;
}

json::array json_of(const std::vector<AgentId>& agents) {
  json::array list;
  for (const AgentId& each : agents) list.push_back(json_of(each));
  return list;
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const detail::Utf8Character character = detail::utf8_at(text, at);
    if (character.bytes == 0) return false;
    at += character.bytes;
  }
  return true;
}

void add_content(json::object& object, const acl::Message& message) {
  if (!has_content(message)) return;
  if (std::holds_alternative<std::string>(message.content) && is_utf8(text_of(message))) {
    object["content"] = text_of(message);
  } else {
    std::string base64;
    acl::append_base64(base64, bytes_of(message));
    object["content-base64"] = base64;
  }
}

// A value within the JSON, with its place for sentences: "receivers"[0]."name".
class Item {
 public:
  Item(const json::value& value, std::string place) : value_(value), place_(std::move(place)) {}

  std::string text() const {
    if (!value_.is_string()) fail("is not a text");
    return std::string(value_.get_string());
  }

  // Calls `read(item)` for each element of the list.
  template <class Read>
  void for_each(Read read) const {
    if (!value_.is_array()) fail("is not a list");
    std::size_t index = 0;
    for (const json::value& each : value_.get_array()) {
      read(Item(each, place_ + '[' + std::to_string(index++) + ']'));
    }
  }

  // Calls `read(key, item)` for each member, which returns whether it knows the key.
  template <class Read>
  void for_members(Read read) const {
    if (!value_.is_object()) fail("is not an object");
    for (const auto& [key, each] : value_.get_object()) {
      const std::string_view name(key);
      const std::string place = (place_.empty() ? "" : place_ + '.') + detail::quoted(name);
      const Item item(each, place);
      if (!read(name, item)) item.fail("is not known; leave it out");
    }
  }

  [[noreturn]] void fail(const std::string& reason) const {
    throw Error(Errc::bad_options, "in the JSON of the message, " +
                                       (place_.empty() ? "the whole value" : place_) + ' ' +
                                       reason);
  }

 private:
  const json::value& value_;
  std::string place_;
};

void read(const Item& item, std::string& text) { text = item.text(); }

void read(const Item& item, acl::Parameters& parameters) {
  item.for_each([&](const Item& each) {
    std::pair<std::string, std::string>& parameter = parameters.emplace_back();
    each.for_members([&](std::string_view key, const Item& member) {
      if (key == "name") return read(member, parameter.first), true;
      if (key == "value") return read(member, parameter.second), true;
      return false;
    });
  });
}

void read(const Item& item, std::vector<AgentId>& agents);

void read(const Item& item, AgentId& agent) {
  item.for_members([&](std::string_view key, const Item& member) {
    if (key == "name") return read(member, agent.name), true;
    if (key == "resolvers") return read(member, agent.resolvers), true;
    if (key == "user") return read(member, agent.user), true;
    if (key != "addresses") return false;
    member.for_each([&](const Item& each) { agent.addresses.push_back(each.text()); });
    return true;
  });
}

void read(const Item& item, std::vector<AgentId>& agents) {
  item.for_each([&](const Item& each) { read(each, agents.emplace_back()); });
}

void read(const Item& item, acl::Performative& performative) {
  const auto named = acl::performative_of(item.text());
  if (!named) item.fail("is not the name of a performative, as in \"inform\"");
  performative = *named;
}

void read(const Item& item, std::optional<acl::DateTime>& date) {
  date = acl::date_time_from(item.text());
  if (!date) item.fail("is not a date, as in \"20231114T221320123Z\"");
}

void read_bytes(const Item& item, acl::Body& content) {
  auto bytes = acl::from_base64(item.text());
  if (!bytes) item.fail("is not Base64");
  content = std::move(*bytes);
}

bool read_parameter(std::string_view key, const Item& item, acl::Message& message) {
  if (key == "performative") return read(item, message.performative), true;
  if (key == "sender") return read(item, message.sender), true;
  if (key == "receivers") return read(item, message.receivers), true;
  if (key == "reply-to") return read(item, message.reply_to), true;
  if (key == "content") return message.content = item.text(), true;
  if (key == "content-base64") return read_bytes(item, message.content), true;
  if (key == "reply-by") return read(item, message.reply_by), true;
  if (key == "user") return read(item, message.user), true;
  for (const auto& [name, parameter] : texts) {
    if (key == name) return read(item, message.*parameter), true;
  }
  return false;
}

}  // namespace

std::string json_of(const acl::Message& message) {
  json::object object{{"performative", to_text(message.performative)}};
  if (message.sender != AgentId()) object["sender"] = json_of(message.sender);
  if (!message.receivers.empty()) object["receivers"] = json_of(message.receivers);
  if (!message.reply_to.empty()) object["reply-to"] = json_of(message.reply_to);
  add_content(object, message);
  for (const auto& [name, parameter] : texts) {
    if (!(message.*parameter).empty()) object[name] = message.*parameter;
  }
  if (message.reply_by) object["reply-by"] = to_text(*message.reply_by);
  if (!message.user.empty()) object["user"] = json_of(message.user);
  return detail::shown_json(json::serialize(object));
}

acl::Message message_from_json(std::string_view text) {
  json::error_code error;
  json::stream_parser parser;
  const std::size_t read = parser.write_some(text.data(), text.size(), error);
  if (!error && !parser.done()) parser.finish(error);
  const bool is_more = !error && text.find_first_not_of(" \t\r\n", read) != text.npos;
  if (error || is_more) {
    throw Error(Errc::bad_options, "the message is not valid JSON from character " +
                                       std::to_string(read + 1) +
                                       " on; write an object as `coracle acl decode` prints it");
  }
  const json::value value = parser.release();
  const Item whole(value, "");
  acl::Message message;
  bool has_performative = false;
  whole.for_members([&](std::string_view key, const Item& item) {
    has_performative = has_performative || key == "performative";
    return read_parameter(key, item, message);
  });
  if (!has_performative) whole.fail("has no \"performative\"");
  return message;
}

}  // namespace coracle::command

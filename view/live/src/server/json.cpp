#include "server/json.hpp"

#include "coracle/support/content_text.hpp"
#include "coracle/support/quote.hpp"

#include "coracle/codec.hpp"
#include "coracle/traceparent.hpp"

#include <boost/json/src.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>
#include <utility>

namespace coracle::view {

using formats::Kind;
using formats::never;

std::string utf8(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = detail::utf8_at(text, at).bytes;
    if (bytes == 0) clean += "\xef\xbf\xbd", ++at;
    else clean += text.substr(at, bytes), at += bytes;
  }
  return clean;
}

Seen seen_of(const formats::StoryMessage& message, std::size_t content_limit) {
  Seen seen;
  seen.n = message.id, seen.answers = message.answers, seen.at = message.sent;
  seen.kept = message.kept, seen.taken = message.taken, seen.ended = message.ended;
  seen.outcome = message.outcome, seen.reason = message.reason;
  seen.from = message.source, seen.to = message.target, seen.group = message.group;
  seen.life = message.life, seen.conversation = message.conversation;
  seen.node = message.source_node, seen.kind = message.kind;
  seen.again = message.redelivered, seen.earlier = message.earlier;
  seen.is_encoded = message.is_encoded, seen.size = message.content.size();
  seen.type = message.type, seen.trace = message.trace;
  const std::size_t kept = std::min(message.content.size(), content_limit);
  seen.content = message.content.substr(0, kept);
  seen.is_cut = kept < message.content.size();
  return seen;
}

namespace {

// Adds a member unless it is empty, zero or false.
template <class T>
void add(json::object& object, std::string_view key, const T& value) {
  if (value != T()) object[key] = value;
}

void add(json::object& object, std::string_view key, const Name& name) {
  if (!name.empty()) object[key] = name.view();
}

// The lease of a node has 64 bits; a number of JavaScript keeps 53 of them.
void add_lease(json::object& object, std::string_view key, std::uint64_t lease) {
  if (lease != 0) object[key] = std::to_string(lease);
}

void add_time(json::object& object, std::string_view key, const Times& times, Time at) {
  if (at != never) object[key] = times.seconds(at);
}

void add_stages(json::object& object, const Seen& message, const Times& times) {
  add_time(object, "kept", times, message.kept);
  add_time(object, "taken", times, message.taken);
  add_time(object, "ended", times, message.ended);
  if (message.outcome) object["outcome"] = to_string(*message.outcome);
  if (message.reason) object["reason"] = to_string(*message.reason);
}

json::value finite(double number) {
  if (!std::isfinite(number)) return nullptr;
  return number;
}

}  // namespace

json::object stages_of(const Seen& message, const Times& times) {
  json::object object{{"n", message.n}};
  add_stages(object, message, times);
  return object;
}

json::object json_of(const Seen& message, const Times& times) {
  json::object object{{"n", message.n}, {"at", times.seconds(message.at)}};
  add(object, "from", message.from);
  add(object, "life", std::uint64_t{message.life.counter});
  add(object, "to", message.to);
  add(object, "group", message.group);
  if (message.conversation != 0) object["conv"] = std::to_string(message.conversation);
  if (message.kind != Kind::plain) object["kind"] = to_string(message.kind);
  add(object, "answers", message.answers);
  add(object, "type", utf8(message.type));
  add(object, "size", message.size);
  add(object, "text", utf8(preview(message)));
  add_lease(object, "node", message.node);
  add(object, "again", message.again);
  add(object, "earlier", message.earlier);
  add_stages(object, message, times);
  return object;
}

json::object json_of(const Batch& batch, const Times& times, Time now) {
  json::object object{{"is", "batch"}, {"now", times.seconds(now)}};
  json::array messages, stages, gaps, pairs;
  for (const Seen* each : batch.messages) messages.push_back(json_of(*each, times));
  for (const Seen* each : batch.changed) stages.push_back(stages_of(*each, times));
  for (const Gap* each : batch.gaps) {
    json::object gap{{"at", times.seconds(each->at)}, {"why", each->why}};
    if (each->missed == MessageView::unknown_gap) gap["missed"] = -1;
    else gap["missed"] = each->missed;
    add(gap, "node", each->node);
    gaps.push_back(std::move(gap));
  }
  for (const Batch::Pair& each : batch.pairs)
    pairs.push_back(json::array{each.from.view(), each.to.view(), each.count, each.bytes});
  if (!messages.empty()) object["messages"] = std::move(messages);
  if (!stages.empty()) object["stages"] = std::move(stages);
  if (!gaps.empty()) object["gaps"] = std::move(gaps);
  add(object, "folded", batch.folded);
  if (!pairs.empty()) object["pairs"] = std::move(pairs);
  return object;
}

namespace {

json::value json_of(const Value& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return *truth;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
  if (const auto* number = std::get_if<double>(&value)) return finite(*number);
  return json::value(utf8(std::get<std::string>(value).substr(0, 1000)));
}

json::array strings(const std::vector<std::string>& texts) {
  json::array array;
  for (const std::string& each : texts) array.emplace_back(utf8(each));
  return array;
}

}  // namespace

json::object json_of(const AgentRow& row, const Times& times) {
  json::object object{{"name", row.name.view()}};
  add_lease(object, "node", row.node);
  if (!row.roles.empty()) object["roles"] = strings(row.roles);
  if (!row.groups.empty()) object["groups"] = strings(row.groups);
  json::object props;
  for (const auto& [key, value] : row.properties.all()) {
    if (props.size() == 50) break;
    props[utf8(key)] = json_of(value);
  }
  if (!props.empty()) object["props"] = std::move(props);
  add(object, "sent", row.sent);
  add(object, "received", row.received);
  add(object, "errors", row.errors);
  add(object, "queue", row.queue);
  add(object, "room", row.room);
  if (row.cpu) object["cpu"] = *row.cpu;
  if (!row.waits_for.empty()) {
    json::array names;
    for (const Name& each : row.waits_for) names.emplace_back(each.view());
    object["waits"] = json::object{{"for", std::move(names)},
                                   {"since", times.seconds(row.waits_since)},
                                   {"what", row.waits_what}};
  }
  if (row.rate != 0) object["rate"] = std::round(row.rate * 10) / 10;
  object["since"] = times.seconds(row.since);
  return object;
}

json::object json_of(const NodeRow& row) {
  json::object object{{"lease", std::to_string(row.lease)}};
  add(object, "node", utf8(row.node));
  add(object, "host", utf8(row.host));
  add(object, "certified", utf8(row.certified));
  object["age"] = finite(row.age);
  add(object, "names", row.names);
  add(object, "waiting", row.waiting);
  return object;
}

json::array json_of(const std::vector<Metric>& metrics) {
  json::array array;
  for (const Metric& each : metrics) {
    json::object metric{{"name", each.name}, {"unit", each.unit}, {"help", each.help}};
    add(metric, "of", each.of);
    array.push_back(std::move(metric));
  }
  return array;
}

json::object json_of(const Point& point, const std::vector<Metric>& metrics, const Times& times) {
  json::array values;
  for (const Measured& each : point.values)
    values.push_back(json::array{metrics[each.metric].name, utf8(each.label), finite(each.value)});
  return {{"is", "series"}, {"at", times.seconds(point.at)}, {"values", std::move(values)}};
}

namespace {

// A value of CBOR as JSON. Numbers that JSON cannot have, and bytes, become texts.
json::value value_in(Decoder& in) {
  switch (in.peek()) {
    case Shape::boolean:
      return in.boolean();
    case Shape::integer:
      return in.integer();
    case Shape::floating: {
      return finite(in.floating());
    }
    case Shape::text:
      return json::value(utf8(in.text()));
    case Shape::bytes:
      return json::value("h'" + detail::hex_text(in.bytes()) + "'");
    case Shape::array: {
      json::array array;
      in.begin_array();
      while (in.peek() != Shape::end) array.push_back(value_in(in));
      in.end_array();
      return array;
    }
    case Shape::map: {
      json::array pairs;
      in.begin_map();
      while (in.peek() != Shape::end) {
        json::value key = value_in(in);
        pairs.push_back(json::array{std::move(key), value_in(in)});
      }
      in.end_map();
      return json::object{{"map", std::move(pairs)}};
    }
    case Shape::null:
    case Shape::end:
      break;
  }
  in.null();
  return nullptr;
}

std::optional<json::value> cbor_in(const std::string& bytes) {
  try {
    const auto decoder = cbor_decoder(std::as_bytes(std::span(bytes)));
    json::value value = value_in(*decoder);
    decoder->finish();
    return value;
  } catch (const Error&) {
    return std::nullopt;  // it is shown in another form
  }
}

}  // namespace

json::object tree_of(const Seen& message) {
  using Form = detail::DecodedContent::Form;
  json::object tree;
  if (!message.is_encoded) {
    tree = {{"kind", "bytes"}, {"hex", ""}, {"why", "the content could not be encoded"}};
    return tree;
  }
  const auto [form, text] =
      detail::decoded_content(message.type, std::as_bytes(std::span(message.content)));
  if (form == Form::text) {
    const bool is_acl = message.type.find("acl") != message.type.npos;
    tree = {{"kind", is_acl ? "acl" : "text"}, {"text", utf8(text)}};
  } else if (form == Form::meaning) {
    tree = {{"kind", "cbor"}, {"diagnostic", utf8(text)}};
    if (auto value = cbor_in(message.content)) tree["value"] = *std::move(value);
  } else {
    tree = {{"kind", "bytes"}, {"hex", text}};
  }
  if (message.is_cut) tree["cut"] = true;
  return tree;
}

json::object whole_message(const Seen& message, const Times& times) {
  json::array stages;
  const auto stage = [&](Time at, std::string_view what) {
    if (at != never) stages.push_back(json::object{{"at", times.seconds(at)}, {"what", what}});
  };
  stage(message.at, "sent");
  stage(message.kept, "kept");
  stage(message.taken, "taken");
  stage(message.ended, message.outcome ? to_string(*message.outcome) : "ended");
  json::object whole{{"message", json_of(message, times)}, {"stages", std::move(stages)}};
  add_lease(whole, "custody", message.node);
  json::array headers;
  for (const auto& [name, value] : message.headers)
    headers.push_back(json::array{utf8(name), utf8(value)});
  if (!headers.empty()) whole["headers"] = std::move(headers);
  if (message.trace != TraceContext()) whole["trace"] = to_traceparent(message.trace);
  whole["tree"] = tree_of(message);
  return whole;
}

Error bad_request(const std::string& sentence) { return Error(Errc::bad_options, sentence); }

std::string text_in(const json::object& request, std::string_view key) {
  const json::value* const value = request.if_contains(key);
  if (value == nullptr || !value->is_string())
    throw bad_request("the request needs the member '" + std::string(key) + "', which is a text");
  return std::string(value->get_string());
}

namespace {

std::vector<std::string> patterns_in(const json::object& request, std::string_view key) {
  std::vector<std::string> patterns;
  const json::value* const value = request.if_contains(key);
  if (value == nullptr || value->is_null()) return patterns;
  if (!value->is_array() || value->get_array().size() > Choice::most_patterns)
    throw bad_request("the member " + std::string(key) + " has to be an array of at most " +
                      std::to_string(Choice::most_patterns) + " patterns");
  for (const json::value& each : value->get_array()) {
    if (!each.is_string() || each.get_string().size() > Choice::longest_pattern)
      throw bad_request("a pattern in " + std::string(key) + " has to be a text of at most " +
                        std::to_string(Choice::longest_pattern) + " bytes");
    patterns.emplace_back(each.get_string());
  }
  return patterns;
}

// A conversation is a text: numbers of a page are exact up to 2^53 only.
Conversation conversation_in(const json::value& value) {
  if (!value.is_string()) return number_in(value);
  const std::string_view text = value.get_string();
  Conversation number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    throw bad_request("a conversation is a number");
  return number;
}

}  // namespace

std::uint64_t number_in(const json::value& value) noexcept {
  json::error_code error;
  const auto number = value.is_number() ? value.to_number<std::uint64_t>(error) : 0;
  return error ? 0 : number;
}

Choice choice_in(const json::object& request) {
  Choice choice;
  choice.names = patterns_in(request, "names");
  choice.types = patterns_in(request, "types");
  if (const json::value* const each = request.if_contains("conversation"); each != nullptr)
    choice.conversation = conversation_in(*each);
  if (const json::value* const text = request.if_contains("text");
      text != nullptr && text->is_string()) {
    if (text->get_string().size() > Choice::longest_text)
      throw bad_request("the text to look for is longer than " +
                        std::to_string(Choice::longest_text) + " bytes");
    choice.text = std::string(text->get_string());
  }
  if (const json::value* const rate = request.if_contains("rate");
      rate != nullptr && rate->is_number())
    choice.rate = std::clamp(rate->to_number<double>(), 0.0, 5000.0);
  return choice;
}

std::optional<json::object> object_in(std::string_view text) {
  json::error_code error;
  json::value value = json::parse(text, error);
  if (error || !value.is_object()) return std::nullopt;
  return std::move(value.get_object());
}

}  // namespace coracle::view

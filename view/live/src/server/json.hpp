// JSON of the feed. Boost.JSON is compiled into this library (json.cpp), so its users need no
// library of Boost.
#pragma once

#include "model/choice.hpp"
#include "model/people.hpp"
#include "model/series.hpp"

#include "coracle/errors.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace coracle::view {

namespace json = boost::json;

// The times of one view, as numbers.
struct Times {
  Time begin{};

  // Seconds since the beginning, rounded to microseconds.
  double seconds(Time at) const noexcept {
    const auto since = std::chrono::duration_cast<std::chrono::microseconds>(at - begin);
    return static_cast<double>(since.count()) / 1e6;
  }
};

// `text` with bytes that are not UTF-8 replaced; other characters stay as they are.
std::string utf8(std::string_view text);

// A message of a story, without its headers.
Seen seen_of(const formats::StoryMessage& message, std::size_t content_limit = 400);

// The objects of the feed (docs/manual/47-view.md).
json::object json_of(const Seen& message, const Times& times);
json::object stages_of(const Seen& message, const Times& times);
json::object json_of(const Batch& batch, const Times& times, Time now);
json::object json_of(const AgentRow& row, const Times& times);
json::object json_of(const NodeRow& row);
json::object whole_message(const Seen& message, const Times& times);
json::array json_of(const std::vector<Metric>& metrics);
json::object json_of(const Point& point, const std::vector<Metric>& metrics, const Times& times);

// The content of a message as a tree: {kind: "text", text}, {kind: "cbor", value, diagnostic},
// {kind: "acl", text} or {kind: "bytes", hex}; with `cut` if it is not the whole content.
json::object tree_of(const Seen& message);

// A whole number of a request; zero for anything else.
std::uint64_t number_in(const json::value& value) noexcept;
// The error of a request that makes no sense.
Error bad_request(const std::string& sentence);
// A text of a request. Fails with Errc::bad_options.
std::string text_in(const json::object& request, std::string_view key);
// The choice of a page. Fails with Errc::bad_options.
Choice choice_in(const json::object& request);

// Parses an object of at most 32 levels; nothing if it is none.
std::optional<json::object> object_in(std::string_view text);

}  // namespace coracle::view

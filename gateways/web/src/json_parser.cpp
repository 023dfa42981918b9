// The parser is that of Boost.JSON, which calls a handler for each value.
#include "coracle/web/json.hpp"

// This library has its own copy of Boost.JSON in a namespace of its own: a program may link others.
#define json coracle_web_json
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/src.hpp>
#undef json

#include <algorithm>
#include <set>

namespace coracle::web {

namespace {

namespace parts = boost::coracle_web_json;
using parts::error_code;
using Text = parts::string_view;

constexpr std::size_t deepest = 100;
// Objects with more members are searched by a set.
constexpr std::size_t few_members = 16;

// Builds the value. A handler that returns false ends the parser.
class Builder {
 public:
  static constexpr std::size_t max_array_size = -1, max_object_size = -1, max_string_size = -1,
                               max_key_size = -1;

  explicit Builder(std::size_t values) : left_(values) {}

  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }
  bool on_array_begin(error_code& error) { return begin(Json::Array(), error); }
  bool on_array_end(std::size_t, error_code&) { return end(); }
  bool on_object_begin(error_code& error) { return begin(Json::Object(), error); }
  bool on_object_end(std::size_t, error_code&) { return end(); }
  bool on_string_part(Text part, std::size_t, error_code&) { return text_ += part, true; }
  bool on_string(Text last, std::size_t, error_code& error) {
    text_ += last;
    return add(std::exchange(text_, {}), error);
  }
  bool on_key_part(Text part, std::size_t, error_code&) { return text_ += part, true; }
  bool on_key(Text last, std::size_t, error_code& error) {
    text_ += last;
    Open& open = open_.back();
    if (open.has(text_)) {
      twice_ = text_;
      return stop(error);
    }
    open.name = std::exchange(text_, {});
    return true;
  }
  bool on_number_part(Text, error_code&) { return true; }
  bool on_int64(std::int64_t number, Text, error_code& error) { return add(number, error); }
  bool on_uint64(std::uint64_t number, Text, error_code& error) { return add(number, error); }
  bool on_double(double number, Text, error_code& error) { return add(number, error); }
  bool on_bool(bool truth, error_code& error) { return add(truth, error); }
  bool on_null(error_code& error) { return add(Json(), error); }
  bool on_comment_part(Text, error_code&) { return true; }
  bool on_comment(Text, error_code&) { return true; }

  bool has_too_many() const noexcept { return has_too_many_; }
  const std::optional<std::string>& twice() const noexcept { return twice_; }
  Json take() { return std::move(whole_); }

 private:
  // An array or an object that has not ended.
  struct Open {
    std::variant<Json::Array, Json::Object> items;
    std::string name;                  // of the next member
    std::set<std::string> names = {};  // of an object with many members

    bool has(const std::string& next) {
      const auto& members = std::get<Json::Object>(items);
      if (members.size() < few_members)
        return std::any_of(members.begin(), members.end(),
                           [&](const Json::Member& each) { return each.name == next; });
      if (names.empty())
        for (const Json::Member& each : members) names.insert(each.name);
      return !names.insert(next).second;
    }
  };

  static bool stop(error_code& error) {
    error = make_error_code(boost::system::errc::value_too_large);
    return false;
  }
  bool count(error_code& error) {
    if (left_ == 0) {
      has_too_many_ = true;
      return stop(error);
    }
    --left_;
    return true;
  }
  template <class Items>
  bool begin(Items items, error_code& error) {
    if (!count(error)) return false;
    open_.push_back({std::move(items), {}});
    return true;
  }
  bool end() {
    Open done = std::move(open_.back());
    open_.pop_back();
    std::visit([&](auto& items) { put(Json(std::move(items))); }, done.items);
    return true;
  }
  template <class Value>
  bool add(Value value, error_code& error) {
    if (!count(error)) return false;
    put(Json(std::move(value)));
    return true;
  }
  void put(Json value) {
    if (open_.empty()) {
      whole_ = std::move(value);
      return;
    }
    Open& into = open_.back();
    if (auto* const items = std::get_if<Json::Array>(&into.items)) {
      items->push_back(std::move(value));
    } else {
      std::get<Json::Object>(into.items).push_back({std::move(into.name), std::move(value)});
    }
  }

  std::size_t left_;
  bool has_too_many_ = false;
  std::optional<std::string> twice_;
  std::string text_;
  std::vector<Open> open_;
  Json whole_;
};

Error too_large(const char* what, std::size_t limit) {
  return Error(Errc::too_large, std::string("the JSON has more than ") + std::to_string(limit) +
                                    what + "; send less at a time");
}

}  // namespace

Result<Json> parse_json(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.bytes) return too_large(" bytes", limits.bytes);
  parts::parse_options options;
  options.max_depth = std::min(limits.depth, deepest);
  parts::basic_parser<Builder> parser(options, limits.values);
  error_code error;
  const std::size_t read = parser.write_some(false, text.data(), text.size(), error);
  Builder& builder = parser.handler();
  if (builder.has_too_many()) return too_large(" values", limits.values);
  if (builder.twice())
    return Error(Errc::bad_encoding, "an object of the JSON has two members '" + *builder.twice() +
                                         "'; send one of them");
  if (error == parts::error::too_deep)
    return too_large(" arrays and objects within each other", options.max_depth);
  if (!error && read < text.size()) error = parts::error::extra_data;
  if (error)
    return Error(Errc::bad_encoding, "the text is no JSON from its byte " + std::to_string(read) +
                                         " on (" + error.message() + "); send one value");
  return builder.take();
}

}  // namespace coracle::web

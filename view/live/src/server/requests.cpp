#include "server/requests.hpp"

#include "coracle/support/encode_json.hpp"

#include "coracle/codec.hpp"
#include "coracle/coracle.hpp"
#include "coracle/errors.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace coracle::view {

namespace {

using namespace std::chrono_literals;

std::uint64_t number_in(const json::object& request, std::string_view key,
                        std::uint64_t otherwise) noexcept {
  const json::value* const value = request.if_contains(key);
  return value == nullptr ? otherwise : view::number_in(*value);
}

Content content_in(const json::object& request) {
  const json::value* const value = request.if_contains("json");
  if (value == nullptr) return Content(text_in(request, "text"));
  std::vector<std::byte> bytes;
  detail::encode_json(*cbor_encoder(bytes), *value);
  return Content::bytes(bytes, text_in(request, "type"));
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

Task<> Requests::obey(Agent& me, Browser& browser, std::string_view frame) {
  const std::optional<json::object> request = object_in(frame);
  const json::value* const what = request ? request->if_contains("do") : nullptr;
  if (what == nullptr || !what->is_string()) {
    browser.socket.close(http::CloseCode::protocol_error, "A frame of the page is no request.");
    co_return;
  }
  json::object reply{{"is", "reply"}, {"id", number_in(*request, "id", 0)}};
  try {
    Task<json::value> doing = done(me, browser, std::string_view(what->get_string()), *request);
    reply["ok"] = co_await doing;
  } catch (const Error& failure) {
    if (failure.errc() == Errc::stopped) throw;
    reply["error"] = utf8(failure.what());
  } catch (const std::exception& failure) {
    reply["error"] = utf8(failure.what());
  }
  browser.socket.send_text(json::serialize(reply));
}

Task<json::value> Requests::done(Agent& me, Browser& browser, std::string_view what,
                                 const json::object& request) {
  if (what == "select") co_return select(browser, request);
  if (what == "history") co_return history(request);
  if (what == "message") co_return message(request);
  if (is_one_of(what, {"play", "pause", "seek", "step"})) co_return play(what, request);
  if (what == "send") {
    Task<json::value> sending = send(me, browser, request);
    co_return co_await sending;
  }
  if (is_one_of(what,
                {"agent", "why", "end", "restart", "record", "hold", "release", "scramble"})) {
    Task<json::value> acting = act(me, browser, what, request);
    co_return co_await acting;
  }
  if (what == "replay") {
    Task<json::value> replaying = replays_.replay(me, request);
    co_return co_await replaying;
  }
  throw bad_request("this view has no request of that name; the page belongs to another version");
}

json::value Requests::select(Browser& browser, const json::object& request) {
  browser.choice = choice_in(request);
  return true;
}

json::value Requests::history(const json::object& request) const {
  constexpr std::uint64_t most = 1000, most_looked_at = 200'000;
  const Choice choice = choice_in(request);
  const auto& all = feed_.messages.all();
  const std::uint64_t count = std::clamp<std::uint64_t>(number_in(request, "count", 200), 1, most);
  std::size_t place = feed_.messages.place_of(number_in(request, "before", ~Number{0}));
  std::vector<const Seen*> found;
  for (std::uint64_t looked = 0; place > 0 && found.size() < count && looked < most_looked_at;
       ++looked) {
    const Seen& each = all[--place];
    if (choice.fits(each)) found.push_back(&each);
  }
  json::array messages;
  for (auto each = found.rbegin(); each != found.rend(); ++each)
    messages.push_back(json_of(**each, feed_.times));
  return json::object{{"messages", std::move(messages)}, {"more", place > 0}};
}

json::value Requests::message(const json::object& request) const {
  const Number n = number_in(request, "n", 0);
  const Seen* const found = feed_.messages.find(n);
  if (found == nullptr)
    throw Error(Errc::expired,
                "message " + std::to_string(n) + " is not kept any more; the view keeps the last " +
                    std::to_string(feed_.messages.limits().messages) + " messages at most");
  return whole_message(*found, feed_.times);
}

json::value Requests::play(std::string_view what, const json::object& request) {
  if (player_ == nullptr)
    throw Error(Errc::unsupported,
                "a living society cannot be played; open a recording with coracle view "
                "--recording FILE");
  const auto real = [&](std::string_view key) -> std::optional<double> {
    const json::value* const value = request.if_contains(key);
    if (value == nullptr || !value->is_number()) return std::nullopt;
    return value->to_number<double>();
  };
  if (what == "play") player_->play(real("speed").value_or(1));
  else if (what == "pause") player_->pause();
  else if (what == "step")
    player_->step(static_cast<std::int64_t>(std::clamp(real("by").value_or(1), -1e6, 1e6)));
  else if (const auto at = real("at")) player_->seek(*at);
  else if (const auto n = real("n")) {
    if (!player_->seek_message(static_cast<Number>(std::max(*n, 0.0))))
      throw bad_request("the recording has no message of that number");
  } else if (const auto error = real("error")) {
    if (!player_->seek_error(*error > 0))
      throw Error(Errc::bad_options, *error > 0 ? "there is no error behind this place"
                                                : "there is no error before this place");
  }
  feed_.send_to_all(player_->state());
  return true;
}

Task<json::value> Requests::send(Agent& me, Browser& browser, const json::object& request) {
  if (!feed_.rights.send.empty()) throw Error(Errc::not_permitted, feed_.rights.send);
  const std::string to = text_in(request, "to");
  Post post(Name(to), content_in(request));
  Task<Receipt> tracking = me.track(std::move(post));
  Receipt receipt = co_await tracking;
  feed_.record_act(browser, me.now(), "send", to);
  Task<bool> reaching = receipt.reached(Stage::delivered, Deadline(5s));
  const bool is_delivered = co_await reaching;
  if (is_delivered) co_return json::value("delivered");
  const auto outcome = receipt.first().outcome;
  co_return json::value(outcome ? to_string(*outcome) : "waits for its receiver");
}

Task<json::value> Requests::operate_on(Agent& me, std::string_view what,
                                       const json::object& request) {
  if (what == "hold") {
    Task<std::uint64_t> beginning = holding_.begin(me, text_in(request, "pattern"));
    const std::uint64_t hold = co_await beginning;
    co_return json::object{{"hold", hold}};
  }
  if (what == "scramble") {
    const json::value* const on = request.if_contains("on");
    holding_.scramble(text_in(request, "pattern"),
                      on == nullptr || !on->is_bool() || on->get_bool());
    co_return true;
  }
  Task<> acting = what == "release" ? holding_.release(me, number_in(request, "hold", 0),
                                                       number_in(request, "count", 1))
                                    : inspections_.act(me, what, request);
  co_await acting;
  co_return true;
}

Task<json::value> Requests::act(Agent& me, Browser& browser, std::string_view what,
                                const json::object& request) {
  const bool looks = is_one_of(what, {"agent", "why"});
  const std::string& objection = looks ? feed_.rights.inspect : feed_.rights.operate;
  // The policy may allow for one agent what it has refused for another.
  const bool may_try = player_ == nullptr && feed_.rights.is_member;
  if (!objection.empty() && !may_try) throw Error(Errc::not_permitted, objection);
  if (looks) {
    Name name(text_in(request, "name"));
    Task<json::value> looking = what == "agent" ? inspections_.agent(me, std::move(name))
                                                : inspections_.why(me, std::move(name));
    co_return co_await looking;
  }
  const json::value* const name = request.if_contains("name");
  const json::value* const pattern = request.if_contains("pattern");
  const json::value* const to = name != nullptr ? name : pattern;
  feed_.record_act(browser, me.now(), what,
                   to != nullptr && to->is_string() ? std::string_view(to->get_string()) : "");
  const std::string before = feed_.rights.operate;
  std::optional<Error> refusal;
  json::value result = true;
  try {
    Task<json::value> acting = operate_on(me, what, request);
    result = co_await acting;
    feed_.rights.operate.clear();
  } catch (const Error& failure) {
    if (failure.errc() != Errc::not_permitted) throw;
    feed_.rights.operate = failure.what();
    refusal = failure;
  }
  if (feed_.rights.operate != before) changed_();
  if (refusal) throw Error(*refusal);
  co_return result;
}

}  // namespace coracle::view

// Settings from "central://host:port?society=lab" and "central+unix:///path?society=lab".
#include "coracle/realizations/central.hpp"

#include "realizations/net/src/shown_setting.hpp"
#include "realizations/net/src/society/home/settings.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

namespace coracle::central {

namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(Errc::bad_realization, why); }

society::Membership membership(Options& options) {
  return {options.society, options.key, options.tls, options.insecure};
}

std::string server_of(std::string_view scheme, std::string_view place) {
  std::string server;
  if (scheme == "central") {
    server = "tcp://";
  } else if (scheme == "central+tls") {
    server = "tls://";
  } else if (scheme == "central+unix") {
    server = "unix://";
  } else {
    refuse("there is no " + net::shown_setting(std::string(scheme) + ":") +
           "; a server is reached by central://HOST:PORT, central+tls://HOST:PORT or "
           "central+unix:///PATH");
  }
  server += place;
  try {
    (void)society::endpoint_of(server);
  } catch (const Error& error) {
    refuse("it does not say where the server is, as central://127.0.0.1:4410 does: " +
           error.sentence());
  }
  return server;
}

std::uint32_t number_of(std::string_view key, std::string_view said, std::uint32_t most) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(said.data(), said.data() + said.size(), value);
  if (error == std::errc() && end == said.data() + said.size() && value != 0 && value <= most)
    return value;
  refuse(std::string(key) + " needs a number from 1 to " + std::to_string(most) + ", not " +
         net::shown_setting(said));
}

// "500us", "10ms", "1s", up to a minute.
Duration interval_of(std::string_view said) {
  const std::size_t letters = std::min(said.find_first_not_of("0123456789"), said.size());
  const std::string_view digits = said.substr(0, letters), unit = said.substr(letters);
  if (unit == "us") return std::chrono::microseconds(number_of("poll", digits, 60'000'000));
  if (unit == "ms") return std::chrono::milliseconds(number_of("poll", digits, 60'000));
  if (unit == "s") return std::chrono::seconds(number_of("poll", digits, 60));
  refuse("poll needs a time such as 500us, 10ms or 1s, not " + net::shown_setting(said));
}

// The settings of delivery as the text gives them, until it is known whether they go together.
struct Said {
  bool poll = false;
  bool take = false;
};

// Takes the settings that are for a study; returns false when there is no such key.
bool take_study(Options& options, Said& said, std::string_view key, std::string_view value) {
  using How = Delivery::How;
  if (key == "delivery") {
    if (value != "push" && value != "notify" && value != "poll")
      refuse("delivery is push, notify or poll, not " + net::shown_setting(value));
    options.delivery.how = value == "push" ? How::push : value == "poll" ? How::poll : How::notify;
  } else if (key == "poll") {
    options.delivery.interval = interval_of(value);
    said.poll = true;
  } else if (key == "take") {
    options.delivery.most = number_of("take", value, 1'000'000);
    said.take = true;
  } else if (key == "matching") {
    if (value != "set" && value != "linear")
      refuse("matching is set or linear, not " + net::shown_setting(value));
    options.matching = value == "set" ? Matching::set : Matching::linear;
  } else {
    return false;
  }
  return true;
}

void set(Options& options, Said& said, std::string_view key, std::string_view value) {
  if (membership(options).take(key, value)) return;
  if (take_study(options, said, key, value)) return;
  if (key == "durable") {
    options.durable = society::is_yes(key, value);
  } else if (key == "shared_memory") {
    options.shared_memory = society::is_yes(key, value);
  } else if (key == "takeover") {
    options.takeover = society::is_yes(key, value);
  } else {
    refuse("central: does not know the setting " + net::shown_setting(key) +
           "; it knows society=NAME, key=KEY, tls=FOLDER, insecure=yes, durable=yes, "
           "shared_memory=no, takeover=yes, spin=TIME, content_limit=SIZE, connect_time=TIME, "
           "record=FILE, "
           "delivery=push|notify|poll, poll=TIME, take=N and matching=set|linear");
  }
}

void check(const Options& options, const Said& said) {
  if (said.poll && options.delivery.how != Delivery::How::poll)
    refuse("poll=TIME is how often a node asks; it goes with delivery=poll");
  if (said.take && options.delivery.how == Delivery::How::push)
    refuse("take=N is how much a node asks for; it goes with delivery=poll or delivery=notify");
}

}  // namespace

Options options_from(std::string_view text) {
  const std::size_t colon = std::min(text.find("://"), text.size());
  const std::string_view scheme = text.substr(0, std::min(text.find(':'), text.size()));
  if (colon == text.size())
    refuse(
        "it does not say where the server is; write central://HOST:PORT or "
        "central+unix:///PATH");
  text.remove_prefix(colon + 3);
  const std::size_t question = std::min(text.find('?'), text.size());
  Options options;
  Said said;
  options.server = server_of(scheme, text.substr(0, question));
  membership(options).take_environment();
  text.remove_prefix(std::min(question + 1, text.size()));
  bool is_key = false;
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find_first_of(",&"));
    text.remove_prefix(std::min(item.size() + 1, text.size()));
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos && item.starts_with(net::SocietyKey::prefix) && is_key) {
      options.key += "," + std::string(item);  // one more key, behind a comma
      continue;
    }
    if (equals == std::string_view::npos) refuse(society::has_no_value(item));
    is_key = item.starts_with("key=");
    set(options, said, item.substr(0, equals), item.substr(equals + 1));
  }
  check(options, said);
  // A node that has a key or a certificate uses TLS.
  if (scheme == "central" && (!options.tls.empty() || !options.key.empty()))
    options.server.replace(0, 3, "tls");
  return options;
}

}  // namespace coracle::central

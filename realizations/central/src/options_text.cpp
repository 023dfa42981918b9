// Settings from "central://host:port?society=lab" and "central+unix:///path?society=lab".
#include "coracle/realizations/central.hpp"

#include "realizations/net/src/society/home/member_settings.hpp"

#include <chrono>

namespace coracle::central {

namespace {

using settings::Given;
using How = Delivery::How;

[[noreturn]] void refuse(const std::string& why) { throw Error(Errc::bad_realization, why); }

std::string server_of(const settings::RealizationText& text) {
  if (!text.address)
    refuse(
        "it does not say where the server is; write central://HOST:PORT or "
        "central+unix:///PATH");
  std::string server;
  if (text.scheme == "central") {
    server = "tcp://";
  } else if (text.scheme == "central+tls") {
    server = "tls://";
  } else if (text.scheme == "central+unix") {
    server = "unix://";
  } else {
    refuse("there is no " + net::shown_setting(std::string(text.scheme) + ":") +
           "; a server is reached by central://HOST:PORT, central+tls://HOST:PORT or "
           "central+unix:///PATH");
  }
  server += *text.address;
  try {
    (void)society::endpoint_of(server);
  } catch (const Error& error) {
    refuse("it does not say where the server is, as central://127.0.0.1:4410 does: " +
           error.sentence());
  }
  return server;
}

constexpr settings::Setting<Options> known[] = {
    {"durable=yes", settings::yes_or_no<&Options::durable>},
    {"delivery=push|notify|poll",
     [](Options& options, const Given& given) {
       const std::string& how = given.value;
       if (how != "push" && how != "notify" && how != "poll")
         given.refuse("is push, notify or poll", how);
       options.delivery.how = how == "push" ? How::push : how == "poll" ? How::poll : How::notify;
     }},
    {"poll=TIME",
     [](Options& options, const Given& given) {
       const auto [digits, unit] = settings::Amount(
           given.value, {{"us", 1, 60'000'000}, {"ms", 1000, 60'000}, {"s", 1'000'000, 60}});
       if (unit.size == 0) given.refuse("needs a time such as 500us, 10ms or 1s", given.value);
       options.delivery.interval =
           std::chrono::microseconds(number(given, digits, 1, unit.most) * unit.size);
     }},
    {"take=N",
     [](Options& options, const Given& given) {
       options.delivery.most = static_cast<std::uint32_t>(number(given, given.value, 1, 1'000'000));
     }},
    {"matching=set|linear",
     [](Options& options, const Given& given) {
       if (given.value != "set" && given.value != "linear")
         given.refuse("is set or linear", given.value);
       options.matching = given.value == "set" ? Matching::set : Matching::linear;
     }},
};

// Refuses settings that would have no effect.
void check(const std::vector<Given>& all, How how) {
  for (const Given& given : all) {
    if (given.name == "poll" && how != How::poll)
      refuse("poll=TIME is how often a node asks; it goes with delivery=poll");
    if (given.name == "take" && how == How::push)
      refuse("take=N is how much a node asks for; it goes with delivery=poll or delivery=notify");
  }
}

}  // namespace

Options options_from(std::string_view whole) {
  const settings::RealizationText text(whole);
  // A text may have more than one key.
  const auto joins = [](const Given& before, std::string_view item) {
    return before.name == "key" && item.starts_with(net::SocietyKey::prefix);
  };
  const std::vector<Given> all = text.settings(joins);
  Options options;
  options.server = server_of(text);
  society::take_environment(options);
  society::read_settings(options, all, "central", known);
  check(all, options.delivery.how);
  // A node that has a key or a certificate uses TLS.
  if (text.scheme == "central" && (!options.tls.empty() || !options.key.empty()))
    options.server.replace(0, 3, "tls");
  return options;
}

}  // namespace coracle::central

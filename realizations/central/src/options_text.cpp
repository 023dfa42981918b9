// Settings from "central://host:port?society=lab" and "central+unix:///path?society=lab".
#include "coracle/realizations/central.hpp"

#include "realizations/net/src/society/home/member_settings.hpp"

#include <chrono>

namespace coracle::central {

namespace {

using settings::Said;
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
     [](Options& options, const Said& said) {
       const std::string& how = said.value;
       if (how != "push" && how != "notify" && how != "poll")
         said.refuse("is push, notify or poll", how);
       options.delivery.how = how == "push" ? How::push : how == "poll" ? How::poll : How::notify;
     }},
    {"poll=TIME",
     [](Options& options, const Said& said) {
       const auto [digits, unit] = settings::Amount(
           said.value, {{"us", 1, 60'000'000}, {"ms", 1000, 60'000}, {"s", 1'000'000, 60}});
       if (unit.size == 0) said.refuse("needs a time such as 500us, 10ms or 1s", said.value);
       options.delivery.interval =
           std::chrono::microseconds(number(said, digits, 1, unit.most) * unit.size);
     }},
    {"take=N",
     [](Options& options, const Said& said) {
       options.delivery.most = static_cast<std::uint32_t>(number(said, said.value, 1, 1'000'000));
     }},
    {"matching=set|linear",
     [](Options& options, const Said& said) {
       if (said.value != "set" && said.value != "linear")
         said.refuse("is set or linear", said.value);
       options.matching = said.value == "set" ? Matching::set : Matching::linear;
     }},
};

// Refuses settings that would have no effect.
void check(const std::vector<Said>& given, How how) {
  for (const Said& said : given) {
    if (said.name == "poll" && how != How::poll)
      refuse("poll=TIME is how often a node asks; it goes with delivery=poll");
    if (said.name == "take" && how == How::push)
      refuse("take=N is how much a node asks for; it goes with delivery=poll or delivery=notify");
  }
}

}  // namespace

Options options_from(std::string_view whole) {
  const settings::RealizationText text(whole);
  // More than one key may be given.
  const auto joins = [](const Said& before, std::string_view item) {
    return before.name == "key" && item.starts_with(net::SocietyKey::prefix);
  };
  const std::vector<Said> given = text.settings(joins);
  Options options;
  options.server = server_of(text);
  society::take_environment(options);
  society::read_settings(options, given, "central", known);
  check(given, options.delivery.how);
  // A node that has a key or a certificate uses TLS.
  if (text.scheme == "central" && (!options.tls.empty() || !options.key.empty()))
    options.server.replace(0, 3, "tls");
  return options;
}

}  // namespace coracle::central

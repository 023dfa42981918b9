// Settings from "central://host:port?society=lab" and "central+unix:///path?society=lab".
#include "coracle/realizations/central.hpp"

#include "realizations/net/src/society/settings.hpp"

#include <algorithm>

namespace coracle::central {

namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(Errc::bad_realization, why); }

std::string server_of(std::string_view scheme, std::string_view place) {
  std::string server;
  if (scheme == "central") {
    server = "tcp://";
  } else if (scheme == "central+tls") {
    server = "tls://";
  } else if (scheme == "central+unix") {
    server = "unix://";
  } else {
    refuse("there is no '" + std::string(scheme) +
           ":'; a server is reached by central://HOST:PORT, central+tls://HOST:PORT or "
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

bool is_yes(std::string_view key, std::string_view value) {
  if (value != "yes" && value != "no")
    refuse(std::string(key) + " is yes or no, not '" + std::string(value) + "'");
  return value == "yes";
}

void set(Options& options, std::string_view key, std::string_view value) {
  if (society::Membership{options.society, options.key, options.tls}.take(key, value)) return;
  if (key == "durable") {
    options.durable = is_yes(key, value);
    return;
  }
  refuse("central: does not know the key '" + std::string(key) +
         "'; it knows society=NAME, key=SECRET, tls=FOLDER, durable=yes and record=FILE");
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
  options.server = server_of(scheme, text.substr(0, question));
  society::Membership{options.society, options.key, options.tls}.take_environment();
  text.remove_prefix(std::min(question + 1, text.size()));
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find_first_of(",&"));
    text.remove_prefix(std::min(item.size() + 1, text.size()));
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos)
      refuse("'" + std::string(item) + "' has no value; write key=value");
    set(options, item.substr(0, equals), item.substr(equals + 1));
  }
  // Who has a certificate shows it.
  if (scheme == "central" && !options.tls.empty()) options.server.replace(0, 3, "tls");
  return options;
}

}  // namespace coracle::central

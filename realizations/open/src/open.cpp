#include "coracle/realizations/open.hpp"

#include "coracle/realizations/local.hpp"
#include "coracle/realizations/sim.hpp"

#include <charconv>
#include <cstdlib>
#include <string>

namespace coracle {

namespace {

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  throw Error(Errc::bad_realization, "cannot open '" + std::string(text) + "': " + why);
}

std::size_t number(std::string_view text, std::string_view key, std::string_view digits) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || value == 0) {
    refuse(text, std::string(key) + " needs a number above 0, not '" + std::string(digits) + "'");
  }
  return value;
}

// "names=1000,watches=10"
local::Options local_options(std::string_view text, std::string_view rest) {
  local::Options options;
  while (!rest.empty()) {
    const std::string_view item = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), item.size() + 1));
    const std::size_t equals = item.find('=');
    const std::string_view key = item.substr(0, equals);
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view() : item.substr(equals + 1);
    if (key == "names") {
      options.directory.names = number(text, key, value);
    } else if (key == "watches") {
      options.directory.watches = number(text, key, value);
    } else {
      refuse(text, "local: does not know the key '" + std::string(key) +
                       "'; it knows names=N and watches=N");
    }
  }
  return options;
}

sim::Options sim_options(std::string_view text, std::string_view rest) {
  try {
    return sim::options_from(rest);
  } catch (const Error& error) {
    refuse(text, error.sentence());
  }
}

}  // namespace

Realization open(std::string_view text) {
  if (text.empty()) {
    const char* const environment = std::getenv("CORACLE_REALIZATION");
    text = environment != nullptr && *environment != '\0' ? environment : "local:";
  }
  const std::size_t colon = text.find(':');
  const std::string_view scheme = text.substr(0, colon);
  if (colon == std::string_view::npos) {
    refuse(text, "a realization begins with its scheme and a colon, such as local:");
  }
  const std::string_view rest = text.substr(colon + 1);
  Realization made;
  if (scheme == "local") {
    made = local::realization(local_options(text, rest));
  } else if (scheme == "sim") {
    made = sim::realization(sim_options(text, rest));
  } else {
    refuse(text, "there is no realization '" + std::string(scheme) +
                     ":'; there are: local:, sim:");
  }
  made.name = std::string(text);
  return made;
}

}  // namespace coracle

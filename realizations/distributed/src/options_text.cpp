// Settings from the text behind "distributed:".
#include "coracle/realizations/distributed.hpp"

#include "realizations/net/src/shown_setting.hpp"
#include "realizations/net/src/society/home/settings.hpp"

namespace coracle::distributed {

namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(Errc::bad_realization, why); }

society::Membership membership(Options& options) {
  return {options.society, options.key, options.tls, options.insecure};
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    if (comma != 0) parts.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return parts;
}

// Each place is checked now, so that the error for a mistake names its key.
std::vector<std::string> places(std::string_view key, std::string_view value) {
  std::vector<std::string> found = split(value);
  if (found.empty())
    refuse(std::string(key) + " needs a place, as in " + std::string(key) + "=127.0.0.1:4410");
  for (const std::string& place : found) {
    try {
      (void)society::endpoint_of(place);
    } catch (const Error& error) {
      refuse(std::string(key) + ": " + error.sentence());
    }
  }
  return found;
}

void set(Options& options, std::string_view key, std::string_view value) {
  if (key == "directory") {
    options.directories = places(key, value);
  } else if (key == "listen") {
    options.listen = places(key, value);
  } else if (key == "beacon") {
    options.beacon = value;
  } else if (key == "folder") {
    options.folder = value;
  } else if (key == "shared_memory") {
    options.shared_memory = society::is_yes(key, value);
  } else if (key == "takeover") {
    options.takeover = society::is_yes(key, value);
  } else if (!membership(options).take(key, value)) {
    refuse("distributed: does not know the setting " + net::shown_setting(key) +
           "; it knows directory=PLACES, listen=PLACES, society=NAME, key=KEY, tls=FOLDER, "
           "insecure=yes, folder=PATH, beacon=PLACE, shared_memory=no, takeover=yes, spin=TIME, "
           "content_limit=SIZE, connect_time=TIME and record=FILE");
  }
}

}  // namespace

Options options_from(std::string_view text) {
  Options options;
  const std::string directory = society::environment("CORACLE_DIRECTORY");
  if (!directory.empty()) options.directories = places("CORACLE_DIRECTORY", directory);
  membership(options).take_environment();
  if (text.starts_with('?')) text.remove_prefix(1);
  // "a=1,2&b=3" and "a=1,2,b=3" are the same: an item without a key belongs to the key before it.
  std::string key, value;
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find_first_of(",&"));
    text.remove_prefix(std::min(item.size() + 1, text.size()));
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos) {
      if (key.empty()) refuse(society::has_no_value(item));
      value += "," + std::string(item);
      continue;
    }
    if (!key.empty()) set(options, key, value);
    key = item.substr(0, equals);
    value = item.substr(equals + 1);
  }
  if (!key.empty()) set(options, key, value);
  return options;
}

}  // namespace coracle::distributed

#include "coracle/realizations/open.hpp"

#include "coracle/realizations/central.hpp"
#include "coracle/realizations/distributed.hpp"
#include "coracle/realizations/local.hpp"
#include "coracle/realizations/sim.hpp"
#include "coracle/recording/recorder.hpp"
#include "coracle/recording/replay.hpp"
#include "realizations/net/src/common_settings.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace coracle {

namespace {

// The error shows only how `text` begins: there may be a key in it, in any mistyped form.
[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  const std::string scheme(text.substr(0, text.find(':')));
  throw Error(Errc::bad_realization,
              "cannot open " +
                  (scheme.size() < text.size() ? net::shown_setting(scheme + ":...") : "this") +
                  ": " + why);
}

// Hides the keys of `text`, for a reader who wants to know which realization it is.
std::string without_keys(settings::RealizationText text) {
  bool is_key = false;
  std::erase_if(text.items, [&is_key](settings::RealizationText::Item& item) {
    const bool begins_key = item.text.starts_with("key=");
    if (begins_key) item.text = "key=***";
    is_key = begins_key || (is_key && item.text.find('=') == item.text.npos);
    return is_key && !begins_key;
  });
  return std::string(text.scheme) + ":" + text.behind_scheme();
}

// A limit of the directory: a number above 0.
void read(std::size_t& limit, const settings::Given& given) {
  const auto value = settings::whole(given.value, 1, ~std::size_t{0});
  if (!value) given.refuse("needs a number above 0", given.value);
  limit = *value;
}

constexpr settings::Setting<DirectoryLimits> limits[] = {
    {"names=N", [](DirectoryLimits& to, const settings::Given& given) { read(to.names, given); }},
    {"watches=N",
     [](DirectoryLimits& to, const settings::Given& given) { read(to.watches, given); }},
};

// "names=1000,watches=10"
local::Options local_options(const settings::RealizationText& text) {
  local::Options options;
  for (const settings::Given& given : text.settings())
    if (!take(options.directory, given, limits))
      given.refuse_unknown("local", forms_of(limits, settings::common_settings));
  return options;
}

using recording::MessageId;
using recording::Recording;

// "sim:replay=run.db,drop=17"
struct ReplaySettings {
  std::string file;
  std::vector<std::function<void(recording::Replay&)>> changes;
};

// "17:5ms": the number of a message, and what comes behind the colon.
std::pair<MessageId, std::string> message_and(const settings::Given& given, const char* form) {
  const std::size_t colon = std::min(given.value.find(':'), given.value.size());
  const auto id = settings::whole(given.value.substr(0, colon), 1, ~MessageId{0});
  if (!id || colon == given.value.size()) given.refuse(form, given.value);
  return {*id, given.value.substr(colon + 1)};
}

// The content of a file, which may be as long as that of a message.
std::string content_of(const settings::Given& given, const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::string content(std::size_t{16} << 20, '\0');
  in.read(content.data(), static_cast<std::streamsize>(content.size()));
  if (in.bad() || !in.eof())
    given.refuse("needs a file that can be read and has at most 16 MiB");
  content.resize(static_cast<std::size_t>(in.gcount()));
  return content;
}

constexpr settings::Setting<ReplaySettings> replays[] = {
    {"replay=FILE",
     [](ReplaySettings& to, const settings::Given& given) { to.file = given.value; }},
    {"drop=N",
     [](ReplaySettings& to, const settings::Given& given) {
       const auto id = settings::whole(given.value, 1, ~MessageId{0});
       if (!id) given.refuse("needs the number of a message", given.value);
       to.changes.push_back([id = *id](recording::Replay& replay) { replay.drop(id); });
     }},
    {"delay=N:MILLISECONDS",
     [](ReplaySettings& to, const settings::Given& given) {
       const char* const form = "needs the number of a message and milliseconds, as in 17:5";
       const auto [id, text] = message_and(given, form);
       const auto time = settings::whole(text, 0, 1'000'000'000'000);
       if (!time) given.refuse(form, given.value);
       to.changes.push_back([id = id, time = *time](recording::Replay& replay) {
         replay.delay(id, std::chrono::milliseconds(time));
       });
     }},
    {"change=N:FILE",
     [](ReplaySettings& to, const settings::Given& given) {
       const auto [id, file] =
           message_and(given, "needs the number of a message and a file, as in 17:new.txt");
       to.changes.push_back([id = id, text = content_of(given, file)](recording::Replay& replay) {
         replay.change(id, Content(text));
       });
     }},
};

Realization replayed(const settings::RealizationText& text, const std::string& file) {
  ReplaySettings settings;
  for (const settings::Given& given : text.settings())
    if (!take(settings, given, replays))
      given.refuse_unknown("sim:replay", forms_of(replays, settings::common_settings));
  return recording::Replay::realization(
      std::make_shared<const Recording>(Recording::load(settings.file)),
      [&](recording::Replay& replay) {
        for (const auto& change : settings.changes) change(replay);
      },
      file);
}

bool is_replay(const settings::RealizationText& text) {
  const auto all = text.settings();
  return std::any_of(all.begin(), all.end(),
                     [](const settings::Given& given) { return given.name == "replay"; });
}

// `text` has no settings in common with other realizations any more.
Realization made_from(const settings::RealizationText& text,
                      const settings::CommonSettings& common) {
  const bool only_marked = !common.record_marked.empty();
  const std::string& file = only_marked ? common.record_marked : common.record;
  const auto recorder = [&] {
    recording::RecorderOptions options;
    options.only_marked = only_marked;
    return recording::Recorder(file, std::move(options));
  };
  const std::string rest = text.behind_scheme();
  Realization made;
  if (text.scheme == "local") {
    made = local::realization(local_options(text));
    made.name = "local:" + rest;
  } else if (text.scheme == "sim" && is_replay(text)) {
    if (only_marked)
      throw Error(Errc::bad_realization,
                  "a replay records all messages, so record_marked=FILE cannot be beside "
                  "replay=FILE; write record=FILE");
    return replayed(text, file);
  } else if (text.scheme == "sim") {
    const sim::Options options = sim::options_from(rest);
    return file.empty() ? sim::realization(options) : recorder().world(options).realization();
  } else if (text.scheme == "distributed") {
    made = distributed::realization(distributed::options_from(rest));
  } else if (text.scheme.starts_with("central")) {
    made = central::realization(central::options_from(std::string(text.scheme) + ":" + rest));
  } else {
    throw Error(Errc::bad_realization, "there is no realization " +
                                           net::shown_setting(std::string(text.scheme) + ":") +
                                           "; there are: local:, central:, distributed:, sim:");
  }
  return file.empty() ? made : recorder().record(std::move(made));
}

}  // namespace

Realization open(std::string_view whole) {
  if (whole.empty()) {
    const char* const environment = std::getenv("CORACLE_REALIZATION");
    whole = environment != nullptr && *environment != '\0' ? environment : "local:";
  }
  if (whole.find(':') == whole.npos)
    refuse(whole, "a realization begins with its scheme and a colon, such as local:");
  settings::RealizationText text(whole);
  const std::string name = without_keys(text);
  try {
    const settings::CommonSettings common = take_common(text);
    Realization made = made_from(text, common);
    made.name = name;
    made.spin = common.spin;
    made.content_limit = common.content_limit;
    made.connect_time = common.connect_time;
    return made;
  } catch (const Error& error) {
    if (error.errc() != Errc::bad_realization) throw;
    refuse(whole, error.sentence());
  }
}

}  // namespace coracle

#include "replays.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <utility>

namespace coracle {

namespace {

using recording::MessageId;

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
  if (in.bad() || !in.eof()) given.refuse("needs a file that can be read and has at most 16 MiB");
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

}  // namespace

bool is_replay(const settings::RealizationText& text) {
  const auto all = text.settings();
  return std::any_of(all.begin(), all.end(),
                     [](const settings::Given& given) { return given.name == "replay"; });
}

ReplaySettings replay_from(const settings::RealizationText& text) {
  ReplaySettings settings;
  for (const settings::Given& given : text.settings())
    if (!take(settings, given, replays))
      given.refuse_unknown("sim:replay", forms_of(replays, settings::common_settings));
  return settings;
}

}  // namespace coracle

// The settings that open() reads for realizations of any kind.
#pragma once

#include "coracle/clock.hpp"
#include "coracle/realization.hpp"
#include "realizations/net/src/settings_text.hpp"

#include <chrono>
#include <optional>
#include <string>

namespace coracle::settings {

struct CommonSettings {
  // The time that workers look for work.
  std::optional<Duration> spin;
  // In bytes.
  std::optional<std::size_t> content_limit;
  // The time that a starting node waits for an answer.
  std::optional<Duration> connect_time;
  // Empty: nothing is recorded.
  std::string record;
  // Empty: the recording, if there is one, has all agents.
  std::string record_marked;
};

inline std::uint64_t amount(const Given& given, std::initializer_list<Unit> units,
                            const std::string& needs) {
  const auto [digits, unit] = Amount(given.value, units);
  if (const auto value = whole(digits, 1, unit.most)) return *value * unit.size;
  given.refuse(needs, given.value);
}

inline constexpr Setting<CommonSettings> common_settings[] = {
    {"spin=TIME",
     [](CommonSettings& common, const Given& given) {
       if (given.value == "auto") return;
       const std::initializer_list<Unit> units = {{"us", 1, 1'000'000}, {"ms", 1000, 1'000'000}};
       const std::string needs = "is auto, 0, or a time such as 50us or 1ms";
       common.spin =
           std::chrono::microseconds(given.value == "0" ? 0 : amount(given, units, needs));
     }},
    {"content_limit=SIZE",
     [](CommonSettings& common, const Given& given) {
       constexpr std::uint64_t most = max_content_bytes;
       common.content_limit = amount(given,
                                     {{"", 1, most},
                                      {"KiB", 1 << 10, most >> 10},
                                      {"MiB", 1 << 20, most >> 20},
                                      {"GiB", 1 << 30, most >> 30}},
                                     "is a size from 1 to 1GiB, such as 64MiB or 500KiB");
     }},
    {"connect_time=TIME",
     [](CommonSettings& common, const Given& given) {
       common.connect_time =
           std::chrono::milliseconds(amount(given, {{"ms", 1, 86'400'000}, {"s", 1000, 86'400}},
                                            "is a time from 1ms to 86400s, such as 500ms or 5s"));
     }},
    {"record=FILE",
     [](CommonSettings& common, const Given& given) {
       if (given.value.empty()) given.refuse("needs the name of a file, as in record=run.db");
       if (!common.record_marked.empty()) given.refuse("cannot be beside record_marked");
       common.record = given.value;
     }},
    {"record_marked=FILE",
     [](CommonSettings& common, const Given& given) {
       if (given.value.empty())
         given.refuse("needs the name of a file, as in record_marked=run.db");
       if (!common.record.empty()) given.refuse("cannot be beside record");
       common.record_marked = given.value;
     }},
};

// Takes these settings out of a text.
inline CommonSettings take_common(RealizationText& text) {
  CommonSettings common;
  for (const Setting<CommonSettings>& setting : common_settings) {
    const std::string name(setting.name());
    if (auto value = text.take(name)) setting.read(common, {.name = name, .value = *value});
  }
  return common;
}

}  // namespace coracle::settings

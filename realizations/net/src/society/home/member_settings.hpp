// The settings that a text may give for nodes which join a society by links.
#pragma once

#include "realizations/net/src/common_settings.hpp"
#include "realizations/net/src/society/home/settings.hpp"

#include <string>
#include <string_view>

namespace coracle::society {

template <class Options>
constexpr settings::Setting<Options> member_settings[] = {
    {"society=NAME",
     [](Options& options, const settings::Given& given) {
       const std::string& name = given.value;
       if (name.empty() || name.find('/') != name.npos || name.size() > 64)
         given.refuse("needs a name of 1 to 64 bytes without a slash");
       options.society = name;
     }},
    {"key=KEY",
     [](Options& options, const settings::Given& given) {
       const net::KeySource source(given.value, options.society);
       if (source.file().empty()) {
         const auto read = source.read();
         if (!read) throw Error(Errc::bad_realization, read.error().sentence());
       }
       options.key = given.value;
     }},
    {"tls=FOLDER",
     [](Options& options, const settings::Given& given) {
       if (given.value.empty()) given.refuse("needs the folder that `coracle keys` has made");
       options.tls = given.value;
     }},
    {"insecure=yes", settings::yes_or_no<&Options::insecure>},
    {"shared_memory=no", settings::yes_or_no<&Options::shared_memory>},
    {"takeover=yes", settings::yes_or_no<&Options::takeover>},
};

// Takes the settings of the environment: CORACLE_SOCIETY, CORACLE_KEY and CORACLE_TLS.
template <class Options>
void take_environment(Options& options) {
  const std::string name = environment("CORACLE_SOCIETY");
  if (!name.empty())
    settings::take(options, {.name = "society", .value = name}, member_settings<Options>);
  options.key = environment("CORACLE_KEY");
  options.tls = environment("CORACLE_TLS");
}

// Reads the settings of a text: those in the realization's own table, and those above. An error
// does not show an item without a value, which may be a mistyped key, unless it is a setting's
// name.
template <class Options, std::size_t count>
void read_settings(Options& options, const std::vector<settings::Given>& all,
                   const std::string& realization, const settings::Setting<Options> (&own)[count]) {
  const auto& shared = member_settings<Options>;
  for (const settings::Given& given : all) {
    if (!given.has_value) {
      const bool is_known = find(own, given.name) || find(shared, given.name) ||
                            find(settings::common_settings, given.name);
      throw Error(Errc::bad_realization,
                  (is_known ? "'" + given.name + "'" : std::string("one of its settings")) +
                      " has no value; write name=value");
    }
    if (!take(options, given, own) && !take(options, given, shared))
      given.refuse_unknown(realization, forms_of(own, shared, settings::common_settings));
  }
}

}  // namespace coracle::society

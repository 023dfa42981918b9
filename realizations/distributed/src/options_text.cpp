// Settings from the text behind "distributed:".
#include "coracle/realizations/distributed.hpp"

#include "realizations/net/src/society/home/member_settings.hpp"

namespace coracle::distributed {

namespace {

using settings::Given;

// Each place is checked now, so that the error for a mistake names its key.
std::vector<std::string> places(const Given& given) {
  std::vector<std::string> found;
  std::string_view rest = given.value;
  while (!rest.empty()) {
    const std::string_view place = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(place.size() + 1, rest.size()));
    if (place.empty()) continue;
    try {
      (void)society::endpoint_of(found.emplace_back(place));
    } catch (const Error& error) {
      throw Error(Errc::bad_realization, given.name + ": " + error.sentence());
    }
  }
  if (found.empty()) given.refuse("needs a place, as in " + given.name + "=127.0.0.1:4410");
  return found;
}

constexpr settings::Setting<Options> known[] = {
    {"directory=PLACES",
     [](Options& options, const Given& given) { options.directories = places(given); }},
    {"listen=PLACES", [](Options& options, const Given& given) { options.listen = places(given); }},
    {"folder=PATH", [](Options& options, const Given& given) { options.folder = given.value; }},
    {"beacon=PLACE", [](Options& options, const Given& given) { options.beacon = given.value; }},
};

}  // namespace

Options options_from(std::string_view text) {
  Options options;
  const std::string directory = society::environment("CORACLE_DIRECTORY");
  if (!directory.empty())
    options.directories = places({.name = "CORACLE_DIRECTORY", .value = directory});
  society::take_environment(options);
  // "a=1,2&b=3" and "a=1,2,b=3" are the same: an item without a key belongs to the key before it.
  const auto joins = [](const Given&, std::string_view) { return true; };
  society::read_settings(options, settings::RealizationText("distributed", text).settings(joins),
                         "distributed", known);
  return options;
}

}  // namespace coracle::distributed

// "seed=42,workers=2,nodes=3,delay=1ms..20ms"
#include "coracle/realizations/sim.hpp"

#include "realizations/net/src/common_settings.hpp"

#include <algorithm>
#include <chrono>
#include <span>

namespace coracle::sim {

namespace {

using settings::Given;

constexpr std::uint64_t any = ~std::uint64_t{0};

template <class Number>
void read(Number& member, const Given& given, std::uint64_t least, std::uint64_t most) {
  member = static_cast<Number>(number(given, given.value, least, most));
}

Duration span(const Given& given, std::string_view text) {
  if (text.starts_with('-'))
    given.refuse("is negative: " + net::shown_setting(text) + "; give 0us or more");
  const auto [digits, unit] = settings::Amount(text, {{"ns", 1, 1'000'000'000'000},
                                                      {"us", 1000, 1'000'000'000},
                                                      {"ms", 1'000'000, 1'000'000},
                                                      {"s", 1'000'000'000, 1'000}});
  if (unit.size == 0) given.refuse("needs a time such as 500ns, 1us, 20ms or 1s", text);
  return std::chrono::nanoseconds(number(given, digits, 0, unit.most) * unit.size);
}

// "1ms..20ms", or one time for both.
void range(Duration& least, Duration& most, const Given& given) {
  const std::string_view text = given.value;
  const std::size_t dots = std::min(text.find(".."), text.size());
  least = span(given, text.substr(0, dots));
  most = dots == text.size() ? least : span(given, text.substr(dots + 2));
  if (most < least) given.refuse("has its ends in the wrong order; write the shorter time first");
}

using To = Options&;
using From = const Given&;

constexpr settings::Setting<Options> known[] = {
    {"seed=N", [](To to, From given) { read(to.seed, given, 0, any); }},
    {"workers=N", [](To to, From given) { read(to.workers, given, 1, 256); }},
    {"nodes=N", [](To to, From given) { read(to.nodes, given, 1, 256); }},
    {"delay=TIME..TIME", [](To to, From given) { range(to.delay_least, to.delay_most, given); }},
    {"bandwidth=N", [](To to, From given) { read(to.bandwidth, given, 0, any); }},
    {"turn=TIME", [](To to, From given) { to.turn = span(given, given.value); }},
    {"slow=0 or 1", [](To to, From given) { read(to.slow, given, 0, 1); }},
    {"disk=BYTES", [](To to, From given) { read(to.disk.capacity, given, 0, any); }},
    {"sync=TIME..TIME",
     [](To to, From given) { range(to.disk.sync_least, to.disk.sync_most, given); }},
    {"full=PERCENT", [](To to, From given) { read(to.disk.full, given, 0, 100); }},
    {"failed_syncs=PERCENT", [](To to, From given) { read(to.disk.failed_syncs, given, 0, 100); }},
    {"failed_reads=PERCENT", [](To to, From given) { read(to.disk.failed_reads, given, 0, 100); }},
    {"names=N", [](To to, From given) { read(to.directory.names, given, 1, 67'108'863); }},
    {"watches=N",
     [](To to, From given) { read(to.directory.watches, given, 1, ~std::uint32_t{0}); }},
};

}  // namespace

Options options_from(std::string_view text) {
  Options options;
  options.seed = seed_from_environment(options.seed);
  for (Given& given : settings::RealizationText("sim", text).settings()) {
    given.subject = "sim: the setting " + net::shown_setting(given.name);
    const auto records = std::span(settings::common_settings).last<2>();
    if (!take(options, given, known))
      given.refuse("is unknown; there are " + forms_of(known, records));
  }
  return options;
}

}  // namespace coracle::sim

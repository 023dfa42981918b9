// "seed=42,workers=2,nodes=3,delay=1ms..20ms"
#include "coracle/realizations/sim.hpp"

#include "realizations/net/src/settings_text.hpp"

#include <algorithm>
#include <chrono>

namespace coracle::sim {

namespace {

using settings::Said;

constexpr std::uint64_t any = ~std::uint64_t{0};

template <class Number>
void read(Number& member, const Said& said, std::uint64_t least, std::uint64_t most) {
  member = static_cast<Number>(number(said, said.value, least, most));
}

Duration span(const Said& said, std::string_view text) {
  if (text.starts_with('-'))
    said.refuse("is negative: " + net::shown_setting(text) + "; give 0us or more");
  const auto [digits, unit] = settings::Amount(text, {{"ns", 1, 1'000'000'000'000},
                                                      {"us", 1000, 1'000'000'000},
                                                      {"ms", 1'000'000, 1'000'000},
                                                      {"s", 1'000'000'000, 1'000}});
  if (unit.size == 0) said.refuse("needs a time such as 500ns, 1us, 20ms or 1s", text);
  return std::chrono::nanoseconds(number(said, digits, 0, unit.most) * unit.size);
}

// "1ms..20ms", or one time for both.
void range(Duration& least, Duration& most, const Said& said) {
  const std::string_view text = said.value;
  const std::size_t dots = std::min(text.find(".."), text.size());
  least = span(said, text.substr(0, dots));
  most = dots == text.size() ? least : span(said, text.substr(dots + 2));
  if (most < least) said.refuse("has its ends in the wrong order; write the shorter time first");
}

using To = Options&;
using From = const Said&;

constexpr settings::Setting<Options> known[] = {
    {"seed=N", [](To to, From said) { read(to.seed, said, 0, any); }},
    {"workers=N", [](To to, From said) { read(to.workers, said, 1, 256); }},
    {"nodes=N", [](To to, From said) { read(to.nodes, said, 1, 256); }},
    {"delay=TIME..TIME", [](To to, From said) { range(to.delay_least, to.delay_most, said); }},
    {"bandwidth=N", [](To to, From said) { read(to.bandwidth, said, 0, any); }},
    {"turn=TIME", [](To to, From said) { to.turn = span(said, said.value); }},
    {"slow=0 or 1", [](To to, From said) { read(to.slow, said, 0, 1); }},
    {"disk=BYTES", [](To to, From said) { read(to.disk.capacity, said, 0, any); }},
    {"sync=TIME..TIME",
     [](To to, From said) { range(to.disk.sync_least, to.disk.sync_most, said); }},
    {"full=PERCENT", [](To to, From said) { read(to.disk.full, said, 0, 100); }},
    {"failed_syncs=PERCENT", [](To to, From said) { read(to.disk.failed_syncs, said, 0, 100); }},
    {"failed_reads=PERCENT", [](To to, From said) { read(to.disk.failed_reads, said, 0, 100); }},
    {"names=N", [](To to, From said) { read(to.directory.names, said, 1, 67'108'863); }},
    {"watches=N", [](To to, From said) { read(to.directory.watches, said, 1, ~std::uint32_t{0}); }},
};

}  // namespace

Options options_from(std::string_view text) {
  Options options;
  options.seed = seed_from_environment(options.seed);
  for (Said& said : settings::RealizationText("sim", text).settings()) {
    said.subject = "sim: the setting " + net::shown_setting(said.name);
    if (!take(options, said, known))
      said.refuse("is unknown; there are " + forms_of(known) + " and record=FILE");
  }
  return options;
}

}  // namespace coracle::sim

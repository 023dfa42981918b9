#include "world_notes.hpp"

#include "coracle/errors.hpp"

#include <charconv>
#include <type_traits>

namespace coracle::recording {

namespace {

// Shows each setting and its key.
template <class Show>
void settings(sim::Options& options, const Show& show) {
  show("sim.seed", options.seed);
  show("sim.workers", options.workers);
  show("sim.nodes", options.nodes);
  show("sim.trace_messages", options.trace_messages);
  show("sim.things_limit", options.things_limit);
  show("sim.directory.names", options.directory.names);
  show("sim.directory.watches", options.directory.watches);
  show("sim.directory.members_of_group", options.directory.members_of_group);
  show("sim.directory.memberships", options.directory.memberships);
  show("sim.directory.leases", options.directory.leases);
}

}  // namespace

std::map<std::string, std::string> notes_of(const sim::Options& options) {
  sim::Options copy = options;
  std::map<std::string, std::string> notes;
  settings(copy, [&](const char* key, const auto& value) { notes[key] = std::to_string(value); });
  notes["sim.turn"] = std::to_string(options.turn.count());
  notes["realization"] = "sim:seed=" + std::to_string(options.seed);
  return notes;
}

std::optional<sim::Options> world_of(const std::map<std::string, std::string>& notes) {
  if (!notes.contains("sim.seed")) return std::nullopt;
  const auto number = [&](const char* key) {
    const auto found = notes.find(key);
    std::uint64_t value = 0;
    if (found == notes.end()) {
      throw Error(Errc::bad_encoding, std::string("the recording lacks the note ") + key);
    }
    std::from_chars(found->second.data(), found->second.data() + found->second.size(), value);
    return value;
  };
  sim::Options options;
  settings(options, [&](const char* key, auto& value) {
    value = static_cast<std::remove_reference_t<decltype(value)>>(number(key));
  });
  options.turn = Duration(static_cast<std::int64_t>(number("sim.turn")));
  return options;
}

}  // namespace coracle::recording

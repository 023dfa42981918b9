#include "world_notes.hpp"

#include "coracle/errors.hpp"

#include <array>
#include <charconv>
#include <type_traits>
#include <utility>

namespace coracle::recording {

namespace {

// Passes each setting and its key to `show`.
template <class Show>
void settings(sim::Options& options, const Show& show) {
  show("sim.seed", options.seed);
  show("sim.workers", options.workers);
  show("sim.nodes", options.nodes);
  show("sim.trace_messages", options.trace_messages);
  show("sim.slow", options.slow);
  show("sim.bandwidth", options.bandwidth);
  show("sim.disk.capacity", options.disk.capacity);
  show("sim.disk.sector", options.disk.sector);
  show("sim.disk.full", options.disk.full);
  show("sim.disk.failed_syncs", options.disk.failed_syncs);
  show("sim.disk.failed_reads", options.disk.failed_reads);
  show("sim.things_limit", options.things_limit);
  show("sim.directory.names", options.directory.names);
  show("sim.directory.watches", options.directory.watches);
  show("sim.directory.members_of_group", options.directory.members_of_group);
  show("sim.directory.memberships", options.directory.memberships);
  show("sim.directory.leases", options.directory.leases);
}

std::array<std::pair<const char*, Duration*>, 6> spans(sim::Options& options) {
  return {{{"sim.turn", &options.turn},
           {"sim.disk.call", &options.disk.call},
           {"sim.disk.sync_least", &options.disk.sync_least},
           {"sim.disk.sync_most", &options.disk.sync_most},
           {"sim.delay_least", &options.delay_least},
           {"sim.delay_most", &options.delay_most}}};
}

}  // namespace

std::map<std::string, std::string> notes_of(const sim::Options& options) {
  sim::Options copy = options;
  std::map<std::string, std::string> notes;
  settings(copy, [&](const char* key, const auto& value) { notes[key] = std::to_string(value); });
  for (const auto& [key, span] : spans(copy)) notes[key] = std::to_string(span->count());
  notes["realization"] = "sim:seed=" + std::to_string(options.seed);
  return notes;
}

std::optional<sim::Options> world_of(const std::map<std::string, std::string>& notes) {
  if (!notes.contains("sim.seed")) return std::nullopt;
  const auto number = [&](const char* key) {
    const auto found = notes.find(key);
    std::uint64_t value = 0;
    if (found == notes.end()) {
      throw Error(Errc::bad_encoding, std::string("the recording lacks the note ") + key +
                                          "; it is damaged, take another copy of it");
    }
    std::from_chars(found->second.data(), found->second.data() + found->second.size(), value);
    return value;
  };
  sim::Options options;
  settings(options, [&](const char* key, auto& value) {
    value = static_cast<std::remove_reference_t<decltype(value)>>(number(key));
  });
  for (const auto& [key, span] : spans(options)) {
    *span = Duration(static_cast<std::int64_t>(number(key)));
  }
  return options;
}

}  // namespace coracle::recording

// Writers of stories in the formats of other tools: pure functions that pass their output to a
// sink, part by part. Names and contents, which agents choose, are escaped for each format. Tests:
// view/formats/tests
#pragma once

#include "coracle/formats/story.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace coracle::formats {

// Takes the next part of the output. It may throw; the writer then ends with that exception.
using Sink = std::function<void(std::string_view part)>;

// The number of messages that were written, and that of the others, which a limit left out. The
// output says that something is left out.
struct Written {
  std::uint64_t messages = 0;
  std::uint64_t left_out = 0;
};

// A line of JSON for each message, then one for each life and each gap. Times are in seconds since
// the beginning of the story. Contents are decoded.
Written write_ndjson(const Story& story, const Sink& sink);

// A sequence diagram of Mermaid, with at most `characters`, which is at least 1000. Mermaid accepts
// 50,000 by itself. Notes tell of the beginnings and the ends of agents, and of gaps.
Written write_mermaid(const Story& story, const Sink& sink, std::size_t characters = 50'000);

// A directed graph of Graphviz: an arrow from each agent to each one to which it has sent, whose
// thickness shows the number of messages. Only the `arrows` with the most messages are drawn.
// Agents that crashed are red, those that ended dashed; gaps are under the names of their
// eavesdroppers.
Written write_graphviz(const Story& story, const Sink& sink, std::size_t arrows = 1000);

// A trace of Perfetto, for https://ui.perfetto.dev: tracks for each agent, grouped by nodes, with
// the time for which it had each message and for which its requests were open; arrows from each
// send to its receive.
Written write_perfetto(const Story& story, const Sink& sink);

}  // namespace coracle::formats

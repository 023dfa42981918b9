// The story of a society that runs, as an eavesdropper overhears it.
// Tests: view/formats/tests/overheard_test.cpp, tools/operating_test
#pragma once

#include "coracle/formats/story.hpp"

#include "coracle/overhearing.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace coracle::formats {

// The limits of the messages that wait to be taken.
struct OverheardLimits {
  std::size_t messages = 200'000;
  std::size_t bytes = std::size_t{256} << 20;  // of their texts and headers
};

// Joins the copies of messages with the notices of what becomes of them (TapOptions::outcomes), and
// replies with their requests. The times are those at which the copies and notices came; so there
// are no lives of agents, and all messages are of node 0. A message to a group is there once for
// each member that a notice names. Pure: times come from outside.
class OverheardStory {
 public:
  explicit OverheardStory(Time begin, OverheardLimits limits = {});
  ~OverheardStory();
  OverheardStory(const OverheardStory&) = delete;
  OverheardStory& operator=(const OverheardStory&) = delete;

  // Adds a copy, a notice or a gap, which `hearer` got at `at`. Returns false if there was no room:
  // then the copy counts as missed.
  bool add(const MessageView& overheard, const Name& hearer, Time at);

  // The number of messages that wait to be taken.
  std::size_t waiting() const noexcept;
  // Returns whether each of them has its outcome.
  bool has_ended() const noexcept;

  // Takes the messages that have ended: a request together with its reply, and a message to a group
  // one second after its last notice. If more than `most` others wait, takes the oldest of these,
  // too, without their outcomes. The story refers to texts that are valid until the next call.
  Story take_ended(Time now, std::size_t most);
  // Takes all messages.
  Story take(Time now);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace coracle::formats

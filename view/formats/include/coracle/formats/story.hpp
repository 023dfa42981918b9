// The story of a society: its messages with what became of them, and the lives of its agents. The
// writers of <coracle/formats/writers.hpp> turn a story into the formats of other tools;
// <coracle/formats/story_of.hpp> makes one of a recording.
// Tests: view/formats/tests/story_test.cpp
#pragma once

#include "coracle/ending.hpp"
#include "coracle/envelope.hpp"
#include "coracle/message_kind.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::formats {

// The time of something that did not happen, or whose time is not known.
inline constexpr Time never = Time::max();

// The kinds of message. A failure is a reply, too.
using Kind = MessageKind;

// A message with what became of it. Its texts refer to the place that the story was made of.
struct StoryMessage {
  // Its number, from 1 on; and that of the request that it answers, if it is known.
  std::uint64_t id = 0;
  std::uint64_t answers = 0;
  // The times at which it was sent, came into its target's mailbox, was handed out (for the last
  // time), and got its outcome.
  Time sent = never, kept = never, taken = never, ended = never;
  // The sender with its incarnation, the target, the group that was addressed, and the address for
  // replies; the last two may be empty.
  Name source, target, group, reply_to;
  Incarnation life;
  // The nodes of sender and target.
  unsigned source_node = 0, target_node = 0;
  Conversation conversation = 0;
  // The number of times that it was handed out.
  unsigned handed_out = 0;
  Kind kind = Kind::plain;
  // The outcome; nothing if it was still under way at the end of the story. The reason is that of
  // a dropped message.
  std::optional<Outcome> outcome;
  std::optional<DropReason> reason;
  bool redelivered = false;
  bool earlier = false;         // sent to a group before its target joined the group
  bool from_elsewhere = false;  // only its arrival was seen: `sent` is the time of arrival
  bool is_encoded = true;       // false: the content could not be encoded, only its type is known
  std::string_view type, content;
  std::span<const std::pair<std::string, std::string>> headers;
  Time deadline = never;
  TraceContext trace;
};

// The life of one incarnation of an agent.
struct StoryLife {
  // A membership in a group.
  struct Stay {
    Name group;
    Time joined = never, left = never;
  };

  Name agent;
  Incarnation life;
  unsigned node = 0;
  // Each is `never` if it was not seen.
  Time began = never, ended = never;
  std::optional<EndReason> reason;
  std::string_view text;  // of the exception that ended it
  std::vector<Stay> groups;
};

// Messages that an eavesdropper missed.
struct StoryGap {
  Time at = never;
  Name hearer;
  std::uint64_t missed = 0;  // MessageView::unknown_gap: their number is not known
};

// A choice of messages. An empty field restricts nothing.
struct Selection {
  // Patterns for names, as in lab/**: the source, the target or the group fits one of them.
  std::vector<std::string> names;
  // Patterns for the content type.
  std::vector<std::string> types;
  std::optional<Conversation> conversation;
  // The time of sending, since the beginning of the story; `until` is not included.
  Duration from = Duration::zero(), until = Duration::max();

  // Returns whether it restricts nothing.
  bool is_everything() const noexcept;
  // Returns whether it chooses a message of a story that began at `begin`.
  bool fits(const StoryMessage& message, Time begin) const noexcept;
};

// The messages are in the order of their numbers, the others in the order of their times.
struct Story {
  // The first and the last time in it; equal for an empty story.
  Time begin{}, end{};
  // The realization, as in "sim:seed=3"; empty if it is not known.
  std::string realization;
  std::vector<StoryMessage> messages;
  std::vector<StoryLife> lives;
  std::vector<StoryGap> gaps;
  // The number of messages that a selection has left out.
  std::uint64_t not_selected = 0;

  // The message with that number; nullptr if there is none.
  const StoryMessage* find(std::uint64_t id) const noexcept;
  // Leaves out the messages that `selection` does not choose, with the lives of the agents and the
  // gaps that have nothing to do with the others. begin and end stay.
  void keep(const Selection& selection);
};

}  // namespace coracle::formats

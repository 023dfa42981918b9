// The events of a society, read back from the file that a Recorder wrote.
// Tests: realizations/recording/tests.
#pragma once

#include "coracle/observer.hpp"
#include "coracle/realizations/sim.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coracle::recording {

// The number of a message in its recording; messages are numbered from 1 in the order in which they
// were sent.
using MessageId = std::uint64_t;

// A message as it was sent.
struct Said {
  MessageId id = 0;
  Time at;
  unsigned node = 0;
  unsigned worker = 0;
  // The sender and its incarnation; the target agent, and the group that was addressed, if there
  // was one.
  Name source;
  Incarnation life;
  Name target;
  Name addressed;
  Conversation conversation = 0;
  // The kind of the message.
  bool is_request = false;
  bool is_reply = false;
  bool is_failure = false;
  bool redelivered = false;
  bool earlier = false;  // sent to a group before its target joined the group
  // The content as bytes; only the type when the content could not be encoded.
  std::string type;
  std::string content;
  bool is_encoded = true;
  std::vector<std::pair<std::string, std::string>> headers;
  Name reply_to;
  Time deadline = Time::max();
  TraceContext trace;

  bool operator==(const Said&) const = default;
};

// An event; see Observation, whose terms are used here.
struct Happened {
  Happening what = Happening::accepted;
  Time at;
  unsigned node = 0;
  unsigned worker = 0;
  MessageId message = 0;
  Name agent;
  Incarnation life;
  std::uint64_t detail = 0;
  std::string text;

  bool operator==(const Happened&) const = default;
};

// A choice of the simulator.
struct Chosen {
  Choice what = Choice::part;
  std::uint32_t taken = 0;
  std::uint32_t count = 0;

  bool operator==(const Chosen&) const = default;
};

// One line for people: `#3 ann -> bob "hello"`.
std::string to_string(const Said& said);
// One line for people: `bob: handed out #3`.
std::string to_string(const Happened& happened);

// A recording, all of it in memory.
class Recording {
 public:
  // Reads `file`, which is left as it is, to the byte. Fails with Errc::no_such_file, with
  // Errc::bad_encoding when it is no recording, is damaged, or was written by another version, and
  // with Errc::too_large when it has more bytes than the limit.
  static Recording load(const std::string& file,
                        std::uint64_t bytes_limit = std::uint64_t{4} << 30);

  // The realization of the recording: "sim:seed=3", "local:".
  const std::string& realization() const noexcept { return realization_; }
  // Returns whether the recorder has closed the recording. Another recording ends where its program
  // ended, or its disk failed.
  bool complete() const noexcept { return complete_; }
  // For an incomplete recording: a sentence for people with the message after which it ends, and
  // with the possible reason. Empty when the recording is complete.
  std::string cut_off() const;
  // Returns whether the simulator made the recording, so that it can be replayed exactly; and the
  // settings of its world.
  bool is_simulated() const noexcept { return world_.has_value(); }
  const sim::Options& world() const noexcept { return *world_; }
  // The notes that the recorder's settings added.
  const std::map<std::string, std::string>& notes() const noexcept { return notes_; }

  // All messages, by their numbers.
  const std::vector<Said>& messages() const noexcept { return messages_; }
  // All other events, in order; the events of one agent are in the agent's own order.
  const std::vector<Happened>& events() const noexcept { return events_; }
  // The choices of the simulator, in order.
  const std::vector<Chosen>& choices() const noexcept { return choices_; }
  // The message with that number. Fails with Errc::bad_options when there is none.
  const Said& message(MessageId id) const;

 private:
  friend class Loader;
  Recording() = default;

  std::string realization_;
  bool complete_ = false;
  std::optional<sim::Options> world_;
  std::map<std::string, std::string> notes_;
  std::vector<Said> messages_;
  std::vector<Happened> events_;
  std::vector<Chosen> choices_;
};

}  // namespace coracle::recording

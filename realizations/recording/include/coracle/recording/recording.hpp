// What a society did, read back from the file that a Recorder wrote.
// Contract: realizations/recording/tests.
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

// The number of a message in its recording, from 1 on, in the order in which they were sent.
using MessageId = std::uint64_t;

// A message as it was sent.
struct Said {
  MessageId id = 0;
  Time at;
  unsigned node = 0;
  unsigned worker = 0;
  // Who sent it, in which life; to which agent, and the group it was addressed to, if it was.
  Name source;
  Incarnation life;
  Name target;
  Name addressed;
  Conversation conversation = 0;
  // What it is.
  bool is_request = false;
  bool is_reply = false;
  bool is_failure = false;
  bool redelivered = false;
  bool earlier = false;  // it was sent to a group before its target joined that
  // Its content as bytes; nothing but the type when it could not be encoded.
  std::string type;
  std::string content;
  bool is_encoded = true;
  std::vector<std::pair<std::string, std::string>> headers;
  Name reply_to;
  Time deadline = Time::max();
  TraceContext trace;

  bool operator==(const Said&) const = default;
};

// Something that happened; see Observation, whose words these are.
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

  // Where it was made: "sim:seed=3", "local:".
  const std::string& realization() const noexcept { return realization_; }
  // Whether it was closed by its recorder. One that was not ends where its program did, or its
  // disk.
  bool complete() const noexcept { return complete_; }
  // One that is not: a sentence for people that says after which message it ends, and why that may
  // be. Empty when it is complete.
  std::string cut_off() const;
  // Whether the simulator made it, so that it can be replayed exactly; and in which world.
  bool is_simulated() const noexcept { return world_.has_value(); }
  const sim::Options& world() const noexcept { return *world_; }
  // What its maker noted beside.
  const std::map<std::string, std::string>& notes() const noexcept { return notes_; }

  // All messages, by their numbers.
  const std::vector<Said>& messages() const noexcept { return messages_; }
  // Everything else, in order; what one agent did and met is in its own.
  const std::vector<Happened>& events() const noexcept { return events_; }
  // The choices of the simulator, in order.
  const std::vector<Chosen>& choices() const noexcept { return choices_; }
  // The message of that number. Fails with Errc::bad_options when there is none.
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

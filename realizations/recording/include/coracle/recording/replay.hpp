// Makes a society that was recorded in the simulator do the same again, to the byte, or almost the
// same: with a message dropped, delayed or changed.
// Tests: realizations/recording/tests.
#pragma once

#include "coracle/recording/recording.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace coracle::recording {

// The first point at which a replay differed from its recording.
struct Difference {
  // The event of the recording, and the event instead of it, each as a line for people.
  std::string recorded;
  std::string replayed;

  // Both of them in one sentence.
  std::string to_string() const;
};

// The result of a replay.
struct Replayed {
  // Set when the replay stopped at the requested message.
  bool stopped = false;
  // The time at which the replay ended; and what each agent waited for, if it was stopped.
  Time at;
  std::string waits;
  // The first difference. A replay that is no fork differs only when the program does.
  std::optional<Difference> difference;
  // The text of the exception of the society, if it threw.
  std::string failure;
  // The world's trace, and its hash.
  std::string trace;
  std::uint64_t trace_hash = 0;
  // The number of messages that were sent.
  std::uint64_t messages = 0;
};

// The settings of one replay. Setters return *this.
class Replay {
 public:
  // Fails with Errc::unsupported when the recording was not made in the simulator, or is
  // incomplete.
  explicit Replay(const Recording& recording);

  // Stops when that message has been sent, after the turn in which it was sent: the society's call
  // that runs the world fails with Errc::cancelled. `look` may look at the world before that.
  Replay& until(MessageId id, std::function<void(sim::World& world)> look = {});
  // Loses that message on its way; its outcome is *dropped*.
  Replay& drop(MessageId id);
  // Makes that message take `longer` than it did; later messages from its sender to its target
  // wait.
  Replay& delay(MessageId id, Duration longer);
  // Replaces the content of that message when it arrives. Eavesdroppers receive the original
  // content.
  Replay& change(MessageId id, Content content);
  // Keeps the world's trace.
  Replay& traced() { return traced_ = true, *this; }

  // Runs `society` in a world that makes the choices of the recording. A fork that has other
  // choices to make uses the same numbers as long as there are any, and then the plainest choice.
  Replayed run(const sim::World::Play& society) const;
  // The same; what happens is recorded in that new file, at once (RecorderOptions::at_once), and
  // nothing is compared. until() has no effect. Fails as Recorder does.
  Replayed run(const sim::World::Play& society, const std::string& file) const;

  // The same as a realization for the node of a program that has one node; nothing is compared, and
  // until() has no effect. Unless `file` is empty, what happens is recorded in that new file, at
  // once (RecorderOptions::at_once). Fails as Recorder does, and with Errc::unsupported when the
  // recorded world had several hosts: play() of <coracle/realizations/play.hpp> replays these.
  static Realization realization(std::shared_ptr<const Recording> recording,
                                 const std::function<void(Replay& replay)>& choose,
                                 const std::string& file);

 private:
  friend class Rerun;
  struct Change {
    enum class Kind : std::uint8_t { drop, delay, change } kind = Kind::drop;
    MessageId id = 0;
    std::uint64_t sequence = 0;
    Duration longer{};
    Content content;
  };
  Replay& add(Change change);

  const Recording& recording_;
  std::vector<Change> changes_;
  MessageId until_ = 0;
  std::function<void(sim::World&)> look_;
  bool traced_ = false;
};

}  // namespace coracle::recording

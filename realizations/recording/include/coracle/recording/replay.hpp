// Has a society that was recorded in the simulator do the same again, to the byte, or almost the
// same: with a message dropped, delayed or changed.
// Contract: realizations/recording/tests.
#pragma once

#include "coracle/recording/recording.hpp"

#include <functional>
#include <optional>
#include <string>

namespace coracle::recording {

// Where a replay first went another way than its recording.
struct Difference {
  // What the recording says, and what happened instead, each a line for people.
  std::string recorded;
  std::string replayed;

  // Both of them in a sentence.
  std::string to_string() const;
};

// What came of a replay.
struct Replayed {
  // Whether it was stopped where it was asked to be.
  bool stopped = false;
  // When it ended; and who waited for what, if it was stopped.
  Time at;
  std::string waits;
  // Where it first differed. A replay that is no fork differs only when the program does.
  std::optional<Difference> difference;
  // What the society threw, if it did.
  std::string failure;
  // The world's trace, and its hash.
  std::string trace;
  std::uint64_t trace_hash = 0;
  // How many messages were sent.
  std::uint64_t messages = 0;
};

// One replay to be had. Setters return *this.
class Replay {
 public:
  // Fails with Errc::unsupported when the recording was not made in the simulator, or is
  // incomplete.
  explicit Replay(const Recording& recording);

  // Stops when that message has been sent, after the turn in which it was: the society's call that
  // runs the world fails with Errc::cancelled. `look` may look at the world before that.
  Replay& until(MessageId id, std::function<void(sim::World& world)> look = {});
  // That message is lost on its way; its outcome is *dropped*.
  Replay& drop(MessageId id);
  // That message takes so much longer, and those after it from its sender to its target wait.
  Replay& delay(MessageId id, Duration longer);
  // That message says something else when it comes. Who overheard it heard what was sent.
  Replay& change(MessageId id, Content content);
  // Keeps the world's trace.
  Replay& traced() { return traced_ = true, *this; }

  // Runs `society` in a world that makes the choices of the recording; where a fork has others to
  // make, they are the same numbers as long as there are any, and the plainest then.
  Replayed run(const sim::World::Play& society) const;

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

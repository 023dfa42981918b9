// Watches of one name, for coroutines of one worker.
#pragma once

#include "coracle/acquaintances.hpp"
#include "coracle/directory.hpp"
#include "runtime/worker/worker.hpp"

#include <deque>
#include <memory>

namespace coracle::detail {

class NameWatch {
 public:
  // Only the home worker touches this.
  struct State {
    bool here = false;
    bool seen = false;
    std::deque<Ending> endings;
    Link waits;
    std::shared_ptr<State> into;  // gets the endings instead, if there is one
  };

  // Several watches may update the same state.
  NameWatch(Worker& home, Name name, std::shared_ptr<State> state = std::make_shared<State>())
      : home_(home), name_(std::move(name)), state_(std::move(state)) {}
  ~NameWatch();

  // After this has returned, no event is missed.
  Task<> begin();
  // Returns whether somebody holds the name.
  bool here() const noexcept { return state_->here; }
  // Returns whether there is an ending that was not given yet.
  bool has_ending() const noexcept { return !state_->endings.empty(); }
  // Waits until somebody has held the name. Returns false at the deadline.
  Task<bool> seen(Deadline deadline);
  // Returns the next ending that `state` gets.
  static Task<Ending> next_ending(std::shared_ptr<State> state);
  Task<Ending> ending() { return next_ending(state_); }
  Time now() const { return home_.now(); }

 private:
  // The watcher that the directory calls; it lives until the watch has ended there.
  struct Relay final : DirectoryWatcher {
    void on_change(const DirectoryEvent& event) noexcept override;

    Worker* home = nullptr;
    Name name;
    std::shared_ptr<State> state;
  };
  static Task<> stop(Directory& directory, std::uint64_t watch, std::unique_ptr<Relay> relay);

  Worker& home_;
  const Name name_;
  std::uint64_t watch_ = 0;
  std::unique_ptr<Relay> relay_;
  std::shared_ptr<State> state_;
};

}  // namespace coracle::detail

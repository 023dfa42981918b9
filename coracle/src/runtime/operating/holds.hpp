// The messages that operators hold in mailboxes of this node. A mailbox whose messages may be held
// has Mode::steps, and is left alone by the fast path; all others pay nothing. A held message is in
// its mailbox, and has a number (OptionalFields::held); reads pass over it.
#pragma once

#include "coracle/match.hpp"
#include "inspection/step_parts.hpp"
#include "runtime/mailbox/mailbox.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace coracle::detail {

// The operator's node, and its number for the hold.
struct HoldKey {
  LeaseId by = 0;
  std::uint64_t number = 0;
  auto operator<=>(const HoldKey&) const = default;
};

// Fits every message that is not held.
const Match& not_held();

// Safe to call from every thread, except where a worker is the first argument: that is the home of
// the mailbox.
class Holds {
 public:
  static constexpr std::size_t most_of_node = 16, most = 64;

  explicit Holds(NodeCore& node) noexcept : node_(node) {}

  // Returns a number for a hold of an agent of this node.
  std::uint64_t next_number();

  // --- requests, at any worker ---
  // Begins a hold, unless it is there. Returns when the directory has judged each agent.
  Task<StepReply> begin(Worker& at, HoldKey key, Pattern pattern, HoldOptions options);
  StepReply look(HoldKey key);
  StepReply release(HoldKey key, const std::vector<std::uint32_t>& numbers, bool to_end);
  // All its messages are released.
  StepReply end(HoldKey key);
  void end_all_of(LeaseId by);
  void end_all();

  // --- at the home of a mailbox ---
  // Returns whether a message that is about to come into the mailbox is to be held.
  bool wants(const Mailbox& target, const MessageRecord& record);
  // The message has come into the mailbox: holds it, or hands it to a reader that waits for it.
  void keep(Worker& home, Mailbox& target, MessageRecord& record);
  // A held message has left its mailbox.
  void left(OptionalFields& fields) noexcept;
  // An agent has begun, or is no longer there.
  void join(Worker& home, Mailbox& mailbox);
  void leave(Worker& home, Mailbox& mailbox);

 private:
  struct Held {
    Mailbox* mailbox = nullptr;
    HeldMessage shown;
  };
  struct One {
    std::shared_ptr<const Pattern> pattern;
    HoldOptions options;
    std::set<Mailbox*, std::less<>> agents;
    std::map<std::uint32_t, Held> held;  // by its number, the oldest first
    std::uint64_t bytes = 0, let_go = 0, refused = 0;
  };
  struct ToRelease {
    Mailbox* mailbox = nullptr;
    std::uint32_t number = 0;
  };

  Task<> judge(HoldKey key, Mailbox& mailbox);
  Task<> judge_late(HoldKey key, Mailbox& mailbox);
  // Returns whether the node of that lease, or all nodes, have as many holds as they may have.
  bool has_too_many(LeaseId by) const;
  static bool is_beyond_limits(const One& one) noexcept;
  std::vector<Mailbox*> selected_by(const Pattern& pattern);
  static StepReply state_of_hold(const One& one);
  One* hold_that_wants(const Mailbox& target, const MessageRecord& record);
  // Takes a held message out of the books.
  std::map<std::uint32_t, Held>::iterator strike(One& one,
                                                 std::map<std::uint32_t, Held>::iterator which,
                                                 std::vector<ToRelease>& released);
  void let_all_go(One& one, std::vector<ToRelease>& released, std::vector<Mailbox*>& left_alone);
  static void release_each(const std::vector<ToRelease>& released, bool to_end);
  // Lets the fast path have the mailbox again if no hold has it.
  void leave_alone(Mailbox& mailbox);

  NodeCore& node_;
  std::atomic<bool> any_{false};
  std::mutex mutex_;  // guards what follows
  std::map<HoldKey, One> holds_;
  std::uint32_t numbers_ = 0;
  std::uint64_t own_ = 0;  // the holds of this node's agents
};

// Returns whether this node lets the node with that lease act on the name.
Task<bool> may_operate(NodeCore& node, LeaseId by, Name name);

}  // namespace coracle::detail

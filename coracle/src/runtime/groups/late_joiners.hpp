// A group's last messages for agents that join it late. Each sender that was asked to keep messages
// keeps its own, at its home. The node knows which agents keep messages, and which are about to
// join.
#pragma once

#include "coracle/agent.hpp"
#include "coracle/directory.hpp"
#include "runtime/mailbox/mailbox.hpp"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace coracle::detail {

// Exists as long as a member is being sent some of a sender's last messages. Its destructor
// notifies the waiting code.
struct Giving {
  ~Giving() {
    for (const auto& tell : then) tell();
  }
  std::vector<std::function<void()>> then;
};

// The last messages that one sender has sent to one group, without a hole. Used at its home.
class KeptLast {
 public:
  // Limits the number of messages, and the bytes that they may take.
  void limit(std::size_t messages, std::size_t bytes);
  // Keeps a message. A message that is larger than all that may be kept removes the earlier ones,
  // and is not kept itself.
  void keep(std::unique_ptr<MessageRecord, FreeRecord> record);
  std::size_t size() const noexcept { return kept_.size(); }
  // The oldest is the first.
  const MessageRecord& operator[](std::size_t index) const { return *kept_[index]; }
  std::shared_ptr<Giving> begin_giving();
  // Returns null when no member is being sent any of the messages.
  std::shared_ptr<Giving> giving() const noexcept { return giving_.lock(); }

 private:
  void forget_oldest();

  std::size_t messages_ = 0, bytes_limit_ = 0, bytes_ = 0;
  std::deque<std::unique_ptr<MessageRecord, FreeRecord>> kept_;
  std::weak_ptr<Giving> giving_;
};

// The messages that an agent keeps, by group.
struct KeptByGroup {
  std::map<Name, KeptLast> of;
};

// The late joiners of a node. Safe to call from every thread.
class LateJoiners {
 public:
  // An agent, and how many of the last messages it is to get.
  struct Owed {
    Name member;
    std::size_t count;
  };
  // An agent that asks for messages: of the node with that lease, or of this node (0).
  struct Asker {
    LeaseId lease;
    Name member;

    auto operator<=>(const Asker&) const = default;
  };
  // So many agents of this node ask the other nodes at a time. At most as many agents of one other
  // node are expected, and at most as many of its requests are being judged.
  static constexpr std::size_t most_of_one_node = 256;

  void keeps(const Name& group, Mailbox& sender);
  void keeps_no_more(const Name& group, Mailbox& sender);
  // Returns whether any agent here keeps messages to that group.
  bool is_kept(const Name& group);

  // An agent is about to join, and is expected until `until`. Proof that its node may act for the
  // member may come later.
  void expect(const Name& group, const Asker& asker, std::size_t count, bool is_proven,
              Time until = Time::max());
  void prove(const Name& group, const Asker& asker);
  // Returns those of `members` that must get messages of that sender before its next message, and
  // notes that this is done.
  std::vector<Owed> owed(const Name& group, Mailbox& sender, const std::vector<Name>& members,
                         Time now);
  bool is_expected(const Name& group, const Asker& asker, Time now);
  // Returns the senders that keep messages to the group, after an expected agent has joined.
  std::vector<Mailbox*> owing(const Name& group, const Asker& asker);
  // The same for one sender, at its home: returns how many messages it must send, and notes that
  // this is done.
  std::size_t owed_by(const Name& group, const Asker& asker, Mailbox& sender);
  // The agent has all that it gets, or does not join.
  void forget(const Name& group, const Asker& asker);
  // Returns false when too many requests of that node are being judged.
  bool begin_judging(LeaseId lease);
  void end_judging(LeaseId lease);
  // The node with that lease is gone.
  void forget(LeaseId lease);

  // An agent here wants to ask the other nodes. It waits in line; `may_ask` is called when its turn
  // comes, and perhaps again. Returns its number in the line.
  std::uint64_t line_up(std::function<void()> may_ask);
  void step_out(std::uint64_t number) noexcept;

 private:
  struct Expected {
    std::size_t count = 0;
    std::uint64_t since = 0;
    bool is_proven = false;
    Time until{};
    std::set<Mailbox*> done;  // senders that owe it nothing more
  };
  struct Joined {
    std::set<Mailbox*> senders;
    std::map<Asker, Expected> expected;
  };
  using Groups = std::map<Name, Joined>;
  void make_room_for(LeaseId lease);
  Expected* expected(const Name& group, const Asker& asker);
  void drop(Groups::iterator group, std::map<Asker, Expected>::iterator one);
  void drop_unused(Groups::iterator group);
  void uncount(LeaseId lease);

  std::mutex mutex_;  // guards all of this
  std::uint64_t asked_ = 0;
  Groups groups_;
  std::map<LeaseId, std::size_t> expected_of_, judged_of_;  // other nodes' only
  std::uint64_t in_line_ = 0;
  std::map<std::uint64_t, std::function<void()>> line_;  // the first of them ask
};

// One attempt of an agent to join a group and get its last messages, as long as the attempt takes.
// If the object ends in the middle of the attempt, no node expects the agent any more.
class LateJoin {
 public:
  LateJoin(Agent& agent, Name group, std::size_t count);
  ~LateJoin();
  LateJoin(const LateJoin&) = delete;
  LateJoin& operator=(const LateJoin&) = delete;

  // Announces to every other node that the agent is about to join.
  Task<> begin();
  // The agent has joined, or could not. The senders send what it wants; on return, they have
  // forgotten the agent.
  Task<> finish(bool has_joined);

 private:
  Agent& agent_;
  NodeCore& node_;
  const Name group_;
  const LateJoiners::Asker asker_;
  const std::size_t count_;
  std::uint64_t in_line_ = 0;
  bool is_expected_ = false, has_asked_ = false;
};

// At the home of `sender`: sends `to.member` the last messages that the sender has sent to the
// group, as many as there is room for; then calls `done`.
void give_last(Worker& home, Mailbox& sender, const Name& group, const LateJoiners::Owed& to,
               std::function<void()> done);
// Has all senders here that still owe the agent messages send them, each at its home; then calls
// `done`, once.
void have_given(NodeCore& node, const Name& group, const LateJoiners::Asker& asker,
                const std::function<void()>& done);
// Returns when no member is being sent any message that the agent keeps for that group.
Task<> until_given(Agent& agent, Name group);
// Throws Errc::bad_options when `last` asks for too many messages.
void check_last(Last last);
// The agent keeps nothing any more.
void keep_nothing(NodeCore& node, Mailbox& mailbox) noexcept;
inline bool keeps_something(const Mailbox& mailbox) noexcept {
  return mailbox.extension && mailbox.extension->kept_last;
}
// Returns whether the message was sent to a group before its receiver joined the group.
inline bool is_earlier(const MessageRecord& record) noexcept {
  return record.fields != nullptr && record.fields->is_earlier && is_counted(record);
}

}  // namespace coracle::detail

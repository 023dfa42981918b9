// A group's last messages for those who join it later. Each sender that was told to keeps its own,
// at its home; the node knows which agents keep something, and who is about to join.
#pragma once

#include "coracle/agent.hpp"
#include "coracle/directory.hpp"
#include "runtime/party.hpp"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace coracle::detail {

// Somebody is being given some of a sender's last messages as long as this is there. Then those
// are told that wait for it.
struct Giving {
  ~Giving() {
    for (const auto& tell : then) tell();
  }
  std::vector<std::function<void()>> then;
};

// The last messages that one sender has sent to one group, without a hole. Used at its home.
class KeptLast {
 public:
  // How many at most, and how many bytes they may take.
  void limit(std::size_t messages, std::size_t bytes);
  // One that is larger than all that may be kept ends what was kept before it.
  void keep(std::unique_ptr<Parcel, FreeParcel> parcel);
  std::size_t size() const noexcept { return kept_.size(); }
  // The oldest is the first.
  const Parcel& operator[](std::size_t index) const { return *kept_[index]; }
  std::shared_ptr<Giving> begin_giving();
  // Nothing when nobody is being given any of them.
  std::shared_ptr<Giving> giving() const noexcept { return giving_.lock(); }

 private:
  void forget_oldest();

  std::size_t messages_ = 0, bytes_limit_ = 0, bytes_ = 0;
  std::deque<std::unique_ptr<Parcel, FreeParcel>> kept_;
  std::weak_ptr<Giving> giving_;
};

// What an agent keeps, by group.
struct KeptByGroup {
  std::map<Name, KeptLast> of;
};

// Of a node. Safe to call from every thread.
class LateJoiners {
 public:
  // Who is to get how many of the last messages.
  struct Owed {
    Name member;
    std::size_t count;
  };
  // An agent of the node with that lease, or of this node (0), asks for them.
  struct Asker {
    LeaseId lease;
    Name member;

    auto operator<=>(const Asker&) const = default;
  };
  // So many agents of a node ask the other nodes at a time. Of another node at most as many are
  // about to join, and as many of its questions are being judged.
  static constexpr std::size_t most_of_one_node = 256;

  void keeps(const Name& group, Party& sender);
  void keeps_no_more(const Name& group, Party& sender);
  // Whether anybody here keeps messages to that group.
  bool is_kept(const Name& group);

  // Somebody is about to join. Whether that node may speak for the member may become clear later.
  // It is expected until then.
  void expect(const Name& group, const Asker& asker, std::size_t count, bool is_proven,
              Time until = Time::max());
  void prove(const Name& group, const Asker& asker);
  // Who of `members` must get messages of that sender before its next one: it counts as done.
  std::vector<Owed> owed(const Name& group, Party& sender, const std::vector<Name>& members,
                         Time now);
  bool is_expected(const Name& group, const Asker& asker, Time now);
  // Who keeps messages to the group, when somebody that was expected has joined.
  std::vector<Party*> owing(const Name& group, const Asker& asker);
  // The same for one of them, at its home: how many it must give; it counts as done.
  std::size_t owed_by(const Name& group, const Asker& asker, Party& sender);
  // It has all that it gets, or does not join.
  void forget(const Name& group, const Asker& asker);
  // False when too many questions of that node are being judged.
  bool begin_judging(LeaseId lease);
  void end_judging(LeaseId lease);
  // The node with that lease is gone.
  void forget(LeaseId lease);

  // An agent here wants to ask the other nodes: `may_ask` is called when it is its turn, until
  // which it waits in line, and maybe again. Returns its number.
  std::uint64_t line_up(std::function<void()> may_ask);
  void step_out(std::uint64_t number) noexcept;

 private:
  struct Expected {
    std::size_t count = 0;
    std::uint64_t since = 0;
    bool is_proven = false;
    Time until{};
    std::set<Party*> done;  // those who owe it nothing more
  };
  struct Joined {
    std::set<Party*> senders;
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
  std::map<LeaseId, std::size_t> expected_of_, judged_of_;  // but for this node's own
  std::uint64_t in_line_ = 0;
  std::map<std::uint64_t, std::function<void()>> line_;  // the first of them ask
};

// That an agent joins a group, and wants its last messages, for as long as that takes. When it ends
// in the middle of that, it is expected nowhere any more.
class LateJoin {
 public:
  LateJoin(Agent& agent, Name group, std::size_t count);
  ~LateJoin();
  LateJoin(const LateJoin&) = delete;
  LateJoin& operator=(const LateJoin&) = delete;

  // Every node that keeps something is told that it is about to.
  Task<> begin();
  // It has joined, or could not: they give what it wants, and have forgotten it on return.
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

// At the home of `sender`: gives `member` the last messages that it has sent to the group, as many
// as there is room for; then `done`.
void give_last(Worker& home, Party& sender, const Name& group, const LateJoiners::Owed& to,
               std::function<void()> done);
// Has all senders here that still owe it do so, each at its home; then `done`, once.
void have_given(NodeCore& node, const Name& group, const LateJoiners::Asker& asker,
                const std::function<void()>& done);
// Returns when nobody is being given anything that the agent keeps for that group.
Task<> until_given(Agent& agent, Name group);
// Throws Errc::bad_options.
void check_last(Last last);
// The agent keeps nothing any more.
void keep_nothing(NodeCore& node, Party& party) noexcept;
inline bool keeps_something(const Party& party) noexcept {
  return party.extension && party.extension->kept_last;
}
// Whether it was sent to a group before its receiver joined that.
inline bool is_earlier(const Parcel& parcel) noexcept {
  return parcel.extras != nullptr && parcel.extras->is_earlier && is_counted(parcel);
}

}  // namespace coracle::detail

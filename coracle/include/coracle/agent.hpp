// The base of all agents: derive, write `Task<> run()`, and talk.
// Everything here is called by the agent itself, from run() or a task that it spawned; it all runs
// on one worker, one piece at a time, so an agent needs no locks.
#pragma once

#include "coracle/detail/awaiters.hpp"
#include "coracle/ending.hpp"
#include "coracle/mailbox.hpp"
#include "coracle/pattern.hpp"
#include "coracle/post.hpp"
#include "coracle/query.hpp"
#include "coracle/task.hpp"

#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coracle {

namespace detail {
struct ReceiptState;
}

class Node;
class Receipt;
class Acquaintances;
class AgentSpec;
struct Entry;

// An agent. It is made by create(), lives until run() returns, an exception leaves it, its name is
// taken over, or its node stops; then its mailbox keeps what was not read for the next holder.
class Agent : public detail::RootTask {
 public:
  Agent() noexcept = default;
  Agent(const Agent&) = delete;
  Agent& operator=(const Agent&) = delete;
  virtual ~Agent();

  // Agents come from the pool of the thread that makes them.
  static void* operator new(std::size_t bytes) { return detail::pool_allocate(bytes); }
  static void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return ::operator new(bytes, alignment);
  }
  static void operator delete(void* agent, std::size_t bytes) noexcept {
    detail::pool_free(agent, bytes);
  }
  static void operator delete(void* agent, std::size_t, std::align_val_t alignment) noexcept {
    ::operator delete(agent, alignment);
  }

  // What the agent does. It may send and receive here, not yet in its constructor.
  virtual Task<> run() = 0;

  // --- who and where ---

  // The agent's own name.
  const Name& name() const noexcept;
  // The agent's own address.
  Address self() const noexcept { return Address(party_); }
  // The node that it lives on.
  Node& node() const noexcept;
  // The present time on the node's clock.
  Time now() const noexcept;
  // The address of a name, whether or not anybody holds it. Fails with Errc::bad_name.
  Address find(Target who);

  // --- sending ---

  // Sends to one agent; returns when the message is accepted. It waits while the target's mailbox
  // is full. Fails with Errc::mailbox_full when patience ends or the policy says so,
  // Errc::too_large, Errc::deadlock, Errc::absent_full, Errc::not_permitted, Errc::fenced,
  // Errc::stopped.
  detail::Sending send(Target to, Content content, Conversation conversation = 0);
  // The same, to somebody whose address is known.
  detail::Sending send(Address to, Content content, Conversation conversation = 0);
  // The same, with the error as a value.
  detail::Sending::AsResult send_result(Target to, Content content, Conversation conversation = 0);
  // Sends what the post says, to one or several targets; returns when each is accepted. A target
  // that fails does not keep the others from getting it; the first failure is thrown at the end.
  Task<> send(Post post);
  // The same, with a receipt that tells what becomes of it. Failures are outcomes there.
  Task<Receipt> track(Post post);
  // Sends to all members of a group.
  Task<> multicast(Group to, Content content);

  // Sends a request and waits for its one reply. Fails as send() does, and with Errc::expired at
  // the deadline, Errc::peer_down or Errc::agent_failed when the agent that took the request ended
  // or lost its name before it answered, Errc::unanswered when it dropped it (see Message::keep()),
  // Errc::refused with the reason that it gave.
  detail::Asking ask(Target whom, Content content, Deadline deadline = Deadline::never());
  // The same, with the error as a value.
  detail::Asking::AsResult ask_result(Target whom, Content content,
                                      Deadline deadline = Deadline::never());
  // Answers a message, in its conversation.
  detail::Sending reply(const MessageView& message, Content content);
  // Answers a request with a reason why there is no answer.
  detail::Sending refuse(const MessageView& request, std::string_view reason);
  // A conversation that nobody else has.
  Conversation new_conversation();

  // --- reading ---

  // The oldest message; waits for one. Fails with Errc::stopped when the node stops and nothing
  // is left to read.
  detail::ReceivingAny receive() noexcept { return detail::ReceivingAny(this); }
  // The oldest message that fits; everything else keeps its place.
  detail::Receiving receive(Match match);
  // The oldest message that fits, or nothing when the deadline passes.
  detail::ReceivingUntil receive(Match match, Deadline deadline);
  // The oldest message, or nothing when the deadline passes.
  detail::ReceivingUntil receive(Deadline deadline) { return receive(Match(), deadline); }
  // The oldest message that fits, if there is one now.
  std::optional<Message> try_receive(Match match = Match());
  // How many messages that fit wait now.
  std::size_t pending(Match match = Match());
  // Sets the limits of the agent's own mailbox.
  void set_mailbox(const MailboxOptions& options);

  // --- groups, eavesdropping, neighbours ---

  // Becomes a member of a group; returns when the connected nodes know. Fails with
  // Errc::not_permitted.
  Task<> join(Group group);
  // The same; of the messages that were sent to the group before, the last ones come as well: at
  // most that many of each sender that keeps some, each marked as `earlier`, before whatever that
  // sender sends to the group from now on. Those that find no room in the mailbox are left out.
  // Fails with Errc::bad_options, too.
  Task<> join(Group group, Last last);
  // Ends that.
  Task<> leave(Group group);
  // From now on this agent keeps the last messages that it sends to a group, until it ends, for
  // those who join it later and ask for them; zero messages ends that. A message larger than all
  // that may be kept ends what was kept before it. Fails with Errc::bad_options,
  // Errc::limit_reached, Errc::fenced.
  void keep_last(const Group& group, std::size_t messages,
                 std::size_t bytes = std::size_t{1} << 20);
  // The members of a group now.
  Task<std::vector<Name>> members(Group group);
  // From its return on, hears every message that fits, sent by or to whomever: copies come to this
  // agent's mailbox. At most `limit` of them wait there; a gap marker stands for those missing.
  // Fails with Errc::not_permitted, Errc::limit_reached.
  Task<Ear> overhear(Pattern pattern, std::uint32_t limit = 1024);
  // Ends that; what is queued already stays.
  Task<> stop_overhearing(Ear ear);
  // Resolves names beforehand and watches for their arrival (section 3.1.4 of the paper).
  Task<Acquaintances> acquaint(std::vector<Name> names);
  // Waits until the agent of that name ends, and tells why. Fails with Errc::no_such_agent when
  // nobody holds the name.
  Task<Ending> watch(Name name);
  // Says what the directory may tell others about this agent.
  Task<> describe(Properties properties);
  // Entries of the directory that fit.
  Task<std::vector<Entry>> search(Query query);

  // --- tasks and time ---

  // Runs a task beside run(), never at the same instant as another of this agent. An exception
  // that leaves it ends the agent.
  void spawn(Task<> task);
  // Makes an agent, on this agent's worker unless the spec says otherwise; returns when its name
  // is registered. Fails with Errc::name_taken, Errc::bad_name, Errc::not_permitted,
  // Errc::limit_reached, Errc::stopped.
  template <class T, class... Args>
  Task<Address> create(AgentSpec spec, Args... args);
  // The same, of an agent that exists already but has not begun.
  Task<Address> adopt(AgentSpec spec, std::unique_ptr<Agent> agent);
  // Lets that much time pass; with Deadline::never(), all of it until the node stops.
  detail::Pausing pause(Deadline until) noexcept { return detail::Pausing(*this, until); }
  // Lets every other agent of this worker that is ready run first, and lets what this worker has
  // sent go out. What takes milliseconds without waiting does well to call it now and then.
  detail::Pausing yield() noexcept { return detail::Pausing(*this); }
  // Runs a long computation on a pool of threads and gives its result; the agent's other tasks go
  // on meanwhile. With g++ 12, name a lambda that captures what owns memory before awaiting this:
  // the compiler destroys such temporaries twice.
  template <class Function>
  auto compute(Function function) -> Task<decltype(function())>;

  // The library's own record.
  detail::Party* party() const noexcept { return party_; }

 private:
  friend class detail::Worker;
  friend class detail::Party;
  friend class detail::Sending;
  friend struct detail::AgentAccess;

  void on_root_done(std::coroutine_handle<> frame, std::exception_ptr error) noexcept final;
  detail::Parcel* pack(Target to, Content content, Conversation conversation, std::uint16_t flags);
  detail::Parcel* pack(Address to, Content content, Conversation conversation, std::uint16_t flags);
  detail::Parcel* pack(const Post& post, const Name& target);
  Task<std::vector<Name>> targets_of(const Post& post);
  bool keep_sent(const Post& post, const std::vector<Name>& members);
  Task<> send_to_all(const Post& post, std::shared_ptr<detail::ReceiptState> receipt);
  void resolve(Match& match);

  detail::Party* party_ = nullptr;
  std::coroutine_handle<> main_;
};

}  // namespace coracle

#include "coracle/detail/agent_templates.hpp"

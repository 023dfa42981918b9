// The base class of all agents: derive from it and write `Task<> run()`.
// Only the agent itself calls these functions, from run() or from a task that it spawned. All its
// code runs on one worker, one piece at a time, so an agent needs no locks.
#pragma once

#include "coracle/detail/awaiters.hpp"
#include "coracle/ending.hpp"
#include "coracle/mailbox.hpp"
#include "coracle/pattern.hpp"
#include "coracle/post.hpp"
#include "coracle/query.hpp"
#include "coracle/task.hpp"

#include <functional>
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

// An agent. create() makes it. It lives until run() returns, an exception leaves run(), its name is
// taken over, or its node stops. Then its mailbox keeps the unread messages for the next holder of
// the name.
class Agent : public detail::RootTask {
 public:
  Agent() noexcept = default;
  Agent(const Agent&) = delete;
  Agent& operator=(const Agent&) = delete;
  virtual ~Agent();

  // Agents are allocated from the pool of the thread that makes them.
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

  // The agent's behaviour. It may send and receive here, but not in its constructor.
  virtual Task<> run() = 0;

  // --- who and where ---

  // The agent's own name.
  const Name& name() const noexcept;
  // The agent's own address.
  Address self() const noexcept { return Address(mailbox_); }
  // The node that the agent runs on.
  Node& node() const noexcept;
  // The present time on the node's clock.
  Time now() const noexcept;
  // The address of a name, whether or not anybody holds it. Fails with Errc::bad_name.
  Address find(Target who);

  // --- sending ---

  // Sends to one agent; returns when the message is accepted. Waits while the target's mailbox is
  // full. Fails with Errc::mailbox_full when patience ends or the overflow policy refuses the
  // message, Errc::too_large, Errc::deadlock, Errc::absent_full, Errc::not_permitted, Errc::fenced,
  // Errc::stopped.
  detail::Sending send(Target to, Content content, Conversation conversation = 0);
  // The same, to a known address.
  detail::Sending send(Address to, Content content, Conversation conversation = 0);
  // The same, but returns the error as a value.
  detail::Sending::AsResult send_result(Target to, Content content, Conversation conversation = 0);
  // Sends the post to its target or targets; returns when each message is accepted. A target that
  // fails does not keep the others from receiving the post; the first failure is thrown at the end.
  Task<> send(Post post);
  // The same, with a receipt that reports the outcomes of the messages. Failures are outcomes
  // there.
  Task<Receipt> track(Post post);
  // Sends to all members of a group.
  Task<> multicast(Group to, Content content);

  // Sends a request and waits for its one reply. Fails as send() does, with Errc::expired at the
  // deadline, with Errc::peer_down or Errc::agent_failed when the agent that took the request ended
  // or lost its name before it replied, with Errc::unanswered when that agent dropped the request
  // (see Message::keep()), and with Errc::refused and the agent's reason when it refused.
  detail::Asking ask(Target whom, Content content, Deadline deadline = Deadline::never());
  // The same, but returns the error as a value.
  detail::Asking::AsResult ask_result(Target whom, Content content,
                                      Deadline deadline = Deadline::never());
  // The same for a post with headers or a trace. It has one target; the request has a conversation
  // of its own, and its reply comes to this agent. Fails with Errc::bad_options, too.
  detail::Asking ask(const Post& post, Deadline deadline = Deadline::never());
  // The same, but returns the error of the request as a value.
  detail::Asking::AsResult ask_result(const Post& post, Deadline deadline = Deadline::never());
  // Replies to a message, in its conversation.
  detail::Sending reply(const MessageView& message, Content content);
  // Refuses a request, with a reason why there is no reply.
  detail::Sending refuse(const MessageView& request, std::string_view reason);
  // A conversation number that no other conversation has.
  Conversation new_conversation();

  // --- reading ---

  // Receives the oldest message; waits until there is one. Fails with Errc::stopped when the node
  // stops and no message is left to read.
  detail::ReceivingAny receive() noexcept { return detail::ReceivingAny(this); }
  // Receives the oldest message that fits; every other message keeps its position.
  detail::Receiving receive(Match match);
  // Receives the oldest message that fits; returns nothing when the deadline passes.
  detail::ReceivingUntil receive(Match match, Deadline deadline);
  // Receives the oldest message; returns nothing when the deadline passes.
  detail::ReceivingUntil receive(Deadline deadline) { return receive(Match(), deadline); }
  // Receives the oldest message that fits, if there is one now.
  std::optional<Message> try_receive(Match match = Match());
  // The number of messages that fit and wait now.
  std::size_t pending(Match match = Match());
  // Sets the limits of the agent's own mailbox.
  void set_mailbox(const MailboxOptions& options);

  // --- groups, eavesdropping, neighbours ---

  // Makes this agent a member of a group; returns when the connected nodes have been informed.
  // Fails with Errc::not_permitted.
  Task<> join(Group group);
  // The same. In addition, this agent receives the last of the messages that were sent to the group
  // before: at most that many from each sender that keeps some. Each of them is marked as `earlier`
  // and comes before everything that its sender sends to the group from now on. Messages for which
  // the mailbox has no room are left out. Fails with Errc::bad_options, too.
  Task<> join(Group group, Last last);
  // Ends the membership.
  Task<> leave(Group group);
  // From now on until it ends, this agent keeps the last messages that it sends to a group, for
  // late joiners that ask for them. Zero messages ends the keeping. A message larger than `bytes`
  // discards the messages that were kept before. Fails with Errc::bad_options, Errc::limit_reached,
  // Errc::fenced.
  void keep_last(const Group& group, std::size_t messages,
                 std::size_t bytes = std::size_t{1} << 20);
  // The members of a group now.
  Task<std::vector<Name>> members(Group group);
  // After its return, this agent overhears every message that fits, whoever sends or receives the
  // message: copies come to this agent's mailbox. At most `limit` copies wait there; a gap marker
  // stands for missing copies. Fails with Errc::not_permitted, Errc::limit_reached.
  Task<Tap> overhear(Pattern pattern, std::uint32_t limit = 1024);
  // The same with a limit of the rate, and with notices of what becomes of the messages.
  Task<Tap> overhear(Pattern pattern, TapOptions options);
  // Ends a tap. Copies that are queued already stay.
  Task<> stop_overhearing(Tap tap);
  // Resolves names beforehand and watches for the arrival of their holders (section 3.1.4 of the
  // paper).
  Task<Acquaintances> acquaint(std::vector<Name> names);
  // Waits until the agent of that name ends, and returns its ending. Fails with Errc::no_such_agent
  // when nobody holds the name.
  Task<Ending> watch(Name name);
  // Publishes properties of this agent in the directory.
  Task<> describe(Properties properties);
  // The entries of the directory that fit.
  Task<std::vector<Entry>> search(Query query);

  // Lets inspections show a text about this agent's state: inspect() in <coracle/inspection.hpp>
  // calls `show` between two pieces of the agent's code, and shows at most 16 KiB of the text.
  // `show` must not wait. An empty function ends this.
  void show_state(std::function<std::string()> show);

  // --- tasks and time ---

  // Runs a task beside run(). No two tasks of one agent run at the same instant. An exception that
  // leaves the task ends the agent.
  void spawn(Task<> task);
  // Makes an agent, on this agent's worker unless the spec sets another; returns when its name
  // is registered. Fails with Errc::name_taken, Errc::bad_name, Errc::not_permitted,
  // Errc::limit_reached, Errc::stopped.
  template <class T, class... Args>
  Task<Address> create(AgentSpec spec, Args... args);
  // The same, for an agent that exists already but has not begun.
  Task<Address> adopt(AgentSpec spec, std::unique_ptr<Agent> agent);
  // Lets time pass until the deadline; with Deadline::never(), until the node stops.
  detail::Pausing pause(Deadline until) noexcept { return detail::Pausing(*this, until); }
  // Lets every other agent of this worker that is ready run first, and sends out the messages of
  // this worker. Code that runs for milliseconds without waiting should call yield() now and then.
  detail::Pausing yield() noexcept { return detail::Pausing(*this); }
  // Runs a long computation on a pool of threads and returns its result; the agent's other tasks go
  // on meanwhile. With g++ 12, give a lambda that captures objects that own memory a name before
  // awaiting this: the compiler destroys such temporaries twice.
  template <class Function>
  auto compute(Function function) -> Task<decltype(function())>;

 private:
  friend class detail::Worker;
  friend class detail::Mailbox;
  friend class detail::Sending;
  friend struct detail::Access;
  friend struct detail::AgentAccess;

  void on_root_done(std::coroutine_handle<> frame, std::exception_ptr error) noexcept final;
  detail::MessageRecord* pack(Target to, Content content, Conversation conversation,
                              std::uint16_t flags);
  detail::MessageRecord* pack(Address to, Content content, Conversation conversation,
                              std::uint16_t flags);
  detail::MessageRecord* pack(const Post& post, const Name& target);
  detail::MessageRecord* pack_request(const Post& post);
  Task<std::vector<Name>> targets_of(const Post& post);
  bool keep_sent(const Post& post, const std::vector<Name>& members);
  // Sends to one agent, if it has room now; returns false when nothing was sent.
  bool try_send(const Post& post);
  Task<> send_to_all(const Post& post, std::shared_ptr<detail::ReceiptState> receipt);
  void resolve(Match& match);

  detail::Mailbox* mailbox_ = nullptr;
  std::coroutine_handle<> main_;
};

}  // namespace coracle

#include "coracle/detail/agent_templates.hpp"

// Messages to all agents that are interested: agents register patterns, and the sender need not
// know these agents (the paper's section 3.3, after FIELD and ToolTalk). Patterns are those of
// pattern.hpp: regular expressions, required components, or formats that capture values.
//
//   Interests interests(*this);
//   const Interest saved = co_await interests.observe(Pattern().format("saved %s"));
//   Heard heard = co_await interests.next();
//
//   const Reached reached = co_await send_notice(*this, "saved main.c");
//   const Handled built = co_await send_request(*this, "build main.c", 5s);
//   const Replies known = co_await send_inquiry(*this, "where is f?", rpc::Collect::all(), 5s);
//
// Tests: tests/talk/patterns_test.cpp.
#pragma once

#include "coracle/agent.hpp"
#include "coracle/collecting.hpp"
#include "coracle/result.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace coracle {

// The target of every broadcast, for patterns that test the target: "coracle/whoever".
const Name& whoever();

// A message to all agents that are interested. Setters return *this, so that calls chain.
class Broadcast {
 public:
  // The content: anything from which a Content can be made.
  template <class What>
  requires std::is_constructible_v<Content, What> Broadcast(What&& content)
      : content_(std::forward<What>(content)) {}

  // Adds a named component, which patterns may require.
  Broadcast& header(std::string key, std::string value) {
    headers_.emplace_back(std::move(key), std::move(value));
    return *this;
  }
  // The time that the broadcast may wait for room; without this call, the society's patience (30
  // s).
  Broadcast& patience(Deadline deadline) { return patience_ = deadline, *this; }

 private:
  friend class Broadcasting;

  Content content_;
  std::vector<std::pair<std::string, std::string>> headers_;
  Deadline patience_;
};

// The number of agents that a notice reached.
struct Reached {
  // The number of agents that observe such a notice.
  std::size_t interested = 0;
  // The number of those agents whose mailbox took the notice.
  std::size_t reached = 0;
};

// The result of a request.
struct Handled {
  enum class State : std::uint8_t {
    replied,   // `by` did the work
    failed,    // `by` tried in vain; no further agent is asked
    rejected,  // every agent that was asked rejected it, or nobody handles such a request
  };

  // The kind of result.
  State state = State::rejected;
  // The agent that was asked last.
  Name by;
  // The reply of that agent.
  Content answer;
  // The reason of the failure, or the reason of the last agent that rejected the request.
  std::string reason;
  // The number of agents that rejected the request, and of agents that ended before they replied.
  std::size_t rejections = 0;
  std::size_t lost = 0;
  // The number of observers that were notified.
  std::size_t observers = 0;
};

// Sends a notice to all agents that observe such a notice. An agent receives it once, however many
// of its patterns fit. The call waits for room in their mailboxes as a multicast does. Fails with
// Errc::fenced, Errc::stopped, Errc::too_large, Errc::bad_encoding.
Task<Reached> send_notice(Agent& agent, Broadcast what);
// Notifies the observers in the same way, and asks the agents that handle such a request, one after
// the other, until one of them replies or fails; it never asks the sender itself. When an agent
// ends before it has replied, the next one is asked, and its request is marked accordingly
// (Heard::again()). Fails as send_notice() does, with Errc::expired at the deadline and with
// Errc::deadlock as ask() does.
Task<Handled> send_request(Agent& agent, Broadcast what, Deadline deadline = Deadline::never());

// The reply of one agent to an inquiry.
struct Reply {
  // The name of the agent.
  Name by;
  // The agent's reply, or the reason why there is none: Errc::refused with the agent's reason if it
  // rejected the inquiry or failed, unanswered if it dropped the inquiry, agent_failed or peer_down
  // if it ended while it had the inquiry, expired at the deadline.
  Result<Content> answer;
};

// The result of an inquiry.
struct Replies {
  // The replies, in the order in which they came.
  std::vector<Reply> all;
  // The rule was met.
  bool enough = false;
  // The number of agents that were asked.
  std::size_t asked = 0;
  // The number of observers that were notified.
  std::size_t observers = 0;
};

// Sends a request to all agents that handle such a request, at once. The inquiry ends as soon as
// the rule is met or can no longer be met; agents that have not replied by then are not in the
// list. A reply without content is an empty one. Fails as send_notice() does.
Task<Replies> send_inquiry(Agent& agent, Broadcast what, rpc::Collect rule,
                           Deadline deadline = Deadline::never());

// A registered pattern of an agent.
struct Interest {
  // Its number; zero is none.
  std::uint64_t id = 0;

  bool operator==(const Interest&) const = default;
};

// A broadcast that an interested agent has received. If this agent is to handle a request and
// destroys this object without a reply, the request has failed, unless an exception destroyed the
// object.
class Heard {
 public:
  Heard(Heard&& other) noexcept = default;
  Heard& operator=(Heard&&) = delete;
  ~Heard();

  // The message.
  const Message& message() const noexcept { return message_; }
  // Its content as text.
  std::string_view text() const { return message_.text(); }
  // Returns whether the broadcast fits that pattern of this agent.
  bool is_for(Interest interest) const noexcept;
  // The texts that the conversions of the first fitting format captured.
  const std::vector<std::string>& captures() const noexcept { return captures_; }
  // Returns whether it is a request or an inquiry, which this agent or another one handles.
  bool is_request() const noexcept { return role_ != Role::notice; }
  // Returns whether this agent is to handle it.
  bool asks() const noexcept { return role_ == Role::handle || role_ == Role::again; }
  // Returns whether another agent received it before and ended; that agent may have done a part of
  // the work.
  bool again() const noexcept { return role_ == Role::again; }

  // Replies that the work is done. reply(), reject() and fail() fail with Errc::bad_options unless
  // asks(), and as Agent::reply() does.
  Task<> reply(Content answer);
  // Declines the work, so that another agent is asked.
  Task<> reject(std::string why);
  // Reports that nobody can do the work.
  Task<> fail(std::string why);

 private:
  friend class Interests;
  enum class Role : std::uint8_t { notice, observe, handle, again };

  Heard(Agent& agent, Message message);
  void begin_answer();

  Agent* agent_;
  Message message_;
  Role role_ = Role::notice;
  bool answered_ = false;
  std::vector<std::uint64_t> ids_;
  std::vector<std::string> captures_;
};

// The patterns that an agent has registered; an agent has one object of this class. The patterns
// are dropped when the agent ends.
class Interests {
 public:
  explicit Interests(Agent& agent);
  Interests(const Interests&) = delete;

  // After its return, every notice and request that fits comes to this agent's mailbox. Fails with
  // Errc::limit_reached.
  Task<Interest> observe(Pattern pattern);
  // After its return, this agent is one of the agents that are asked to handle a request or inquiry
  // that fits.
  // Fails with Errc::limit_reached.
  Task<Interest> handle(Pattern pattern);
  // Ends an interest of either kind. Broadcasts that are queued already stay.
  Task<> unregister(Interest interest);

  // Receives the oldest broadcast in the mailbox; waits until there is one. A request to an earlier
  // incarnation of this name is rejected, so that another agent handles it.
  Task<Heard> next();
  // The same; returns nothing when the deadline passes.
  Task<std::optional<Heard>> next(Deadline deadline);
  // The number of broadcasts that wait.
  std::size_t pending();

 private:
  struct Kept {
    Pattern pattern;
    bool ended = false;
  };

  Task<Interest> add(Pattern pattern, std::string_view role);
  Heard read(Message message) const;
  bool knows(std::uint64_t id) const;

  Agent& agent_;
  const Match wanted_;
  std::map<std::uint64_t, Kept> kept_;  // by the order in which they were registered
};

}  // namespace coracle

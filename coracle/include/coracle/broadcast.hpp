// Messages to whoever is interested: agents register patterns, and who sends need not know them
// (the paper's section 3.3, after FIELD and ToolTalk). Patterns are those of pattern.hpp: regular
// expressions, required components, or formats that capture values.
//
//   Interests interests(*this);
//   const Interest saved = co_await interests.observe(Pattern().format("saved %s"));
//   Heard heard = co_await interests.next();
//
//   const Reached reached = co_await send_notice(*this, "saved main.c");
//   const Handled built = co_await send_request(*this, "build main.c", 5s);
//   const Replies known = co_await send_inquiry(*this, "where is f?", rpc::Collect::all(), 5s);
//
// Contract: tests/talk/patterns_test.cpp.
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

// The target that broadcasts have, for patterns that ask for one: "coracle/whoever".
const Name& whoever();

// A message to whoever is interested. Setters return *this, so that calls chain.
class Broadcast {
 public:
  // What it says: anything of which a Content can be made.
  template <class What>
  requires std::is_constructible_v<Content, What> Broadcast(What&& content)
      : content_(std::forward<What>(content)) {}

  // A named component, which patterns may ask for.
  Broadcast& header(std::string key, std::string value) {
    headers_.emplace_back(std::move(key), std::move(value));
    return *this;
  }
  // How long it may wait for room; otherwise the society's patience (30 s).
  Broadcast& patience(Deadline deadline) { return patience_ = deadline, *this; }

 private:
  friend class Broadcasting;

  Content content_;
  std::vector<std::pair<std::string, std::string>> headers_;
  Deadline patience_;
};

// To how many a notice went.
struct Reached {
  // Agents that observe what it says.
  std::size_t interested = 0;
  // Those of them whose mailbox took it.
  std::size_t reached = 0;
};

// What became of a request.
struct Handled {
  enum class State : std::uint8_t {
    replied,   // `by` did what was asked
    failed,    // `by` tried in vain: nobody else is asked
    rejected,  // nobody who was asked wanted to, or nobody handles such a request
  };

  // How it ended.
  State state = State::rejected;
  // Who was asked last.
  Name by;
  // What it replied.
  Content answer;
  // Why it failed, or what was last said by one that rejected it.
  std::string reason;
  // How many rejected it, and how many ended before they had answered.
  std::size_t rejections = 0;
  std::size_t lost = 0;
  // How many observers were told of it.
  std::size_t observers = 0;
};

// Tells all who observe what it says; an agent gets it once, however many of its patterns fit. It
// waits for room in their mailboxes as a multicast does. Fails with Errc::fenced, Errc::stopped,
// Errc::too_large, Errc::bad_encoding.
Task<Reached> send_notice(Agent& agent, Broadcast what);
// The same, and has one of those handle it that handle what it says: they are asked one after the
// other until one replies or fails, never the sender itself. When one ends before it has answered,
// the next is asked, and told so. Fails as send_notice() does, with Errc::expired at the deadline
// and with Errc::deadlock as ask() does.
Task<Handled> send_request(Agent& agent, Broadcast what, Deadline deadline = Deadline::never());

// What one of those who were asked replied.
struct Reply {
  // Who it was.
  Name by;
  // Its reply, or why there is none: Errc::refused with its reason if it rejected the inquiry or
  // failed, unanswered if it dropped it, agent_failed or peer_down if it ended over it, expired at
  // the deadline.
  Result<Content> answer;
};

// What became of an inquiry.
struct Replies {
  // Of each that was heard, in the order in which they were.
  std::vector<Reply> all;
  // Whether the rule was met.
  bool enough = false;
  // How many were asked.
  std::size_t asked = 0;
  // How many observers were told of it.
  std::size_t observers = 0;
};

// A request to all who handle what it says, at once. It ends as soon as the rule is met or cannot
// be; whoever is not waited for any more is not in the list. A reply without content is an empty
// one. Fails as send_notice() does.
Task<Replies> send_inquiry(Agent& agent, Broadcast what, rpc::Collect rule,
                           Deadline deadline = Deadline::never());

// A registered pattern of an agent.
struct Interest {
  // Its number; zero is none.
  std::uint64_t id = 0;

  bool operator==(const Interest&) const = default;
};

// A broadcast in the hands of an agent that is interested. A request that it is to handle has
// failed when this is destroyed without an answer, other than by an exception.
class Heard {
 public:
  Heard(Heard&& other) noexcept = default;
  Heard& operator=(Heard&&) = delete;
  ~Heard();

  // The message.
  const Message& message() const noexcept { return message_; }
  // Its content as text.
  std::string_view text() const { return message_.text(); }
  // Whether it fits that pattern of this agent.
  bool is_for(Interest interest) const noexcept;
  // What the conversions of the first format that fits hold in the text.
  const std::vector<std::string>& captures() const noexcept { return captures_; }
  // Whether it is a request or an inquiry, that this or another agent handles.
  bool is_request() const noexcept { return role_ != Role::notice; }
  // Whether this agent is to handle it.
  bool asks() const noexcept { return role_ == Role::handle || role_ == Role::again; }
  // Whether another agent had it before, ended, and may have done some of it.
  bool again() const noexcept { return role_ == Role::again; }

  // It is done. This and the next two fail with Errc::bad_options unless asks(), and as
  // Agent::reply() does.
  Task<> reply(Content answer);
  // Somebody else shall do it.
  Task<> reject(std::string why);
  // It cannot be done, by anybody.
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

// The patterns that an agent has registered; one for each agent. They are dropped when the agent
// ends.
class Interests {
 public:
  explicit Interests(Agent& agent);
  Interests(const Interests&) = delete;

  // From its return on, every notice and request that fits comes to this agent's mailbox. Fails
  // with Errc::limit_reached.
  Task<Interest> observe(Pattern pattern);
  // From its return on, this agent is one of those that are asked to handle a request or inquiry
  // that fits.
  // Fails with Errc::limit_reached.
  Task<Interest> handle(Pattern pattern);
  // Ends either; what is queued already stays.
  Task<> unregister(Interest interest);

  // The oldest broadcast in the mailbox; waits for one. A request to an earlier life of this name
  // is rejected, so that another one handles it.
  Task<Heard> next();
  // The same, or nothing at the deadline.
  Task<std::optional<Heard>> next(Deadline deadline);
  // How many wait.
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

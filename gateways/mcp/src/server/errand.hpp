// A request to an agent on behalf of a client: it may outlive the client's request, while the
// client answers a question of the agent.
#pragma once

#include "coracle/agent.hpp"
#include "coracle/message.hpp"
#include "coracle/post.hpp"
#include "coracle/result.hpp"
#include "coracle/support/signal.hpp"
#include "coracle/web/json.hpp"
#include "coracle/web/talk.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coracle::mcp {

// The bytes of a text of an agent, a step or a question, that are kept; and the steps that a client
// is shown in one request.
inline constexpr std::size_t longest_note = 4000, most_notes = 10'000;

// The beginning of a text, which ends between two characters.
std::string begin_of(const std::string& text, std::size_t most = longest_note);

class Errand {
 public:
  Errand(Name agent, std::string tool, std::string caller, const web::Json& arguments)
      : agent_(std::move(agent)),
        tool_(std::move(tool)),
        caller_(std::move(caller)),
        arguments_(digest_of(arguments)) {}
  Errand(const Errand&) = delete;

  // Returns whether a repeated request belongs to this errand.
  bool is_of(const std::string& tool, const std::string& caller, const web::Json& arguments) const;

  // Asks the agent; a task of its own. The errand lives as long as the task.
  static Task<> run(Agent& me, std::shared_ptr<Errand> errand, Post post, Time until);
  // Waits until the agent has answered, or has put a question; no longer than that.
  Task<> wait(Deadline most);
  // Ends the request.
  void call_off() noexcept;

  // The conversation of the request; zero while it has none.
  Conversation conversation() const noexcept {
    return conversation_ != 0 || asking_ == nullptr ? conversation_ : asking_->conversation();
  }
  void note(Conversation conversation) {
    conversation_ = conversation;
    if (noted) noted(conversation);
  }
  // Takes a message about that conversation: one of another agent than the one that is asked is
  // dropped. Calls `show` with a Progress.
  void take(Message message);
  // Answers the agent's question; nothing declines it.
  Task<> answer(Agent& me, std::optional<std::string> text);

  // The end of the request, which can be taken once.
  std::optional<Result<Message>> take_end() noexcept { return std::exchange(end_, std::nullopt); }
  // The agent's question, until it is answered.
  const std::string* question() const noexcept { return question_ ? &asked_ : nullptr; }
  // The text of the last Progress.
  const std::string& step() const noexcept { return step_; }
  Time until() const noexcept { return until_; }
  const Name& agent() const noexcept { return agent_; }
  const std::string& caller() const noexcept { return caller_; }

  // Shows a Progress to the client; empty: it wants none.
  std::function<void(const web::Progress&)> show;
  // Called when the conversation of the request is known; empty: nobody wants to know it.
  std::function<void(Conversation)> noted;
  // Called when the agent has answered, or has put a question; empty: somebody waits.
  std::function<void()> changed;

 private:
  // A client that looks for other arguments with the same digest deceives itself only.
  static std::size_t digest_of(const web::Json& arguments) {
    return std::hash<std::string>()(web::to_text(arguments));
  }
  void wake();

  const Name agent_;
  const std::string tool_, caller_;
  const std::size_t arguments_;
  coracle::detail::Asking* asking_ = nullptr;
  Conversation conversation_ = 0;
  std::optional<Result<Message>> end_;
  std::optional<Message> question_;
  std::string asked_;
  std::string step_;
  std::optional<coracle::detail::Signal> signal_;
  bool is_called_off_ = false;
  Time until_{};
};

// The errands that are under way, by the conversations of their requests.
class Errands {
 public:
  void add(std::shared_ptr<Errand> errand) { all_.push_back(std::move(errand)); }
  void remove(const Errand* errand);
  // Gives a message to its errand; it is dropped if there is none.
  void take(Message message);

 private:
  std::vector<std::shared_ptr<Errand>> all_;
};

}  // namespace coracle::mcp

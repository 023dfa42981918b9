// The operations of an agent, for a thread that the library does not own: every call blocks.
#pragma once

#include "coracle/node.hpp"

#include <atomic>
#include <memory>
#include <optional>
#include <string>

namespace coracle {

namespace detail {
struct FromOutside;
}

// A named member of a society for which a thread acts. One thread at a time uses a Port; that
// thread must not be a worker (Errc::wrong_thread). The port's mailbox works like any agent's.
class Port {
 public:
  // Joins the society under a name. Fails as Agent::create() does.
  Port(Node& node, AgentSpec spec);
  // Leaves the society; unread messages stay for the next holder of the name.
  ~Port();
  Port(const Port&) = delete;
  Port& operator=(const Port&) = delete;

  // The port's own address.
  Address self() const noexcept { return self_; }
  // The same as the agent's operation of that name; the thread waits until the operation is done.
  void send(Target to, Content content, Conversation conversation = 0);
  // The same as the agent's operation of that name.
  void send(Post post);
  // Sends, and waits until the message has reached that stage at every target; returns false if it
  // will not.
  bool send_until(Stage stage, Post post, Deadline deadline = Deadline::never());
  // The same as the agent's operation of that name.
  Message ask(Target whom, Content content, Deadline deadline = Deadline::never());
  // The same as the agent's operation of that name.
  void reply(const MessageView& message, Content content);
  // The same as the agent's operation of that name.
  Message receive(Match match = Match());
  // The same as the agent's operation of that name.
  std::optional<Message> receive(Match match, Deadline deadline);
  // The same as the agent's operation of that name.
  std::optional<Message> receive(Deadline deadline) { return receive(Match(), deadline); }
  // The same as the agent's operation of that name.
  std::optional<Message> try_receive(Match match = Match());
  // The same as the agent's operation of that name.
  std::size_t pending(Match match = Match());
  // The same as the agent's operation of that name.
  void join(Group group);
  // The same as the agent's operation of that name.
  void join(Group group, Last last);
  // The same as the agent's operation of that name.
  void keep_last(const Group& group, std::size_t messages,
                 std::size_t bytes = std::size_t{1} << 20);
  // The same as the agent's operation of that name.
  void leave(Group group);
  // The same as the agent's operation of that name.
  Tap overhear(Pattern pattern, std::uint32_t limit = 1024);
  // The same as the agent's operation of that name.
  Tap overhear(Pattern pattern, TapOptions options);
  // The same as the agent's operation of that name.
  void stop_overhearing(Tap tap);
  // The same as the agent's operation of that name.
  Ending watch(Name name);
  // The same as the agent's operation of that name.
  std::vector<Entry> search(Query query);

  // Runs `body(agent)` as the port's agent and waits for its result; `body` can do everything that
  // an agent can do.
  template <class T>
  T act(std::function<Task<T>(Agent&)> body) {
    std::optional<T> result;
    act_erased([&](Agent& agent) { return keep(body, agent, result); });
    return std::move(*result);
  }

 private:
  // Keeps what the body returns. It is no lambda in act(), so that the coroutine's parts are in the
  // section group of their own function.
  template <class T>
  static Task<> keep(const std::function<Task<T>(Agent&)>& body, Agent& agent,
                     std::optional<T>& result) {
    result.emplace(co_await body(agent));
  }
  class Body;
  friend struct detail::FromOutside;
  // A port that has not joined yet, and that leaves without waiting for the end of leaving.
  explicit Port(Node& node) noexcept : node_(node), waits_(false) {}
  // Ends the agent, and does not wait for its end.
  void leave_later(EndReason reason, const std::string& text) const;
  void act_erased(const std::function<Task<>(Agent&)>& body);

  Node& node_;
  Body* body_ = nullptr;
  Address self_;
  const bool waits_ = true;  // when it leaves
  std::shared_ptr<std::atomic<bool>> ended_ = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace coracle

// Agents whose behaviour is a table of C functions, which the node's workers call.
#include "convert.hpp"
#include "objects.hpp"

#include <deque>
#include <functional>

using namespace coracle;
using namespace coracle::c;

namespace coracle::c {

namespace {

class BehavingAgent;

// What the handle of a running agent names. The handle is valid as long as the agent runs.
class AgentObject final : public Named {
 public:
  using C = coracle_agent;
  static constexpr Kind kind = Kind::agent;
  static constexpr const char* words = "agent";

  explicit AgentObject(BehavingAgent& of) noexcept : agent(of) {}

  BehavingAgent& agent;
};

// The agent whose function this thread calls.
thread_local const BehavingAgent* inside = nullptr;

struct Inside {
  explicit Inside(const BehavingAgent& agent) noexcept { inside = &agent; }
  Inside(const Inside&) = delete;
  ~Inside() { inside = nullptr; }
};

// A message with a handle, for as long as this object exists.
class Shown {
 public:
  Shown(const std::weak_ptr<NodeObject>& node, Message message)
      : handle_(new_handle(std::make_shared<MessageObject>(node.lock(), std::move(message)))) {}
  Shown(const Shown&) = delete;
  ~Shown() { (void)remove_handle<MessageObject>(handle_); }
  coracle_message* handle() const noexcept { return handle_; }

 private:
  coracle_message* const handle_;
};

class BehavingAgent final : public Agent {
 public:
  BehavingAgent(NodePtr node, const coracle_behaviour& behaviour)
      : node_(node), behaviour_(behaviour) {}
  ~BehavingAgent() override {
    if (handle_ != nullptr) (void)remove_handle<AgentObject>(handle_);
    if (behaviour_.end != nullptr) behaviour_.end(behaviour_.context);
  }

  Task<> run() override {
    handle_ = new_handle(std::make_shared<AgentObject>(*this));
    if (behaviour_.begin != nullptr) {
      const Inside call(*this);
      behaviour_.begin(handle_, behaviour_.context);
    }
    while (!later_.empty()) co_await do_next();
    while (!is_over_) {
      const Shown shown(node_, co_await receive());
      if (behaviour_.message != nullptr) {
        const Inside call(*this);
        behaviour_.message(handle_, shown.handle(), behaviour_.context);
      }
      while (!later_.empty()) co_await do_next();
    }
    if (!failure_.empty()) throw Failure(CORACLE_AGENT_FAILED, failure_);
  }

  void send_now_or_later(Post post, const coracle_post& given) {
    const bool is_plain = given.to != nullptr && given.reply_to == nullptr &&
                          given.header_count == 0 && given.expires == 0 && given.patience == 0;
    if (is_plain && later_.empty()) {
      detail::Sending sending = send(Target(given.to), content_of(given), given.conversation);
      if (sending.await_ready()) return sending.await_resume();
    }
    later_.push_back([post = std::move(post)](Agent& me) { return me.send(post); });
  }
  void reply_now_or_later(const MessageView& request, Content content) {
    if (later_.empty()) {
      detail::Sending sending = reply(request, content);
      if (sending.await_ready()) return sending.await_resume();
    }
    later_.push_back([&request, content = std::move(content)](Agent& me) -> Task<> {
      detail::Sending sending = me.reply(request, content);
      co_await sending;
    });
  }
  void end(const char* failure) {
    is_over_ = true;
    if (failure != nullptr) failure_ = failure;
  }

 private:
  // Does the first of what a function has left to do.
  Task<> do_next() {
    const auto next = std::move(later_.front());
    later_.pop_front();
    Task<> doing = next(*this);
    co_await doing;
  }

  const std::weak_ptr<NodeObject> node_;
  const coracle_behaviour behaviour_;
  coracle_agent* handle_ = nullptr;
  std::deque<std::function<Task<>(Agent&)>> later_;
  std::string failure_;
  bool is_over_ = false;
};

// Returns the agent, whose function must be running on this thread.
BehavingAgent& agent_of(const coracle_agent* self) {
  BehavingAgent& agent = object_of<AgentObject>(self)->agent;
  if (&agent != inside) {
    throw Failure(CORACLE_WRONG_THREAD,
                  "this call belongs into a function of the agent's own behaviour, while the "
                  "library calls that function");
  }
  return agent;
}

}  // namespace

}  // namespace coracle::c

coracle_error* coracle_agent_start(coracle_node* node, const coracle_agent_options* options,
                                   const coracle_behaviour* behaviour) {
  return guarded([&] {
    if (behaviour == nullptr) fail_argument("coracle_agent_start: the behaviour is NULL");
    const NodePtr whose = object_of<NodeObject>(node);
    whose->node->adopt(spec_of(options), std::make_unique<BehavingAgent>(
                                             whose, options_of(behaviour, "coracle_behaviour")));
  });
}

coracle_error* coracle_agent_send(coracle_agent* self, const coracle_post* post) {
  return guarded(
      [&] { agent_of(self).send_now_or_later(post_of(post), options_of(post, "coracle_post")); });
}

coracle_error* coracle_agent_reply(coracle_agent* self, const coracle_message* request,
                                   const coracle_post* post) {
  return guarded([&] {
    if (post == nullptr) fail_argument("coracle_agent_reply: the post is NULL");
    agent_of(self).reply_now_or_later(object_of<MessageObject>(request)->message,
                                      content_of(options_of(post, "coracle_post")));
  });
}

coracle_error* coracle_agent_end(coracle_agent* self, const char* failure) {
  return guarded([&] { agent_of(self).end(failure); });
}

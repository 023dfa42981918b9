// Agents whose behaviour is a table of C functions, which the node's workers call.
#include "convert.hpp"
#include "shown.hpp"

#include <atomic>
#include <deque>
#include <functional>

using namespace coracle;
using namespace coracle::c;

namespace coracle::c {

[[gnu::tls_model("initial-exec")]] thread_local constinit Inside inside;

class BehavingAgent final : public Agent {
 public:
  BehavingAgent(const NodePtr& node, const coracle_behaviour& behaviour)
      : node_(node), behaviour_(behaviour), number_(++made_) {}
  ~BehavingAgent() override {
    if (behaviour_.end != nullptr) behaviour_.end(behaviour_.context);
  }

  Task<> run() override {
    if (behaviour_.begin != nullptr) {
      const Call call(*this);
      behaviour_.begin(self(), behaviour_.context);
    }
    while (!later_.empty()) co_await do_next();
    while (!is_over_) {
      const Showing showing(*this, co_await receive());
      if (behaviour_.message != nullptr) {
        const Call call(*this);
        behaviour_.message(self(), next_handle(), behaviour_.context);
      }
      while (!later_.empty()) co_await do_next();
    }
    if (!failure_.empty()) throw Failure(CORACLE_AGENT_FAILED, failure_);
  }

  // Sends if that takes no wait, and if nothing waits already.
  bool send_now(const coracle_post& post) {
    const bool is_plain = (post.to != nullptr) != (post.to_sender_of != nullptr) &&
                          post.many == nullptr && post.group == nullptr &&
                          post.reply_to == nullptr && post.header_count == 0 && post.expires == 0 &&
                          post.patience == 0;
    if (!is_plain || !later_.empty()) return false;
    // The address of a sender is one of this node only if this agent got the message.
    const bool is_sender = post.to_sender_of != nullptr;
    if (is_sender && post.to_sender_of != inside.shown) return false;
    detail::Sending sending =
        is_sender ? send(object_->message.source(), content_of(post), post.conversation)
                  : send(Target(post.to), content_of(post), post.conversation);
    return is_done(sending);
  }
  void send_later(Post post) {
    later_.push_back([post = std::move(post)](Agent& me) { return me.send(post); });
  }
  bool reply_now(const MessageView& request, const Content& content) {
    if (!later_.empty()) return false;
    detail::Sending sending = reply(request, content);
    return is_done(sending);
  }
  void reply_later(std::shared_ptr<MessageObject> request, Content content) {
    later_.push_back(
        [request = std::move(request), content = std::move(content)](Agent& me) -> Task<> {
          detail::Sending sending = me.reply(request->message, content);
          co_await sending;
        });
  }
  void end(const char* failure) {
    is_over_ = true;
    if (failure != nullptr) failure_ = failure;
  }
  // Makes the shown message one that outlives the function.
  std::shared_ptr<MessageObject> keep() {
    object_->node = node_.lock();
    return object_;
  }

 private:
  // Returns false if the send would have to wait, and throws its failure.
  static bool is_done(detail::Sending& sending) {
    if (!sending.await_ready()) return false;
    sending.await_resume();
    return true;
  }
  // A call of a function, as long as this object exists.
  struct Call {
    explicit Call(BehavingAgent& agent) noexcept {
      inside = {&agent, agent.self(), agent.object_.get(), nullptr};
    }
    Call(const Call&) = delete;
    ~Call() { inside = {}; }
  };
  // A message of this agent, as long as this object exists.
  class Showing {
   public:
    Showing(BehavingAgent& agent, Message message) : agent_(agent) {
      if (!agent.object_) agent.object_ = std::make_shared<MessageObject>(nullptr, Message());
      agent.object_->message = std::move(message);
    }
    Showing(const Showing&) = delete;
    ~Showing() { agent_.forget(); }

   private:
    BehavingAgent& agent_;
  };

  // Handles that are compared, and never looked up: the table has none of generation 0 or kind 15.
  coracle_agent* self() const noexcept {
    return reinterpret_cast<coracle_agent*>(std::uintptr_t{number_} << 1 | 1U);
  }
  const coracle_message* next_handle() noexcept {
    ++shown_;
    inside.shown = reinterpret_cast<const coracle_message*>(std::uintptr_t{shown_} << 36 |
                                                            std::uintptr_t{15} << 32 | number_);
    return inside.shown;
  }
  // The message has been shown. An operation that was begun may still need it.
  void forget() noexcept {
    if (object_.use_count() > 1) return object_.reset();
    object_->message = Message();
    object_->node.reset();
    object_->source.clear();
    object_->target.clear();
    object_->type.clear();
    object_->reply_to.clear();
  }
  // Does the first of what a function has left to do.
  Task<> do_next() {
    const auto next = std::move(later_.front());
    later_.pop_front();
    Task<> doing = next(*this);
    co_await doing;
  }

  static inline std::atomic<std::uint32_t> made_{0};

  const std::weak_ptr<NodeObject> node_;
  const coracle_behaviour behaviour_;
  const std::uint32_t number_;
  std::uint32_t shown_ = 0;
  std::shared_ptr<MessageObject> object_;
  std::deque<std::function<Task<>(Agent&)>> later_;
  std::string failure_;
  bool is_over_ = false;
};

std::shared_ptr<MessageObject> shared_message_of(const coracle_message* message) {
  const bool is_shown = message != nullptr && message == inside.shown;
  auto object = is_shown ? inside.agent->keep() : object_of<MessageObject>(message);
  require_message(*object);
  return object;
}

void require_message(const MessageObject& object) {
  if (!object.message)
    throw Failure(CORACLE_BAD_HANDLE, "this message was given back, so it has nothing any more");
}

namespace {

// Returns the agent, whose function must be running on this thread.
BehavingAgent& agent_of(const coracle_agent* self) {
  if (self == nullptr || self != inside.self) {
    throw Failure(CORACLE_WRONG_THREAD,
                  "this call belongs into a function of the agent's own behaviour, while the "
                  "library calls that function");
  }
  return *inside.agent;
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

coracle_error* coracle_agent_send(coracle_agent* self, const coracle_post* given) {
  return guarded([&] {
    BehavingAgent& agent = agent_of(self);
    coracle_post copy;
    const coracle_post& post = view_of(given, copy, "coracle_post");
    if (!agent.send_now(post)) agent.send_later(post_of(post));
  });
}

coracle_error* coracle_agent_reply(coracle_agent* self, const coracle_message* request,
                                   const coracle_post* given) {
  return guarded([&] {
    BehavingAgent& agent = agent_of(self);
    const Content content = content_of(given);
    if (request != inside.shown)
      fail_argument("coracle_agent_reply: `request` is not the message of this call");
    if (!agent.reply_now(Reading(request)->message, content))
      agent.reply_later(shared_message_of(request), content);
  });
}

coracle_error* coracle_agent_end(coracle_agent* self, const char* failure) {
  return guarded([&] { agent_of(self).end(failure); });
}

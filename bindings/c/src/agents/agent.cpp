// Agents whose behaviour is a table of C functions, which the node's workers call.
#include "acting.hpp"

#include <deque>
#include <functional>

using namespace coracle;
using namespace coracle::c;

namespace coracle::c {

class BehavingAgent final : public Agent, public Acting {
 public:
  BehavingAgent(const NodePtr& node, const coracle_behaviour& behaviour)
      : node_(node), behaviour_(behaviour) {}
  ~BehavingAgent() override {
    if (behaviour_.end != nullptr) behaviour_.end(behaviour_.context);
  }

  Task<> run() override {
    if (behaviour_.begin != nullptr) {
      const Call call(*this);
      behaviour_.begin(Acting::self(), behaviour_.context);
    }
    while (!later_.empty()) co_await do_next();
    while (!is_over_) {
      const Showing showing(*this, co_await receive());
      if (behaviour_.message != nullptr) {
        const coracle_message* const shown = next_handle();
        const Call call(*this, object_.get(), shown);
        behaviour_.message(Acting::self(), shown, behaviour_.context);
      }
      while (!later_.empty()) co_await do_next();
    }
    if (!failure_.empty()) throw Failure(CORACLE_AGENT_FAILED, failure_);
  }

  void send_later(Post post) override {
    later_.push_back([post = std::move(post)](Agent& me) { return me.send(post); });
  }
  void reply_later(std::shared_ptr<MessageObject> request, Content content) override {
    later_.push_back(
        [request = std::move(request), content = std::move(content)](Agent& me) -> Task<> {
          detail::Sending sending = me.reply(request->message, content);
          co_await sending;
        });
  }
  void end(const char* failure) override {
    is_over_ = true;
    if (failure != nullptr) failure_ = failure;
  }
  std::shared_ptr<MessageObject> keep() override {
    object_->node = node_.lock();
    return object_;
  }

 private:
  Agent& agent() noexcept override { return *this; }
  bool has_unsent() const noexcept override { return !later_.empty(); }
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

  // A handle that is compared, and never looked up: the table has none of kind 15.
  const coracle_message* next_handle() noexcept {
    ++shown_;
    return reinterpret_cast<const coracle_message*>(std::uintptr_t{shown_} << 36 |
                                                    std::uintptr_t{15} << 32 | number());
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

  const std::weak_ptr<NodeObject> node_;
  const coracle_behaviour behaviour_;
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
Acting& agent_of(const coracle_agent* self) {
  if (self == nullptr || self != inside.self) {
    throw Failure(CORACLE_WRONG_THREAD,
                  "this call belongs into a function of the agent's own, while the "
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
    Acting& agent = agent_of(self);
    coracle_post copy;
    const coracle_post& post = view_of(given, copy, "coracle_post");
    if (!agent.send_now(post)) agent.send_later(post_of(post));
  });
}

coracle_error* coracle_agent_reply(coracle_agent* self, const coracle_message* request,
                                   const coracle_post* given) {
  return guarded([&] {
    Acting& agent = agent_of(self);
    const Content content = content_of(given);
    if (request == nullptr || request != inside.shown)
      fail_argument("coracle_agent_reply: `request` is not the message of this call");
    if (!agent.reply_now(Reading(request)->message, content))
      agent.reply_later(shared_message_of(request), content);
  });
}

coracle_error* coracle_agent_end(coracle_agent* self, const char* failure) {
  return guarded([&] { agent_of(self).end(failure); });
}

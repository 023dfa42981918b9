// Agents whose behaviour is a table of C functions, which the node's workers call.
#include "acting.hpp"

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
      const Call call(*this, *this);
      behaviour_.begin(Acting::self(), behaviour_.context);
    }
    while (has_unsent()) co_await send_next();
    while (!is_over_) {
      if (!object_) object_ = std::make_shared<MessageObject>(nullptr, Message());
      object_->message = co_await receive();
      const Showing showing(*this);
      if (behaviour_.message != nullptr) {
        const coracle_message* const shown = next_handle();
        const Call call(*this, *this, object_.get(), shown);
        behaviour_.message(Acting::self(), shown, behaviour_.context);
      }
      while (has_unsent()) co_await send_next();
    }
    if (!failure_.empty()) throw Failure(CORACLE_AGENT_FAILED, failure_);
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
  // The agent has a message as long as this object exists.
  class Showing {
   public:
    explicit Showing(BehavingAgent& agent) noexcept : agent_(agent) {}
    Showing(const Showing&) = delete;
    ~Showing() {
      const MessageObject& shown = *agent_.object_;
      const bool is_empty = !shown.message && !shown.has_texts;
      if (!is_empty || agent_.object_.use_count() > 1) agent_.forget();
    }

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
    if (object_->node) object_->node.reset();
    if (object_->has_texts) object_->clear_texts();
  }
  const std::weak_ptr<NodeObject> node_;
  const coracle_behaviour behaviour_;
  std::uint32_t shown_ = 0;
  std::shared_ptr<MessageObject> object_;
  std::string failure_;
  bool is_over_ = false;
};

std::shared_ptr<MessageObject> shared_message_of(const coracle_message* message) {
  const bool is_shown = message != nullptr && message == inside->shown;
  auto object = is_shown ? inside->agent->keep() : object_of<MessageObject>(message);
  require_message(*object);
  return object;
}

void require_message(const MessageObject& object) {
  if (!object.message) {
    fail(CORACLE_BAD_HANDLE,
         "this message was given back or passed on, so it has nothing any more");
  }
}

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

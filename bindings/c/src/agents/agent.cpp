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
      const Call call(here_);
      behaviour_.begin(Acting::self(), behaviour_.context);
    }
    while (true) {
      while (has_unsent()) co_await send_next();
      if (object_) forget();
      if (is_over_) break;
      if (!object_) renew();
      do {
        is_settled_ = true;
        object_->message = co_await receive();
        show();
      } while (is_settled_ && !object_->message && !object_->has_texts);
    }
    if (!failure_.empty()) throw Failure(CORACLE_AGENT_FAILED, failure_);
  }

  void end(const char* failure) override {
    is_over_ = true;
    is_settled_ = false;
    if (failure != nullptr) failure_ = failure;
  }
  std::shared_ptr<MessageObject> keep() override {
    object_->node = node_.lock();
    is_settled_ = false;
    return object_;
  }

 private:
  Agent& agent() noexcept override { return *this; }
  void on_unsent() override { is_settled_ = false; }
  void show() {
    if (behaviour_.message == nullptr) return;
    here_.shown = next_handle();
    const Call call(here_);
    behaviour_.message(Acting::self(), here_.shown, behaviour_.context);
  }

  // A handle that is compared, and never looked up: the table has none of kind 15.
  const coracle_message* next_handle() noexcept {
    ++shown_;
    return reinterpret_cast<const coracle_message*>(std::uintptr_t{shown_} << 36 |
                                                    std::uintptr_t{15} << 32 | number());
  }
  // An operation that was begun may still need the message; then the next one gets another object.
  void forget() noexcept {
    if (object_.use_count() > 1) return object_.reset();
    object_->message = Message();
    if (object_->node) object_->node.reset();
    if (object_->has_texts) object_->clear_texts();
  }
  void renew() {
    object_ = std::make_shared<MessageObject>(nullptr, Message());
    here_.message = object_.get();
  }

  const std::weak_ptr<NodeObject> node_;
  const coracle_behaviour behaviour_;
  std::uint32_t shown_ = 0;
  std::shared_ptr<MessageObject> object_;
  Inside here_{this, this, Acting::self()};
  std::string failure_;
  bool is_over_ = false;
  bool is_settled_ = false;  // the last function has left nothing to send, and the agent goes on
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

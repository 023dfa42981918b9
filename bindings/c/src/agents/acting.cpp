#include "acting.hpp"

#include <atomic>
#include <utility>

namespace coracle::c {

static constinit const Inside outside{};

[[gnu::tls_model("initial-exec")]] thread_local constinit const Inside* inside = &outside;

namespace {

std::atomic<std::uint32_t> agents_made{0};

// Returns whether the post has one agent as its target, and nothing that a plain message has not.
bool is_usual(const coracle_post& post) noexcept {
  const auto bits = [](const void* each) { return reinterpret_cast<std::uintptr_t>(each); };
  const auto number = [](coracle_span each) { return static_cast<std::uintptr_t>(each); };
  const std::uintptr_t unusual = bits(post.many) | bits(post.group) | bits(post.reply_to) |
                                 post.header_count | number(post.expires) | number(post.patience);
  return unusual == 0 && (post.to == nullptr) != (post.to_sender_of == nullptr);
}

}  // namespace

Acting::Acting() noexcept : number_(++agents_made) {}

[[gnu::always_inline]] inline bool Acting::send_now(Address to, Content& content,
                                                    Conversation conversation) {
  detail::Sending sending = inside->me->send(to, std::move(content), conversation);
  if (sending.is_accepted()) [[likely]]
    return true;
  if (sending.has_ended()) sending.await_resume();
  content = sending.give_up();
  return false;
}

[[gnu::always_inline]] inline void Acting::send(const coracle_post& post) {
  // The address of a sender is one of this node only if this agent got the message.
  const bool is_sender = post.to_sender_of != nullptr;
  if (!is_usual(post) || has_unsent() || (is_sender && post.to_sender_of != inside->shown))
      [[unlikely]]
    return send_later(post_of(post));
  if (is_sender) require_message(*inside->message);
  const Address to = is_sender ? inside->message->message.source() : inside->me->find(post.to);
  Content content = content_of(post);
  if (!send_now(to, content, post.conversation)) [[unlikely]]
    send_later(post_of(post, std::move(content)));
}

[[gnu::always_inline]] inline void Acting::pass(const char* to) {
  Message& message = inside->message->message;
  const Address target = to == nullptr ? message.source() : inside->me->find(to);
  const Conversation conversation = message.conversation();
  Content content = message.consume();
  if (has_unsent() || !send_now(target, content, conversation)) [[unlikely]]
    send_later(std::move(Post(target, std::move(content)).conversation(conversation)));
}

void Acting::reply(const coracle_message* request, const Content& content) {
  if (!has_unsent()) {
    detail::Sending sending = agent().reply(inside->message->message, content);
    if (sending.has_ended()) return sending.await_resume();
  }
  do_later([request = shared_message_of(request), content](Agent& me) -> Task<> {
    detail::Sending sending = me.reply(request->message, content);
    co_await sending;
  });
}

void Acting::do_later(Sends what) {
  unsent_.push_back(std::move(what));
  if (unsent_.size() == 1) on_unsent();
}

Task<> Acting::send_next() {
  Task<> sending = unsent_.front()(agent());
  co_await sending;
  unsent_.pop_front();
}

[[gnu::noinline]] void Acting::send_later(Post post) {
  do_later([post = std::move(post)](Agent& me) { return me.send(post); });
}

void RoleActing::on_unsent() { agent().spawn(send_all()); }

Task<> RoleActing::send_all() {
  while (has_unsent()) co_await send_next();
}

std::shared_ptr<MessageObject> RoleActing::keep() {
  fail_argument("a function of a role is shown no message");
}

void RoleActing::end(const char* failure) {
  if (failure == nullptr) {
    if (const char* const obstacle = obstacle_to_retire()) fail_argument(obstacle);
    return retire_role();
  }
  failure_ = *failure == '\0' ? "it failed" : failure;
}

void RoleActing::fail_role(const std::string& why) { throw Failure(CORACLE_AGENT_FAILED, why); }

void RoleActing::throw_failure() {
  if (!failure_.empty()) fail_role(std::exchange(failure_, {}));
}

Task<> RoleActing::ask(QuestionPtr question, Show function) {
  detail::SignalWait answered = question->answered();
  question->ask_by_role(obstacle_to_retire());
  coracle_question* const handle = new_handle(question);
  {
    const Inside here{this, &agent(), self()};
    const Call called(here);
    function(self(), handle);
  }
  throw_failure();
  co_await answered;
  if (question->ends_role()) retire_role();
}

namespace {

// Returns the agent, whose function must be running on this thread.
Acting& agent_of(const coracle_agent* self) {
  if (self == nullptr || self != inside->self) [[unlikely]] {
    fail(CORACLE_WRONG_THREAD,
         "this call belongs into a function of the agent's own, while the library calls that "
         "function");
  }
  return *inside->agent;
}

// The post is of another version of the header.
[[gnu::noinline]] void send_copy(Acting& agent, const coracle_post* given) {
  coracle_post copy;
  agent.send(view_of(given, copy, "coracle_post"));
}

}  // namespace

}  // namespace coracle::c

using namespace coracle;
using namespace coracle::c;

[[gnu::flatten]] coracle_error* coracle_agent_send(coracle_agent* self, const coracle_post* given) {
  return guarded([&] {
    Acting& agent = agent_of(self);
    if (given == nullptr || given->size != sizeof(coracle_post)) [[unlikely]]
      return send_copy(agent, given);
    agent.send(*given);
  });
}

coracle_error* coracle_agent_reply(coracle_agent* self, const coracle_message* request,
                                   const coracle_post* given) {
  return guarded([&] {
    Acting& agent = agent_of(self);
    const Content content = content_of(given);
    if (request == nullptr || request != inside->shown)
      fail_argument("coracle_agent_reply: `request` is not the message of this call");
    require_message(*inside->message);
    agent.reply(request, content);
  });
}

[[gnu::flatten]] coracle_error* coracle_agent_pass(coracle_agent* self,
                                                   const coracle_message* message, const char* to) {
  return guarded([&] {
    Acting& agent = agent_of(self);
    if (message == nullptr || message != inside->shown) [[unlikely]]
      fail_argument("coracle_agent_pass: `message` is not the message of this call");
    require_message(*inside->message);
    agent.pass(to);
  });
}

coracle_error* coracle_agent_end(coracle_agent* self, const char* failure) {
  return guarded([&] { agent_of(self).end(failure); });
}

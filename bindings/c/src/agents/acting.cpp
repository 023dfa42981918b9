#include "acting.hpp"

#include <atomic>
#include <utility>

namespace coracle::c {

[[gnu::tls_model("initial-exec")]] thread_local constinit Inside inside;

namespace {

std::atomic<std::uint32_t> agents_made{0};

// Returns false if the send would have to wait, and throws its failure.
bool is_done(detail::Sending& sending) {
  if (!sending.await_ready()) return false;
  sending.await_resume();
  return true;
}

}  // namespace

Acting::Acting() noexcept : number_(++agents_made) {}

Acting::Call::Call(Acting& agent, MessageObject* message, const coracle_message* shown) noexcept
    : before_(inside) {
  inside = {&agent, agent.self(), message, shown};
}

bool Acting::send_now(const coracle_post& post) {
  const bool is_plain = (post.to != nullptr) != (post.to_sender_of != nullptr) &&
                        post.many == nullptr && post.group == nullptr && post.reply_to == nullptr &&
                        post.header_count == 0 && post.expires == 0 && post.patience == 0;
  if (!is_plain || has_unsent()) return false;
  // The address of a sender is one of this node only if this agent got the message.
  const bool is_sender = post.to_sender_of != nullptr;
  if (is_sender && post.to_sender_of != inside.shown) return false;
  Agent& me = agent();
  detail::Sending sending =
      is_sender ? me.send(inside.message->message.source(), content_of(post), post.conversation)
                : me.send(Target(post.to), content_of(post), post.conversation);
  return is_done(sending);
}

bool Acting::reply_now(const MessageView& request, const Content& content) {
  if (has_unsent()) return false;
  detail::Sending sending = agent().reply(request, content);
  return is_done(sending);
}

void RoleActing::do_later(std::function<Task<>(Agent&)> what) {
  unsent_.push_back(std::move(what));
  if (unsent_.size() == 1) agent().spawn(do_all());
}

Task<> RoleActing::do_all() {
  while (!unsent_.empty()) {
    Task<> doing = unsent_.front()(agent());
    co_await doing;
    unsent_.pop_front();
  }
}

void RoleActing::send_later(Post post) {
  do_later([post = std::move(post)](Agent& me) { return me.send(post); });
}

void RoleActing::reply_later(std::shared_ptr<MessageObject> request, Content content) {
  do_later([request = std::move(request), content = std::move(content)](Agent& me) -> Task<> {
    detail::Sending sending = me.reply(request->message, content);
    co_await sending;
  });
}

std::shared_ptr<MessageObject> RoleActing::keep() {
  fail_argument("a function of a role is shown no message");
}

void RoleActing::end(const char* failure) {
  if (failure == nullptr) return retire_role();
  failure_ = *failure == '\0' ? "it failed" : failure;
}

void RoleActing::fail_role(const std::string& why) { throw Failure(CORACLE_AGENT_FAILED, why); }

void RoleActing::throw_failure() {
  if (!failure_.empty()) fail_role(std::exchange(failure_, {}));
}

Task<> RoleActing::ask(QuestionPtr question, Show function) {
  detail::Owed::Wait settled = question->settled();
  coracle_question* const handle = new_handle(std::move(question));
  {
    const Call called(*this);
    function(self(), handle);
  }
  throw_failure();
  co_await settled;
}

}  // namespace coracle::c

#include "server/errand.hpp"

#include "coracle/match.hpp"
#include "coracle/typed.hpp"

#include <utility>

namespace coracle::mcp {

Task<> Errand::run(Agent& me, std::shared_ptr<Errand> errand, Post post, Time until) {
  errand->until_ = until;
  Result<Message> end = Error(Errc::cancelled, "the client has called the request off");
  try {
    auto asking = me.ask_result(post, until);
    asking.show_deadline();
    errand->asking_ = &asking;
    if (!errand->is_called_off_) end = co_await asking;
  } catch (const Error& error) {
    end = error;
  }
  errand->asking_ = nullptr;
  // Messages that the agent has sent before its reply may still be in the mailbox.
  while (end) {
    std::optional<Message> before = me.try_receive(in_conversation(end->conversation()));
    if (!before) break;
    errand->take(*std::move(before));
  }
  errand->end_.emplace(std::move(end));
  errand->wake();
}

Task<> Errand::wait() {
  if (end_ || question_) co_return;
  signal_.emplace();
  const coracle::detail::Signal signal = *signal_;
  auto woken = signal.wait();
  co_await woken;
}

void Errand::wake() noexcept {
  if (signal_) signal_->set();
}

void Errand::call_off() noexcept {
  is_called_off_ = true;
  if (asking_ != nullptr) asking_->call_off();
}

void Errand::take(Message message) {
  if (message.source().name() != agent_) return;
  const Content content = message.content();
  if (const auto* const progress = content.try_as<web::Progress>()) {
    if (show) show(*progress);
  } else if (const auto* const question = content.try_as<web::Question>();
             question != nullptr && !question_) {
    asked_ = *question;
    question_.emplace(std::move(message));
    wake();
  }
}

Task<> Errand::answer(Agent& me, Content content) {
  if (!question_) co_return;
  const Message question = *std::exchange(question_, std::nullopt);
  auto sending = me.send_result(question.reply_to(), std::move(content), question.conversation());
  // If the agent cannot take the answer, its end of the request says so.
  (void)co_await sending;
}

void Errands::remove(const Errand* errand) {
  std::erase_if(all_, [errand](const auto& each) { return each.get() == errand; });
}

void Errands::take(Message message) {
  const Conversation conversation = message.conversation();
  if (conversation == 0) return;
  for (const auto& each : all_)
    if (each->conversation() == conversation) return each->take(std::move(message));
}

}  // namespace coracle::mcp

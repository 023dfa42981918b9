#include "server/errand.hpp"

#include "coracle/match.hpp"
#include "coracle/support/mutations.hpp"
#include "coracle/typed.hpp"

#include <utility>

namespace coracle::mcp {

namespace {

// The bytes of a question, and of a reply that comes before its answer. They are kept while the
// client may answer.
constexpr std::size_t most_kept = std::size_t{64} * 1024;

// Awaits a request, and notes its conversation as soon as it has one: an agent may send messages in
// it that arrive just before its reply.
struct NotedAsking {
  coracle::detail::Asking::AsResult& asking;
  Errand& errand;

  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> awaiting) {
    const bool waits = asking.await_suspend(awaiting);
    errand.note(asking.conversation());
    return waits;
  }
  Result<Message> await_resume() { return asking.await_resume(); }
};

}  // namespace

std::string begin_of(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0U) == 0x80U) --most;
  return text.substr(0, most);
}

bool Errand::is_of(const std::string& tool, const std::string& caller,
                   const web::Json& arguments) const {
  const bool is_own = caller_ == caller || mutated(Mutation::any_state);
  return is_own && tool_ == tool && arguments_ == digest_of(arguments);
}

Task<> Errand::run(Agent& me, std::shared_ptr<Errand> errand, Post post, Time until) {
  errand->until_ = until;
  Result<Message> end = Error(Errc::cancelled, "the client has called the request off");
  try {
    auto asking = me.ask_result(post, until);
    asking.show_deadline();
    errand->asking_ = &asking;
    NotedAsking noted{asking, *errand};
    if (!errand->is_called_off_) end = co_await noted;
  } catch (const Error& error) {
    end = error;
  }
  errand->asking_ = nullptr;
  // Messages that the agent has sent before its reply may still be in the mailbox. Copies of them
  // may be there, too: those belong to the transcripts.
  while (end) {
    std::optional<Message> before =
        me.try_receive(in_conversation(end->conversation()) && addressed());
    if (!before) break;
    errand->take(*std::move(before));
  }
  if (end && errand->question_ && end->content().bytes().size() > most_kept)
    end = Error(Errc::too_large, "its reply is too large for one before the client's answer");
  errand->end_.emplace(std::move(end));
  errand->wake();
}

Task<> Errand::wait(Deadline most) {
  if (end_ || question_) co_return;
  signal_.emplace();
  const coracle::detail::Signal signal = *signal_;
  auto woken = signal.wait(most);
  co_await woken;
}

void Errand::wake() {
  if (changed) changed();
  else if (signal_) signal_->set();
}

void Errand::call_off() noexcept {
  is_called_off_ = true;
  if (asking_ != nullptr) asking_->call_off();
}

void Errand::take(Message message) {
  if (message.source().name() != agent_) return;
  const Content content = message.content();
  if (const auto* const progress = content.try_as<web::Progress>()) {
    const web::Progress shown{begin_of(progress->text), progress->done, progress->total};
    step_ = shown.text;
    if (show) show(shown);
  } else if (const auto* const question = content.try_as<web::Question>();
             question != nullptr && message.is_request() && !question_ &&
             content.bytes().size() <= most_kept) {
    asked_ = begin_of(question->text);
    question_.emplace(std::move(message));
    wake();
  }
}

Task<> Errand::answer(Agent& me, std::optional<std::string> text) {
  if (!question_) co_return;
  const Message question = *std::exchange(question_, std::nullopt);
  try {
    if (text) {
      const Content content(*text);
      auto replying = me.reply(question, content);
      co_await replying;
    } else {
      auto refusing = me.refuse(question, "the client does not answer");
      co_await refusing;
    }
  } catch (const Error& error) {
    if (error.errc() == Errc::stopped) throw;  // else the agent is gone, which its request shows
  }
}

void Errands::remove(const Errand* errand) {
  std::erase_if(all_, [errand](const auto& each) { return each.get() == errand; });
}

void Errands::take(Message message) {
  const Content content = message.content();
  const auto* const question = content.try_as<web::Question>();
  const Conversation conversation =
      question == nullptr ? message.conversation() : question->conversation;
  if (conversation == 0) return;
  for (const auto& each : all_)
    if (each->conversation() == conversation) return each->take(std::move(message));
}

}  // namespace coracle::mcp

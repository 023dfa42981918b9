#include "coracle/a2a/talk.hpp"

#include "coracle/errors.hpp"
#include "coracle/typed.hpp"

#include <utility>

namespace coracle::a2a {

coracle::Task<> report_progress(Agent& me, const MessageView& request, std::string text) {
  const Content progress = Content::of(Progress{std::move(text)});
  co_await me.send(request.reply_to(), progress, request.conversation());
}

coracle::Task<> send_piece(Agent& me, const MessageView& request, Content piece) {
  co_await me.send(request.reply_to(), piece, request.conversation());
}

coracle::Task<std::optional<coracle::Message>> put_question(Agent& me, const MessageView& request,
                                                            Question question, Deadline deadline) {
  question.conversation = request.conversation();
  const Address client = request.source();
  const Content content = Content::of(std::move(question));
  Result<coracle::Message> answer = co_await me.ask_result(client.name(), content, deadline);
  if (answer) co_return std::move(*answer);
  const Errc why = answer.error().errc();
  if (why == Errc::stopped || why == Errc::fenced) throw Error(answer.error());
  co_return std::nullopt;
}

}  // namespace coracle::a2a

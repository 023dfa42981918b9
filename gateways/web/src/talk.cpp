#include "coracle/web/talk.hpp"

#include "coracle/errors.hpp"
#include "coracle/result.hpp"
#include "coracle/typed.hpp"

#include <utility>

namespace coracle::web {

bool can_talk(const MessageView& request) noexcept {
  return request.header(talk_header).has_value();
}

Task<> report_progress(Agent& me, const MessageView& request, std::string text, double done,
                       double total) {
  const Content content = Content::of(Progress{std::move(text), done, total});
  co_await me.send(request.reply_to(), content, request.conversation());
}

Task<std::optional<Message>> put_question(Agent& me, const MessageView& request, std::string text,
                                          Deadline deadline) {
  Question question{std::move(text)};
  question.conversation = request.conversation();
  const Content content = Content::of(std::move(question));
  auto asking = me.ask_result(request.reply_to(), content, deadline);
  Result<Message> answer = co_await asking;
  if (answer) co_return *std::move(answer);
  const Errc why = answer.error().errc();
  if (why == Errc::stopped || why == Errc::fenced) throw answer.error();
  co_return std::nullopt;
}

}  // namespace coracle::web

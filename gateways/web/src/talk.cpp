#include "coracle/web/talk.hpp"

#include "coracle/match.hpp"
#include "coracle/typed.hpp"

#include <utility>

namespace coracle::web {

Task<> report_progress(Agent& me, const MessageView& request, std::string text, double done,
                       double total) {
  const Content content = Content::of(Progress{std::move(text), done, total});
  co_await me.send(request.reply_to(), content, request.conversation());
}

Task<std::optional<Message>> put_question(Agent& me, const MessageView& request, std::string text,
                                          Deadline deadline) {
  const Conversation conversation = request.conversation();
  const Content content = Content::of(Question{std::move(text)});
  co_await me.send(request.reply_to(), content, conversation);
  std::optional<Message> answer = co_await me.receive(in_conversation(conversation), deadline);
  if (answer && answer->content().try_as<Canceled>() != nullptr) answer.reset();
  co_return answer;
}

}  // namespace coracle::web

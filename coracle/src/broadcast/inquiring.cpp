#include "broadcast/inquiring.hpp"

#include "broadcast/words.hpp"
#include "coracle/support/error_texts.hpp"
#include "coracle/typed.hpp"

#include <utility>

namespace coracle::detail {

Inquiring::~Inquiring() {
  for (One& one : ones_) {
    if (one.frame) std::exchange(one.frame, {}).destroy();
  }
}

void Inquiring::ask(MessageRecord* question, Deadline deadline) {
  One& one = ones_.emplace_back(me_, question, deadline);
  one.asking.do_not_block();
  one.frame = await_one(one).release();
  one.frame.promise().set_root(one);
  one.frame.resume();
}

Task<> Inquiring::await_one(One& one) {
  AskingOne::End end = co_await one.asking;
  one.ended = true;
  if (rule_.over()) co_return;
  Result<Content> answer = answer_in(one, std::move(end));
  if (answer) rule_.on_answer(answer->empty());
  else rule_.on_failure();
  replies_.all.push_back({one.asking.asked()->name, std::move(answer)});
  if (!rule_.over() && awaited_ != &one) co_return;
  if (changed_) changed_->set();
  changed_.reset();
}

Result<Content> Inquiring::answer_in(One& one, AskingOne::End end) const {
  if (!end.reply) return one.asking.as_error();
  Content answer = end.reply->consume();
  if (answer.type() != BroadcastFailure::content_type) return answer;
  const std::string why = answer.as<BroadcastFailure>().why;
  return make_error(Errc::refused, "get an answer from", one.asking.asked()->name, why);
}

Task<> Inquiring::something() {
  changed_.emplace();
  const Signal changed = *changed_;
  for (One& one : ones_) {
    if (one.ended || !one.asking.linked()) continue;
    awaited_ = &one;
    one.asking.block();
    break;
  }
  (void)co_await changed.wait();
}

Replies Inquiring::finish() {
  replies_.enough = rule_.enough();
  replies_.asked = ones_.size();
  return std::move(replies_);
}

}  // namespace coracle::detail

// The client's side of a tuple space.
#include "coracle/detail/space_access.hpp"
#include "coracle/tuple_space.hpp"
#include "coracle/typed.hpp"

#include <algorithm>

namespace coracle {

using detail::TupleAct;
using detail::TupleAnswer;
using detail::TupleNotice;
using detail::TupleRequest;
using detail::TupleVerdict;

namespace {

// The time beyond the deadline for which the reply of a space is awaited.
constexpr Duration grace = std::chrono::seconds(1);

// The verdict in a space's reply; nullptr when the reply is a tuple. The message has been consumed
// already: if an exception from here destroyed it, it would be redelivered.
const TupleAnswer* verdict_of(const Content& content) {
  static const TupleAnswer done;
  if (content.empty()) return &done;
  if (content.type() != content_type_of<TupleAnswer>()) {
    (void)content.as<TupleRequest>();
    return nullptr;
  }
  const auto& answer = content.as<TupleAnswer>();
  if (answer.verdict == TupleVerdict::failed) {
    throw Error(static_cast<Errc>(answer.errc), answer.text);
  }
  return &answer;
}

Task<TupleAnswer> ask_space(Agent& agent, Address space, TupleRequest request) {
  const Content asked = Content::of(std::move(request));
  Message message = co_await agent.ask(space, asked);
  const Content content = message.consume();
  const TupleAnswer* const answer = verdict_of(content);
  if (answer == nullptr) co_return TupleAnswer();
  co_return *answer;
}

}  // namespace

// As long as it lives, the request may be called off.
class detail::SpaceRequest::Asked {
 public:
  Asked(SpaceRequest* of, Asking& asking) noexcept : of_(of) {
    if (of_ != nullptr) of_->asking_ = &asking;
  }
  Asked(const Asked&) = delete;
  ~Asked() {
    if (of_ != nullptr) of_->asking_ = nullptr;
  }

 private:
  SpaceRequest* const of_;
};

Task<> Space::put(TupleAct act, Lease lease, TupleFields fields, detail::SpaceRequest* under_way) {
  TupleRequest request;
  request.act = act;
  request.span = lease.span.count();
  request.fields = std::move(fields);
  const Content asked = Content::of(std::move(request));
  detail::Asking asking = agent_.ask(space_, asked);
  const detail::SpaceRequest::Asked may_be_called_off(under_way, asking);
  Message message = co_await asking;
  const Content content = message.consume();
  (void)verdict_of(content);
}

// The space itself replies when the deadline has passed, so that a tuple is either taken or not.
// The client stops waiting only when the space cannot be reached.
Task<std::optional<Content>> Space::find(TupleAct act, TupleFields pattern, Deadline deadline,
                                         detail::SpaceRequest* under_way) {
  const bool is_bounded = deadline.is_set();
  const Time until = is_bounded ? deadline.at(agent_.now()) : Time::max();
  TupleRequest request;
  request.act = act;
  request.fields = std::move(pattern);
  for (;;) {
    if (is_bounded) request.span = std::max<std::int64_t>((until - agent_.now()).count(), 0);
    const Deadline patience = is_bounded ? Deadline(until + grace) : Deadline::never();
    const Content asked = Content::of(std::move(request));
    detail::Asking::AsResult asking = agent_.ask_result(space_, asked, patience);
    const detail::SpaceRequest::Asked may_be_called_off(under_way, asking);
    Result<Message> message = co_await asking;
    if (!message) {
      if (is_bounded && message.error().errc() == Errc::expired) co_return std::nullopt;
      throw message.error();
    }
    Content content = message->consume();
    const TupleAnswer* const answer = verdict_of(content);
    if (answer == nullptr) co_return content;
    if (answer->verdict != TupleVerdict::ask_again) co_return std::nullopt;
    request = asked.as<TupleRequest>();
    request.ticket = answer->ticket;
  }
}

Task<NoticesBase> Space::listen(Lease lease, TupleFields pattern) {
  TupleRequest request;
  request.act = TupleAct::notify;
  request.span = lease.span.count();
  request.fields = std::move(pattern);
  const Conversation conversation = agent_.new_conversation();
  request.ticket = conversation;
  const TupleAnswer answer = co_await ask_space(agent_, space_, std::move(request));
  co_return NoticesBase(agent_, space_, conversation, answer.ticket);
}

Task<> NoticesBase::renew(Lease lease) {
  TupleRequest request;
  request.act = TupleAct::renew;
  request.span = lease.span.count();
  request.ticket = number_;
  const TupleAnswer answer = co_await ask_space(*agent_, space_, std::move(request));
  if (answer.verdict == TupleVerdict::done) co_return;
  throw Error(Errc::expired,
              "a notification of '" + space_.name().str() + "' has ended; ask for another one");
}

Task<> NoticesBase::end(Deadline deadline) {
  TupleRequest request;
  request.act = TupleAct::end_notify;
  request.ticket = number_;
  const Content asked = Content::of(std::move(request));
  Result<Message> message = co_await agent_->ask_result(space_, asked, deadline);
  if (!message) {
    if (deadline.is_set() && message.error().errc() == Errc::expired) co_return;
    throw message.error();
  }
  const Content content = message->consume();
  (void)verdict_of(content);
}

Match NoticesBase::wanted() const {
  return in_conversation(conversation_) && from(space_) &&
         of_type(std::string(content_type_of<TupleNotice>()));
}

Content NoticesBase::take(Message& notice) {
  Content content = notice.consume();
  missed_ += content.as<TupleNotice>().missed;
  return content;
}

Task<std::optional<Content>> NoticesBase::next_content(Deadline deadline) {
  std::optional<Message> message = co_await agent_->receive(wanted(), deadline);
  if (!message) co_return std::nullopt;
  co_return take(*message);
}

}  // namespace coracle

// Remote calls on the caller's side: requests whose deadlines travel with them.
#include "coracle/detail/calling.hpp"

#include "coracle/support/error_texts.hpp"
#include "fast_path.hpp"

namespace coracle::detail {

namespace {

MessageRecord* pack_call(Agent& me, Address whom, Deadline deadline, Content call) {
  MessageRecord* const record = AgentAccess::pack(me, whom, std::move(call), request_flag);
  if (deadline.is_set()) fields_of(*record).deadline = deadline.at(me.now());
  return record;
}

Errc errc_of(CallFault fault) noexcept {
  switch (fault) {
    case CallFault::no_function:
      return Errc::no_such_function;
    case CallFault::bad_arguments:
      return Errc::wrong_type;
    case CallFault::too_late:
    case CallFault::no_stream:
      return Errc::expired;
    case CallFault::too_many:
      return Errc::limit_reached;
    case CallFault::begun_before:
      return Errc::peer_down;
    case CallFault::refused:
      break;
  }
  return Errc::refused;
}

}  // namespace

CallBase::CallBase(Agent& me, Address whom, Deadline deadline, Content call,
                   std::string_view function)
    : Asking(me, pack_call(me, whom, deadline, std::move(call)), deadline), function_(function) {}

void CallBase::begin() noexcept {
  blocks_ = false;
  (void)Asking::await_suspend(std::noop_coroutine());
}

void CallBase::block() noexcept {
  blocks_ = true;
  if (tag_ == 0 || !accepted()) return;
  Worker& worker = *Worker::current();
  if (!worker.cycles.begin(agent_, target_, *this)) {
    finish(Errc::deadlock, circle(*target_, *Access::mailbox(agent_)));
  }
}

bool CallBase::await_later(std::coroutine_handle<> awaiting) noexcept {
  if (!linked()) return false;
  frame = awaiting;
  Worker::current()->rests(*Access::mailbox(agent_));
  block();
  return true;
}

void CallBase::cancel() noexcept {
  if (tag_ != 0) finish(Errc::cancelled, {});
}

Error CallBase::error_said(Errc errc, const std::string& text) const {
  const std::string tried = "call '" + std::string(function_) + "' of";
  return make_error(errc, tried.c_str(), target_->name, text);
}

// Returns the Error of a reply that gives a reason why there is no result.
std::optional<Error> CallBase::failure_in(const Message& reply) const {
  const ContentBlock* const block = Access::record(reply)->content;
  if (block == nullptr || block->type() != CallFailure::content_type) return std::nullopt;
  const Content content = reply.content();
  const auto* failure = content.try_as<CallFailure>();
  if (failure == nullptr) return error_said(Errc::bad_encoding, "its reason cannot be read");
  return error_said(errc_of(failure->fault), failure->text);
}

void CallBase::fail_reading(const Error& error) const {
  throw error_said(Errc::wrong_type, "its answer cannot be read: " + error.sentence());
}

Message CallBase::take_reply() {
  if (error_ == Errc{} && record_ == nullptr && reply_ != nullptr &&
      (reply_->flags & failure_flag) == 0) [[likely]] {
    return Message(std::exchange(reply_, nullptr));
  }
  conclude();
  if (error_ != Errc{}) throw error_said(error_, text());
  return Message(std::exchange(reply_, nullptr));
}

void CallBase::throw_failure_in(Message& reply) const {
  if (const std::optional<Error> failure = failure_in(reply)) {
    reply.acknowledge();
    throw *failure;
  }
}

Message CallBase::take() {
  Message reply = take_reply();
  throw_failure_in(reply);
  return reply;
}

Result<Message> CallBase::take_result() {
  conclude();
  if (error_ != Errc{}) return error_said(error_, text());
  Message reply(std::exchange(reply_, nullptr));
  if (std::optional<Error> failure = failure_in(reply)) return std::move(*failure);
  return reply;
}

Leaving::~Leaving() {
  if (stream == 0 || Worker::current() == nullptr) return;
  try {
    (void)line_.me.send(line_.who(), Content::of(Enough{stream}));
  } catch (...) {
    return;  // the other side finds out by itself
  }
}

}  // namespace coracle::detail

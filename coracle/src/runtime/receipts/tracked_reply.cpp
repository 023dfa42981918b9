#include "tracked_reply.hpp"

#include "runtime/node/node_core.hpp"

namespace coracle::detail {

ReplyOutcomes::ReplyOutcomes(Agent& agent, WhenEnded told, void* context) noexcept
    : mailbox_(*Access::mailbox(agent)), told_(told), context_(context) {
  home = Worker::current();
}

// The agent may have moved to another worker since it replied.
void ReplyOutcomes::update(std::uint32_t which, Outcome outcome, DropReason reason) {
  Worker* const there = mailbox_.home.load(std::memory_order_acquire);
  if (there == Worker::current()) {
    if (told_ != nullptr) told_(context_, which, outcome);
    return;
  }
  there->post(command([self = shared_from_this(), which, outcome, reason](Worker&) {
    self->update(which, outcome, reason);
  }));
}

void note_answer(MessageRecord& reply, const MessageView& request) {
  // Only the reader's worker touches a message.
  const bool is_here = Access::record(request)->target->home.load() == Worker::current();
  if (is_here && request.is_request()) set_flag(*Access::record(request), answered_flag);
  const OptionalFields* const asked = Access::record(request)->fields;
  if ((reply.flags & reply_flag) == 0 || asked == nullptr || asked->asking_life == Incarnation() ||
      (reply.target->mode_now() & elsewhere) != 0)
    return;
  fields_of(reply).asking_life = asked->asking_life;
}

Sending reply_tracked(Agent& agent, const MessageView& request, Content content,
                      std::shared_ptr<ReplyOutcomes> outcomes, std::uint32_t which, Time until) {
  Mailbox& mailbox = *Access::mailbox(agent);
  MessageRecord* const record = new_record();
  record->source = &mailbox;
  record->target = Access::mailbox(request.reply_to());
  record->content = content.release();
  record->conversation = request.conversation();
  record->set_sequence(mailbox.sent + 1);
  record->flags = reply_flag;
  note_answer(*record, request);
  OptionalFields& fields = fields_of(*record);
  fields.receipt = std::move(outcomes);
  fields.receipt_index = which;
  fields.deadline = until;
  return Sending(agent, record);
}

}  // namespace coracle::detail

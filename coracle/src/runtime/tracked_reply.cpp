#include "runtime/tracked_reply.hpp"

#include "runtime/node_core.hpp"

namespace coracle::detail {

AnswerFates::AnswerFates(Agent& agent, Told told, void* context) noexcept
    : party_(*agent.party()), told_(told), context_(context) {
  home = Worker::current();
}

// The agent may have been moved to another worker since it answered.
void AnswerFates::update(std::uint32_t which, Outcome outcome) {
  Worker* const there = party_.home.load(std::memory_order_acquire);
  if (there == Worker::current()) {
    if (told_ != nullptr) told_(context_, which, outcome);
    return;
  }
  there->post(command(
      [self = shared_from_this(), which, outcome](Worker&) { self->update(which, outcome); }));
}

void note_answer(Parcel& reply, const MessageView& request) {
  // Only its reader's worker touches a message.
  const bool is_here = request.parcel()->target->home.load() == Worker::current();
  if (is_here && request.is_request()) set_flag(*request.parcel(), answered_flag);
  const Extras* const asked = request.parcel()->extras;
  if ((reply.flags & reply_flag) == 0 || asked == nullptr || asked->asking_life == Incarnation() ||
      (reply.target->mode_now() & elsewhere) != 0)
    return;
  extras_of(reply).asking_life = asked->asking_life;
}

Sending reply_tracked(Agent& agent, const MessageView& request, Content content,
                      std::shared_ptr<AnswerFates> fates, std::uint32_t which, Time until) {
  Party& party = *agent.party();
  Parcel* const parcel = new_parcel();
  parcel->source = &party;
  parcel->target = request.reply_to().party();
  parcel->content = content.release();
  parcel->conversation = request.conversation();
  parcel->set_sequence(party.sent + 1);
  parcel->flags = reply_flag;
  note_answer(*parcel, request);
  Extras& extras = extras_of(*parcel);
  extras.receipt = std::move(fates);
  extras.receipt_index = which;
  extras.deadline = until;
  return Sending(agent, parcel);
}

}  // namespace coracle::detail

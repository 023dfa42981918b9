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

#include "noticing.hpp"

#include "coracle/support/mutations.hpp"
#include "notes.hpp"
#include "runtime/node/node_core.hpp"
#include "seen_by_patterns.hpp"

#include <algorithm>
#include <utility>

namespace coracle::detail {

namespace {

// The stages in their order; all ends are one.
int rank_of(std::uint8_t note) noexcept { return std::min<int>(note, consumed_note); }

}  // namespace

Noticing::Noticing(Worker& at, const MessageRecord& record, OpenCount open)
    : open_(std::move(open)),
      receipt_(record.fields != nullptr ? record.fields->receipt : nullptr),
      source_(*record.source),
      life_(record.source->incarnation),
      conversation_(record.conversation),
      addressed_(addressed_to(record)),
      receiver_(record.target->name) {
  home = &at;
}

void Noticing::let_go(MessageRecord& record) noexcept {
  record.fields->receipt = std::move(receipt_);
}

void Noticing::begin(std::vector<NoticedTap> taps) {
  taps_ = std::move(taps);
  has_begun_ = true;
  if (mutated(Mutation::early_is_forgotten)) return;
  for (std::uint8_t each = 0; each < count_before_; ++each) send(before_[each]);
}

template <class Act>
void Noticing::pass_on(Act act) {
  if (!receipt_ || mutated(Mutation::receipt_passed_over)) return;
  if (receipt_->home == Worker::current()) return act(*receipt_);
  receipt_->home->post(command([state = receipt_, act](Worker&) { act(*state); }));
}

void Noticing::update(std::uint32_t index, Stage stage) {
  pass_on([=](ReceiptState& receipt) { receipt.update(index, stage); });
  if (stage == Stage::delivered) note(kept_note);
}

void Noticing::hand_out(std::uint32_t index) {
  pass_on([=](ReceiptState& receipt) { receipt.hand_out(index); });
  note(handed_out_note);
}

void Noticing::update(std::uint32_t index, Outcome outcome, DropReason reason) {
  pass_on([=](ReceiptState& receipt) { receipt.update(index, outcome, reason); });
  note(note_of(outcome, reason));
}

void Noticing::lose_sight(std::uint32_t index) {
  pass_on([=](ReceiptState& receipt) { receipt.lose_sight(index); });
}

// A message that is given back is handed out again, and a liar may report anything again and again:
// each stage has one notice.
void Noticing::note(std::uint8_t what) {
  if (rank_of(what) <= rank_of(last_) && !mutated(Mutation::noted_again)) return;
  last_ = what;
  if (has_begun_) send(what);
  else before_[count_before_++] = what;
}

void Noticing::send(std::uint8_t what) {
  for (const NoticedTap& tap : taps_) {
    MessageRecord* const notice = new_record();
    notice->flags = copy_flag;
    notice->source = &source_;
    notice->conversation = conversation_;
    notice->set_sequence(tap.sequence);
    if (receiver_ != addressed_) notice->content = Content(receiver_.str()).release();
    OptionalFields& fields = fields_of(*notice);
    fields.target_name = addressed_;
    fields.life = life_;
    fields.note = what;
    home->overhearing.send_notice(tap.id, notice);
  }
}

std::shared_ptr<Noticing> follow(Worker& at, MessageRecord& record) {
  const OpenCount& open = at.overhearing.followed();
  const bool is_full = open->load(std::memory_order_relaxed) >= most_followed;
  if (is_full && !mutated(Mutation::followed_uncounted)) return nullptr;
  open->fetch_add(1, std::memory_order_relaxed);
  auto noticing = std::make_shared<Noticing>(at, record, open);
  fields_of(record).receipt = noticing;
  return noticing;
}

}  // namespace coracle::detail

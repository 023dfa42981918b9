// The events that a node reports to its observer. An observed message has optional fields, and with
// them it takes the long path everywhere: the fast path (fast_path.hpp) knows nothing of observers.
#include "observing.hpp"

#include "node_core.hpp"
#include "runtime/groups/notes.hpp"

namespace coracle {

const char* to_string(Happening what) noexcept {
  switch (what) {
    case Happening::accepted: return "accepted";
    case Happening::kept: return "kept";
    case Happening::handed_out: return "handed out";
    case Happening::given_back: return "given back";
    case Happening::consumed: return "consumed";
    case Happening::expired: return "expired";
    case Happening::refused: return "refused";
    case Happening::undeliverable: return "undeliverable";
    case Happening::dropped: return "dropped";
    case Happening::store_lost:
      return "store lost";
    case Happening::copy_kept: return "copy kept";
    case Happening::copy_handed: return "copy handed out";
    case Happening::began: return "began";
    case Happening::ended: return "ended";
    case Happening::joined: return "joined";
    case Happening::left: return "left";
    case Happening::alarm: return "alarm";
    case Happening::computed: return "computed";
  }
  return "?";
}

namespace detail {

void Observing::introduce(MessageRecord& record) noexcept {
  if ((record.flags & marker_flag) != 0) return;
  OptionalFields& fields = fields_of(record);
  if (fields.observed != 0 || (record.flags & (gap_flag | letter_flag)) != 0 || is_notice(record))
    return;
  Envelope view(&record);
  const Incarnation life = record.source != nullptr ? record.source->incarnation : Incarnation();
  fields.observed =
      observer_->meet(view, record.target->name, life, worker_.index(), worker_.now());
  Access::release(view);
}

void Observing::note(Happening what, std::uint64_t message, const Mailbox& whose,
                     std::uint64_t number, std::string_view text) noexcept {
  Observation seen;
  seen.what = what;
  seen.message = message;
  seen.agent = &whose.name;
  seen.life = whose.incarnation;
  seen.worker = worker_.index();
  seen.at = worker_.now();
  seen.detail = number;
  seen.text = text;
  observer_->observe(seen);
}

// A dead letter is a copy for another reader: the message already has its outcome.
void Observing::note(Happening what, const MessageRecord& record, std::uint64_t number) noexcept {
  if ((record.flags & letter_flag) != 0 || is_notice(record)) return;
  if (is_copy(record)) {
    if (what != Happening::kept && what != Happening::handed_out) return;
    what = what == Happening::kept ? Happening::copy_kept : Happening::copy_handed;
    if ((record.flags & gap_flag) != 0) number = record.fields->gap;
  }
  const std::uint64_t message = record.fields != nullptr ? record.fields->observed : 0;
  note(what, message, *record.target, number);
}

}  // namespace detail

}  // namespace coracle

// What a node tells its observer. A message that is observed has extras, and with them it takes the
// long way everywhere: the straight way (fast_path.hpp) knows nothing of observers.
#include "runtime/node_core.hpp"

#include "coracle/observer.hpp"

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
    case Happening::custodian_lost: return "custodian lost";
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

void Worker::introduce(Parcel& parcel) noexcept {
  if ((parcel.flags & marker_flag) != 0) return;
  Extras& extras = extras_of(parcel);
  if (extras.observed != 0 || (parcel.flags & (gap_flag | letter_flag)) != 0) return;
  Envelope view(&parcel);
  const Incarnation life = parcel.source != nullptr ? parcel.source->incarnation : Incarnation();
  extras.observed = observer_->meet(view, parcel.target->name, life, index_, now());
  view.release();
}

void Worker::note(Happening what, std::uint64_t message, const Party& whose, std::uint64_t number,
                  std::string_view text) noexcept {
  Observation seen;
  seen.what = what;
  seen.message = message;
  seen.agent = &whose.name;
  seen.life = whose.incarnation;
  seen.worker = index_;
  seen.at = now();
  seen.detail = number;
  seen.text = text;
  observer_->observe(seen);
}

// Dead letters are another reader's business: the message has its outcome already.
void Worker::note(Happening what, const Parcel& parcel, std::uint64_t number) noexcept {
  if ((parcel.flags & letter_flag) != 0) return;
  if (is_copy(parcel)) {
    if (what != Happening::kept && what != Happening::handed_out) return;
    what = what == Happening::kept ? Happening::copy_kept : Happening::copy_handed;
    if ((parcel.flags & gap_flag) != 0) number = parcel.extras->gap;
  }
  const std::uint64_t message = parcel.extras != nullptr ? parcel.extras->observed : 0;
  note(what, message, *parcel.target, number);
}

// Once it is carried, the parcel may be gone; its number is not.
Sent Worker::try_send_observed(Party& source, Parcel*& parcel, Errc& error) {
  meet(*parcel);
  const std::uint64_t number = parcel->extras->observed;
  const std::uint64_t sequence = parcel->sequence();
  const Sent sent = anybody_hears() ? try_send_overheard(source, parcel, error)
                                    : carry(source, parcel, error);
  if (sent == Sent::accepted) note(Happening::accepted, number, source, sequence);
  return sent;
}

}  // namespace detail

}  // namespace coracle

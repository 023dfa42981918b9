// In whose name a member may speak: in those that the directory says its lease holds, or held
// lately. What a mailbox redirects keeps its source, and is believed if that mailbox is the peer's,
// and redirects to where the message goes; what the custodian sends is believed as it was when it
// was given. News of a name may come after a message from its holder: then the message waits until
// the directory has told what it knows, and with it those behind it that have the same source.
#include "runtime/node_core.hpp"
#include "runtime/planted.hpp"
#include "runtime/remote_frames.hpp"

#include <utility>

namespace coracle::detail {

namespace {

constexpr std::size_t most_unproven = 1024;  // messages of one peer

// Whether the mailbox that is said to have redirected a message does so, to that name.
bool redirects_to(Directory& directory, const Name& from, const Name& to) {
  const auto known = directory.try_look_up(from);
  return known && *known && (*known)->mailbox.overflow() == Overflow::redirect &&
         (*known)->mailbox.redirect() == to;
}

// It goes no further, and its sender is told that it may not.
void forbid(Parcel& parcel) {
  Content::adopt(std::exchange(parcel.content, nullptr));
  set_flag(parcel, forbidden_flag);
}

}  // namespace

Remote::Peer::Peer(LeaseId own, LeaseId other, bool has_several) noexcept
    : self(own), lease(other), mutex(has_several) {}

Remote::Peer::~Peer() = default;

// The record of a name in which the peer speaks. There is none when it has its share of them, or
// when this node has no room for more: then what it says is refused, and nothing else.
Party* Remote::record_of(Worker& at, Peer& from, const Name& name) {
  if (Party* const known = node_.parties().find(name.view())) return known;
  if (from.names_made >= names_told_limit) return on_excess(from.lease), nullptr;
  try {
    Party* const made = node_.party(name, at);
    ++from.names_made;
    return made;
  } catch (const Error&) {
    return nullptr;
  }
}

// Sets the message's source if the peer may speak in that name.
bool Remote::speaks_as(Worker& at, Peer& from, const Source& source, Parcel& parcel) {
  if (source.name.empty()) return true;
  Heard* const heard = source.heard;
  if (heard != nullptr && heard->is_its_own) return parcel.source = heard->party, true;
  if (from.unproven.contains(source.name)) return false;  // behind others that wait
  Directory& directory = node_.directory();
  const bool is_its_own = planted(Bug::any_source) || from.lease == 0 ||
                          directory.is_custodian(from.lease) ||
                          directory.may_speak_as(from.lease, source.name);
  if (!is_its_own) {
    const Extras& extras = *parcel.extras;
    const bool is_redirected = extras.redirects != 0 && !extras.redirected_by.empty() &&
                               directory.may_speak_as(from.lease, extras.redirected_by) &&
                               redirects_to(directory, extras.redirected_by, source.target);
    if (!is_redirected) return false;
  }
  parcel.source = record_of(at, from, source.name);
  if (parcel.source == nullptr) return false;
  if (heard == nullptr || !is_its_own) return true;
  heard->is_recorded_as(*parcel.source);
  heard->is_its_own = true;
  return true;
}

void Remote::when_proven(Worker& at, Peer& from, Source source, Parcel* parcel, Proven then) {
  if (from.unproven_count >= most_unproven) {
    on_excess(from.lease);
    forbid(*parcel);
    return then(at, parcel);
  }
  ++from.unproven_count;
  const Name name = source.name;
  auto& waiting = from.unproven[name];
  waiting.push_back(
      {std::move(source), std::unique_ptr<Parcel, FreeParcel>(parcel), std::move(then)});
  if (waiting.size() > 1) return;
  at.run_detached([](Remote& self, LeaseId own, LeaseId lease, Name which) -> Task<> {
    Task<bool> asking = self.node_.directory().find_speaker(lease, which);
    (void)co_await asking;
    if (own == self.self()) self.judge(*Worker::current(), self.peer(lease), which);
  }(*this, from.self, from.lease, name));
}

// All that the directory knew is known here.
void Remote::judge(Worker& at, Peer& from, const Name& name) {
  auto waiting = from.unproven.extract(name);
  if (waiting.empty()) return;
  from.unproven_count -= waiting.mapped().size();
  for (Unproven& each : waiting.mapped()) {
    Parcel* const parcel = each.parcel.release();
    if (!speaks_as(at, from, each.source, *parcel)) forbid(*parcel);
    each.then(at, parcel);
  }
}

}  // namespace coracle::detail

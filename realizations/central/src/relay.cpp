#include "relay.hpp"

#include "realizations/net/src/society/planted.hpp"

#include <string_view>
#include <utility>

namespace coracle::central {

namespace {

using Ruling = Checkpoint::Ruling;

constexpr const char* not_asked = "a frame that the policy cannot be asked about";

}  // namespace

void Relay::on_lease(LeaseId lease, Way& way) { places_.try_emplace(lease, lease, way); }

void Relay::on_lease_ended(LeaseId lease) {
  if (const auto ended = places_.find(lease); ended != places_.end()) {
    for (const auto& [other, pair] : ended->second.pairs) {
      const auto place = places_.find(other);
      if (other != lease && place != places_.end()) place->second.pairs.erase(lease);
    }
    places_.erase(ended);
  }
  if (checkpoint_) checkpoint_->on_lease_ended(lease);
}

Relay::Pair& Relay::pair_of(Place& sender, Place& receiver, const Leases& leases) {
  const auto [pair, is_new] = sender.pairs.try_emplace(leases.to);
  if (is_new && &sender != &receiver) receiver.pairs.try_emplace(leases.from);
  return pair->second;
}

const char* Relay::on_message(Way& from, const net::Arrived& message) {
  if (is_fetch(message.header)) return on_ask(from, message.header);
  const RelayedHead head = read_relayed_head(message.header);
  if (!head.ok) return "a message for another node that cannot be understood";
  const auto sender = places_.find(head.leases.from);
  // One that has ended was its own, or never its own; who cares.
  if (sender == places_.end()) return nullptr;
  if (&sender->second.outlet.way() != &from && !planted(society::Bug::any_relayed))
    return "a message under a lease that is another node's";
  const auto receiver = places_.find(head.leases.to);
  if (receiver == places_.end()) return nullptr;  // the sender will hear of it, or has heard

  switch (head.kind) {
    case Relayed::piece:
      return pass_piece(sender->second, receiver->second, head, message);
    case Relayed::frames:
      return pass_frames(sender->second, receiver->second, head, message);
    case Relayed::read:
    case Relayed::how_much:
    case Relayed::refused:
      return pass_word(sender->second, receiver->second, head, message);
  }
  return nullptr;
}

const char* Relay::pass_word(Place& sender, Place& receiver, const RelayedHead& head,
                             const net::Arrived& message) {
  Pair& there = pair_of(sender, receiver, head.leases);
  Pair& back = pair_of(receiver, sender, {head.leases.to, head.leases.from});
  FrameReader in(message.header.subspan(head.size));
  const std::uint64_t read = head.kind == Relayed::read ? in.number() : 0;
  const std::string_view why = head.kind == Relayed::refused ? in.text() : std::string_view();
  if (!in.ok() || !in.at_end() || !message.content.empty()) return "words that are too many";
  if (head.kind == Relayed::read) {
    if (read > back.unread) return "more was read than was sent";
    back.unread -= read;
    // That it was nothing is only of interest to who has asked.
    if (!std::exchange(back.is_asked, false) && read == 0) return nullptr;
  } else if (head.kind == Relayed::how_much) {
    if (std::exchange(there.is_asked, true)) return "a question that is asked already";
  } else {
    if (why.size() > largest_refusal) return "a long reason why what came makes no sense";
    if (std::exchange(there.has_refused, true)) return nullptr;
  }
  put(receiver, message.header);
  return nullptr;
}

const char* Relay::note(Pair& pair, std::uint64_t bytes) {
  if (pair.unread >= relay_window) return "more for another node than that has room for";
  pair.unread += bytes;
  bytes_ += bytes;
  return nullptr;
}

const char* Relay::pass_piece(Place& sender, Place& receiver, const RelayedHead& head,
                              const net::Arrived& message) {
  const ByteSpan piece = message.header.subspan(head.size);
  if (piece.empty()) return "a piece of nothing";
  const std::uint64_t bytes = piece.size() + message.content.size();
  Pair& pair = pair_of(sender, receiver, head.leases);
  if (const char* const why = note(pair, bytes)) return why;
  if (piece.front() != next_piece) ++frames_;
  const Ruling ruling = rule(head.leases, piece);
  if (ruling == Ruling::nonsense) return not_asked;
  if (ruling == Ruling::passes) {
    put(receiver, message.header, message.content);
    return nullptr;
  }
  ByteSpan instead;
  if (ruling == Ruling::replaced) instead = checkpoint_->instead();
  if (!instead.empty()) {
    Bytes frame;
    begin_relayed(frame, Relayed::piece, head.leases);
    frame.insert(frame.end(), instead.begin(), instead.end());
    put(receiver, frame);
  }
  drop(sender, pair, head.leases, bytes - instead.size());
  return nullptr;
}

const char* Relay::pass_frames(Place& sender, Place& receiver, const RelayedHead& head,
                               const net::Arrived& message) {
  const ByteSpan frames = message.content;
  if (frames.empty() || message.header.size() != head.size) return "frames that are none";
  Pair& pair = pair_of(sender, receiver, head.leases);
  if (const char* const why = note(pair, frames.size())) return why;
  bool is_all = true;  // that goes on; `left` otherwise
  Bytes left;
  Together each(frames);
  while (each.next()) {
    ++frames_;
    const ByteSpan whole = each.whole();
    const Ruling ruling = rule(head.leases, each.head());
    if (ruling == Ruling::nonsense) return not_asked;
    if (ruling != Ruling::passes && std::exchange(is_all, false))
      left.assign(frames.data(), whole.data());
    if (is_all) continue;
    if (ruling == Ruling::passes) left.insert(left.end(), whole.begin(), whole.end());
    if (ruling == Ruling::replaced) append_together(left, checkpoint_->instead());
  }
  if (!each.ok()) return "frames that go together and do not fit";
  const ByteSpan passed = is_all ? frames : ByteSpan(left);
  if (!passed.empty()) put(receiver, message.header, passed);
  if (planted(society::Bug::relayed_twice) && frames_ % 32 == 31) {
    pair.unread += passed.size();
    put(receiver, message.header, passed);
  }
  drop(sender, pair, head.leases, frames.size() - passed.size());
  return nullptr;
}

Checkpoint::Ruling Relay::rule(const Leases& leases, ByteSpan piece) {
  if (!checkpoint_) return Ruling::passes;
  const Ruling ruling = checkpoint_->rule(leases, piece);
  if (ruling == Ruling::replaced) ++refused_;
  return ruling;
}

void Relay::put(Place& receiver, ByteSpan header, ByteSpan content) {
  Outlet& to = receiver.outlet;
  if (planted(society::Bug::away_is_gone) && !to.way().link()->session().is_attached()) return;
  to.put(header, content);
  if (to.waiting_bytes() > most_waiting && to.way().link() != nullptr)
    to.way().link()->session().close(net::Reason::stalled, "it takes nothing any more");
}

void Relay::drop(Place& sender, Pair& pair, const Leases& leases, std::uint64_t bytes) {
  if (bytes == 0) return;
  pair.unread -= bytes;
  pair.is_asked = false;
  Bytes frame;
  begin_relayed(frame, Relayed::read, {leases.to, leases.from}).number(bytes);
  sender.outlet.put(frame);
}

const char* Relay::on_ask(Way& from, ByteSpan header) {
  FrameReader in(header);
  const auto kind = static_cast<Fetch>(in.byte());
  const auto asker = places_.find(in.number());
  if (!in.ok() || kind != Fetch::ask) return "words that are the server's";
  if (asker == places_.end()) return nullptr;  // its lease has ended
  if (&asker->second.outlet.way() != &from) return "a node asks under a lease that is another's";
  ++asked_;
  return asker->second.outlet.on_ask(in) ? nullptr : "a node asks in words that make no sense";
}

void Relay::count(Census& census) const {
  std::uint64_t waiting = 0;
  for (Census::Lease& each : census.leases) {
    const auto place = places_.find(each.lease);
    if (place != places_.end()) each.waiting = place->second.outlet.waiting_bytes();
    waiting += each.waiting;
  }
  census.counts.insert(census.counts.end(), {{"relayed_frames", frames_},
                                             {"relayed_bytes", bytes_},
                                             {"refused_frames", refused_},
                                             {"asked", asked_},
                                             {"waiting_bytes", waiting}});
}

}  // namespace coracle::central

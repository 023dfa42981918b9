#include "relay.hpp"

#include "coracle/support/mutations.hpp"

#include <string_view>
#include <utility>

namespace coracle::central {

namespace {

using Ruling = Checkpoint::Ruling;

constexpr const char* not_asked = "a frame that cannot be checked against the policy";

}  // namespace

void Relay::on_lease(LeaseId lease, FrameChannel& channel) {
  places_.try_emplace(lease, lease, channel);
}

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

const char* Relay::on_message(FrameChannel& from, const net::Arrived& message) {
  if (is_fetch(message.header)) return on_ask(from, message.header);
  const RelayedHead head = read_relayed_head(message.header);
  if (!head.ok) return "a message for another node that cannot be understood";
  const auto sender = places_.find(head.leases.from);
  // The sender's lease has ended, or the sender never had it; both are ignored.
  if (sender == places_.end()) return nullptr;
  if (&sender->second.outlet.channel() != &from && !mutated(Mutation::any_relayed))
    return "a message under a lease of another node";
  const auto receiver = places_.find(head.leases.to);
  if (receiver == places_.end()) return nullptr;  // the sender learns of the end

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
  if (!in.ok() || !in.at_end() || !message.content.empty())
    return "a report, or a request for one, that cannot be understood";
  if (head.kind == Relayed::read) {
    if (read > back.unread) return "more was read than was sent";
    back.unread -= read;
    // A report of zero bytes matters only to a receiver that has requested one.
    if (!std::exchange(back.is_asked, false) && read == 0) return nullptr;
  } else if (head.kind == Relayed::how_much) {
    // A report may have crossed the first request, so its sender could not know that it is open.
    if (std::exchange(there.is_asked, true)) return nullptr;
  } else {
    if (why.size() > largest_refusal) return "a refusal whose reason is too long";
    if (std::exchange(there.has_refused, true)) return nullptr;
  }
  put(receiver, message.header);
  return nullptr;
}

const char* Relay::note(Pair& pair, std::uint64_t bytes) {
  if (pair.unread >= relay_window) return "more for another node than its window allows";
  pair.unread += bytes;
  bytes_ += bytes;
  return nullptr;
}

const char* Relay::pass_piece(Place& sender, Place& receiver, const RelayedHead& head,
                              const net::Arrived& message) {
  const ByteSpan piece = message.header.subspan(head.size);
  if (piece.empty()) return "an empty relayed frame";
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
  if (frames.empty() || message.header.size() != head.size)
    return "a frame batch that is empty, or has bytes behind its head";
  Pair& pair = pair_of(sender, receiver, head.leases);
  if (const char* const why = note(pair, frames.size())) return why;
  bool is_all = true;  // no frame was held back; otherwise `left` has the frames that go on
  Bytes left;
  FrameBatch each(frames);
  while (each.next()) {
    ++frames_;
    const ByteSpan whole = each.whole();
    const Ruling ruling = rule(head.leases, each.head());
    if (ruling == Ruling::nonsense) return not_asked;
    if (ruling != Ruling::passes && std::exchange(is_all, false))
      left.assign(frames.data(), whole.data());
    if (is_all) continue;
    if (ruling == Ruling::passes) left.insert(left.end(), whole.begin(), whole.end());
    if (ruling == Ruling::replaced) append_to_batch(left, checkpoint_->instead());
  }
  if (!each.ok()) return "a frame batch that cannot be understood";
  const ByteSpan passed = is_all ? frames : ByteSpan(left);
  if (!passed.empty()) put(receiver, message.header, passed);
  if (mutated(Mutation::relayed_twice) && frames_ % 32 == 31) {
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
  if (mutated(Mutation::away_is_gone) && !to.channel().link()->session().is_attached()) return;
  to.put(header, content);
  if (to.waiting_bytes() > most_waiting && to.channel().link() != nullptr)
    to.channel().link()->session().close(net::Reason::stalled, "it reads nothing any more");
}

void Relay::drop(Place& sender, Pair& pair, const Leases& leases, std::uint64_t bytes) {
  if (bytes == 0) return;
  pair.unread -= bytes;
  pair.is_asked = false;
  Bytes frame;
  begin_relayed(frame, Relayed::read, {leases.to, leases.from}).number(bytes);
  sender.outlet.put(frame);
}

const char* Relay::on_ask(FrameChannel& from, ByteSpan header) {
  FrameReader in(header);
  const auto kind = static_cast<Fetch>(in.byte());
  const auto asker = places_.find(in.number());
  if (!in.ok() || kind != Fetch::ask) return "a frame that only the server may send";
  if (asker == places_.end()) return nullptr;  // its lease has ended
  if (&asker->second.outlet.channel() != &from)
    return "a node fetches under a lease of another node";
  ++asked_;
  return asker->second.outlet.on_ask(in) ? nullptr : "a fetch that cannot be understood";
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

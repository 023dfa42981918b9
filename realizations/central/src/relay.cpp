#include "relay.hpp"

#include "realizations/net/src/society/planted.hpp"

#include <algorithm>

namespace coracle::central {

void Relay::on_lease(LeaseId lease, Way& way) {
  places_.erase(lease);
  places_.try_emplace(lease, lease, way);
}

void Relay::on_lease_ended(LeaseId lease) {
  places_.erase(lease);
  for (auto& [other, place] : places_) place.unread.erase(lease);
  if (checkpoint_) checkpoint_->on_lease_ended(lease);
}

const char* Relay::on_message(Way& from, const net::Arrived& message) {
  if (is_fetch(message.header)) return on_ask(from, message.header);
  const RelayedHead head = read_relayed_head(message.header);
  if (!head.ok) return "a message for another node that cannot be understood";
  const auto sender = places_.find(head.leases.from);
  // One that has ended was its own, or never its own; who cares.
  if (sender == places_.end()) return nullptr;
  if (&sender->second.outlet.way() != &from)
    return "a message under a lease that is another node's";
  const auto receiver = places_.find(head.leases.to);
  if (receiver == places_.end()) return nullptr;  // the sender will hear of it, or has heard

  if (head.kind == Relayed::piece) {
    if (message.header.size() == head.size) return "a piece of nothing";
    std::uint64_t& unread = sender->second.unread[head.leases.to];
    if (unread >= relay_window) return "more for another node than that has room for";
    unread += message.bytes() - head.size;
    if (message.header[head.size] != next_piece) ++frames_;
    bytes_ += message.bytes() - head.size;
    if (checkpoint_) {
      using Ruling = Checkpoint::Ruling;
      const Ruling ruling = checkpoint_->rule(head.leases, message.header.subspan(head.size));
      if (ruling == Ruling::nonsense) return "a frame that the policy cannot be asked about";
      if (ruling != Ruling::passes) {
        static const Bytes nothing;
        const Bytes& instead = ruling == Ruling::replaced ? checkpoint_->instead() : nothing;
        put_instead(sender->second, receiver->second, head.leases, message.bytes() - head.size,
                    instead);
        return nullptr;
      }
    }
  } else if (head.kind == Relayed::read) {
    FrameReader in(message.header.subspan(head.size));
    const std::uint64_t read = in.number();
    std::uint64_t& unread = receiver->second.unread[head.leases.from];
    if (!in.ok() || read > unread) return "more was read than was sent";
    unread -= read;
  }
  Outlet& to = receiver->second.outlet;
  if (planted(society::Bug::away_is_gone) && !to.way().link()->session().is_attached())
    return nullptr;
  to.put(message.header, message.content);
  if (planted(society::Bug::relayed_twice) && frames_ % 32 == 31 && head.kind == Relayed::piece) {
    sender->second.unread[head.leases.to] += message.bytes() - head.size;
    to.put(message.header, message.content);
  }
  if (to.waiting_bytes() > most_waiting && to.way().link() != nullptr)
    to.way().link()->session().close(net::Reason::stalled, "it takes nothing any more");
  return nullptr;
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

void Relay::put_instead(Place& sender, Place& receiver, const Leases& leases, std::uint64_t bytes,
                        const Bytes& instead) {
  Bytes frame;
  if (!instead.empty()) {
    ++refused_;
    begin_relayed(frame, Relayed::piece, leases);
    frame.insert(frame.end(), instead.begin(), instead.end());
    receiver.outlet.put(frame);
  }
  const std::uint64_t rest = bytes - std::min<std::uint64_t>(bytes, instead.size());
  if (rest == 0) return;
  sender.unread[leases.to] -= rest;
  begin_relayed(frame, Relayed::read, {leases.to, leases.from}).number(rest);
  sender.outlet.put(frame);
}

}  // namespace coracle::central

#include "relay.hpp"

namespace coracle::central {

void Relay::on_lease(LeaseId lease, Way& way) { places_[lease].way = &way; }

void Relay::on_lease_ended(LeaseId lease) {
  places_.erase(lease);
  for (auto& [other, place] : places_) place.unread.erase(lease);
}

const char* Relay::on_message(Way& from, const net::Arrived& message) {
  const RelayedHead head = read_relayed_head(message.header);
  if (!head.ok) return "a message for another node that cannot be understood";
  const auto sender = places_.find(head.leases.from);
  // One that has ended was its own, or never its own; who cares.
  if (sender == places_.end()) return nullptr;
  if (sender->second.way != &from) return "a message under a lease that is another node's";
  const auto receiver = places_.find(head.leases.to);
  if (receiver == places_.end()) return nullptr;  // the sender will hear of it, or has heard
  Way& to = *receiver->second.way;

  if (head.kind == Relayed::piece) {
    std::uint64_t& unread = sender->second.unread[head.leases.to];
    if (unread >= relay_window) return "more for another node than that has room for";
    unread += message.bytes() - head.size;
  } else if (head.kind == Relayed::read) {
    FrameReader in(message.header.subspan(head.size));
    const std::uint64_t read = in.number();
    std::uint64_t& unread = receiver->second.unread[head.leases.from];
    if (!in.ok() || read > unread) return "more was read than was sent";
    unread -= read;
  }
  to.send(message.header, message.content.empty() ? Content() : Content::bytes(message.content));
  if (to.waiting_bytes() > most_waiting && to.link() != nullptr)
    to.link()->session().close(net::Reason::stalled, "it takes nothing any more");
  return nullptr;
}

}  // namespace coracle::central

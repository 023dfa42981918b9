#include "room_line.hpp"

#include "room_ticket.hpp"

namespace coracle::detail {

namespace {

std::uint64_t number_of(const RoomTicket& ticket) noexcept {
  return ticket.origin != 0 ? ticket.number : ticket.serial;
}

}  // namespace

RoomTicket& RoomLine::ticket_of(Link& link) noexcept { return static_cast<RoomTicket&>(link); }

bool RoomLine::add(RoomTicket& ticket) {
  Lane& lane = lanes_.try_emplace(ticket.origin, ticket.origin).first->second;
  if (!lane.numbered.try_emplace(number_of(ticket), &ticket).second) return false;
  lane.tickets.push_back(ticket);
  ++waiting_;
  put_in_turn(lane);
  return true;
}

void RoomLine::remove(RoomTicket& ticket) noexcept {
  Lane& lane = lanes_.find(ticket.origin)->second;
  lane.numbered.erase(number_of(ticket));
  if (ticket.origin == 0) slot_requests_.erase(ticket.number);
  if (lane.unseen == &ticket) lane.unseen = ticket.next;
  if (lane.unseen == &lane.tickets) lane.unseen_count = 0;
  ticket.unlink();
  --waiting_;
  leave_if_idle(lane);
}

RoomTicket* RoomLine::take_next() noexcept {
  if (!turns_.linked()) return nullptr;
  auto& lane = static_cast<Lane&>(*turns_.next);
  lane.unlink();
  turns_.push_back(lane);
  RoomTicket& ticket = ticket_of(*lane.tickets.next);
  remove(ticket);
  return &ticket;
}

RoomTicket* RoomLine::take() noexcept {
  for (auto& [origin, lane] : lanes_) {
    if (!lane.tickets.linked()) continue;
    RoomTicket& ticket = ticket_of(*lane.tickets.next);
    remove(ticket);
    return &ticket;
  }
  return nullptr;
}

RoomTicket* RoomLine::find(LeaseId origin, std::uint64_t number) const noexcept {
  const auto lane = lanes_.find(origin);
  if (lane == lanes_.end()) return nullptr;
  const auto found = lane->second.numbered.find(number);
  return found != lane->second.numbered.end() ? found->second : nullptr;
}

void RoomLine::block(LeaseId origin) {
  Lane& lane = lanes_.try_emplace(origin, origin).first->second;
  lane.blocked = true;
  if (lane.linked()) lane.unlink();
}

bool RoomLine::is_blocked(LeaseId origin) const noexcept {
  const auto found = lanes_.find(origin);
  return found != lanes_.end() && found->second.blocked;
}

void RoomLine::unblock(LeaseId origin) noexcept {
  const auto found = lanes_.find(origin);
  if (found == lanes_.end()) return;
  found->second.blocked = false;
  put_in_turn(found->second);
  leave_if_idle(found->second);
}

void RoomLine::begin_round() noexcept {
  for (auto& [origin, lane] : lanes_) {
    lane.unseen = lane.tickets.next;
    lane.unseen_count = origin != 0 && lane.tickets.linked() ? lane.numbered.size() : 0;
  }
}

void RoomLine::set_slot_request(RoomTicket& ticket, std::uint64_t number) {
  slot_requests_.erase(ticket.number);
  ticket.number = number;
  if (number != 0) slot_requests_.emplace(number, &ticket);
}

RoomTicket* RoomLine::find_slot_request(std::uint64_t number) const noexcept {
  const auto found = slot_requests_.find(number);
  return found != slot_requests_.end() ? found->second : nullptr;
}

void RoomLine::put_in_turn(Lane& lane) noexcept {
  if (!lane.blocked && lane.tickets.linked() && !lane.linked()) turns_.push_back(lane);
}

void RoomLine::leave_if_idle(Lane& lane) noexcept {
  if (lane.tickets.linked()) return;
  if (lane.linked()) lane.unlink();
  if (!lane.blocked) lanes_.erase(lane.origin);
}

}  // namespace coracle::detail

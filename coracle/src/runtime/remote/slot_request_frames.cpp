#include "slot_requests.hpp"

#include "homes.hpp"
#include "runtime/elsewhere/slot_waiting.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/room/room_ticket.hpp"

namespace coracle::detail {

namespace {

// Limits for one peer, at all mailboxes.
constexpr std::size_t slot_requests_limit = 1 << 18,
                      slot_requests_bytes_limit = std::size_t{128} << 20;
constexpr std::size_t slot_request_bytes = 512;  // for one request, besides its content

}  // namespace

bool SlotRequests::send(const Holder& to, const MessageRecord& likeness, std::uint64_t number) {
  return writer_.send(slot_request_frame, peers_.of(to.lease), to, likeness, number);
}

void SlotRequests::withdraw(Mailbox& target, std::uint64_t number) {
  at_home(target, [this, number](Worker&, Mailbox& there) {
    const RemoteSide* const side = there.extension->remote.get();
    if (side == nullptr || side->now.lease == 0) return;
    Peer& other = peers_.of(side->now.lease);
    const std::lock_guard lock(other.mutex);
    FrameBuffer& out = other.frame;
    out.clear();
    out.byte(slot_withdrawal_frame);
    other.sent.write(out, there);
    out.number(number);
    other.send(out);
  });
}

void SlotRequests::reply(LeaseId to, const Mailbox& target, std::uint64_t number,
                         std::uint8_t answer) {
  Peer& other = peers_.of(to);
  const std::lock_guard lock(other.mutex);
  FrameBuffer& out = other.frame;
  out.clear();
  out.byte(slot_answer_frame);
  other.sent.write(out, target);
  out.number(number);
  out.byte(answer);
  other.send(out);
}

// The reply to a request for a name that has no record here.
void SlotRequests::reply_without_record(LeaseId to, const Name& target, std::uint64_t number,
                                        std::uint8_t answer) {
  std::vector<std::byte> frame;
  FrameWriter out(frame);
  out.byte(slot_answer_frame);
  spell(out, target.view());
  out.number(number);
  out.byte(answer);
  peers_.send(to, frame);
}

bool SlotRequests::read(Worker& at, Peer& from, FrameReader& in, Content content) {
  ReceivedName passing;
  ReceivedName* const name = from.received.read(in, passing);
  const std::uint64_t number = in.number();
  if (name == nullptr || number == 0) return false;
  (void)read_life(in, name->life);
  Source source;
  Mailbox* const mailbox = from.received.mailbox_of(*name);
  source.target = name->name();
  MessageRecord* const likeness = reader_.read_record(at, from, in, std::move(content), source);
  if (likeness == nullptr) return false;
  likeness->target = mailbox;
  if (!is_counted(*likeness) || source.name.empty()) return free_record(likeness), false;
  // The message itself is checked when it comes.
  (void)sources_.speaks_as(at, from, source, *likeness);
  const auto charged = charge(from.lease, *likeness);
  if (likeness->target == nullptr || !charged->fits()) {
    const std::uint8_t answer = likeness->target == nullptr ? try_again : no_slot;
    if (answer == no_slot) peers_.on_excess(from.lease);
    free_record(likeness);
    return reply_without_record(from.lease, name->name(), number, answer), true;
  }
  auto* const ticket = new RoomTicket;
  ticket->likeness = likeness;
  ticket->number = number;
  ticket->origin = from.lease;
  ticket->charge = charged;
  at_home(*likeness->target,
          [ticket](Worker& home, Mailbox& there) { on_slot_request(home, there, ticket); });
  return true;
}

std::shared_ptr<const Charge> SlotRequests::charge(LeaseId to, const MessageRecord& likeness) {
  const std::size_t bytes = likeness.content != nullptr ? likeness.content->size : 0;
  const std::lock_guard lock(mutex_);
  auto& share = of_peers_[to];
  if (!share) share = std::make_shared<Share>(slot_requests_limit, slot_requests_bytes_limit);
  return std::make_shared<const Charge>(share, bytes + slot_request_bytes);
}

bool SlotRequests::read_withdrawal(Peer& from, FrameReader& in) {
  Mailbox* target = nullptr;
  if (!from.received.read(in, target)) return false;
  const std::uint64_t number = in.number();
  if (target == nullptr || !in.ok()) return in.ok();
  at_home(*target, [lease = from.lease, number](Worker& home, Mailbox& there) {
    on_slot_withdrawal(home, there, lease, number);
  });
  return true;
}

bool SlotRequests::read_reply(Peer& from, FrameReader& in) {
  Mailbox* target = nullptr;
  if (!from.received.read(in, target)) return false;
  const std::uint64_t number = in.number();
  const std::uint8_t answer = in.byte();
  if (!in.ok() || answer > show_all) return false;
  if (target == nullptr) return true;
  at_home(*target, [lease = from.lease, number, answer](Worker& home, Mailbox& there) {
    on_slot_answer(home, there, lease, number, answer);
  });
  return true;
}

void SlotRequests::forget(LeaseId lease) {
  const std::lock_guard lock(mutex_);
  of_peers_.erase(lease);
}

}  // namespace coracle::detail

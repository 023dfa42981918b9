// What other nodes report: of messages that went there, of knocks, of agents that have ended, and
// of agents that wait. A name that has no record here is nobody's business.
#include "runtime/entrusting.hpp"
#include "runtime/node_core.hpp"
#include "runtime/probe.hpp"
#include "runtime/remote_frames.hpp"
#include "runtime/room.hpp"

namespace coracle::detail {

namespace {

// Of one peer, at all mailboxes.
constexpr std::size_t knocks_limit = 1 << 18, knocks_bytes_limit = std::size_t{128} << 20;
constexpr std::size_t knock_bytes = 512;  // what one takes besides what it says

}  // namespace

namespace {

constexpr std::uint64_t marks_limit = std::uint64_t{1} << 32;

}  // namespace

bool Remote::read_knock(Worker& at, LeaseId from, FrameReader& in, Content content) {
  Peer& other = peer(from);
  Heard passing;
  Heard* const heard = hear_name(other, in, passing);
  const std::uint64_t number = in.number();
  if (heard == nullptr || number == 0) return false;
  (void)read_life(in, heard->life);
  Source source;
  Party* const record = known(*heard);
  source.target = heard->name();
  Parcel* const likeness = read_parcel(at, other, in, std::move(content), source);
  if (likeness == nullptr) return false;
  likeness->target = record;
  if (!is_counted(*likeness) || source.name.empty()) return free_parcel(likeness), false;
  (void)speaks_as(at, other, source, *likeness);  // the message itself is judged when it comes
  const auto charge = charge_knock(from, *likeness);
  if (likeness->target == nullptr || !charge->fits()) {
    const std::uint8_t answer = likeness->target == nullptr ? try_again : no_place;
    if (answer == no_place) on_excess(from);
    free_parcel(likeness);
    return send_knock_answer(from, heard->name(), number, answer), true;
  }
  auto* const ticket = new RoomTicket;
  ticket->likeness = likeness;
  ticket->number = number;
  ticket->origin = from;
  ticket->charge = charge;
  at_home(*likeness->target,
          [ticket](Worker& home, Party& there) { home.on_knock(there, ticket); });
  return true;
}

std::shared_ptr<const Charge> Remote::charge_knock(LeaseId to, const Parcel& likeness) {
  const std::size_t bytes = likeness.content != nullptr ? likeness.content->size : 0;
  const std::lock_guard lock(mutex_);
  auto& share = knocks_of_[to];
  if (!share) share = std::make_shared<Share>(knocks_limit, knocks_bytes_limit);
  return std::make_shared<const Charge>(share, bytes + knock_bytes);
}

bool Remote::read_unknock(Worker&, LeaseId from, FrameReader& in) {
  Party* target = nullptr;
  if (!read_known(peer(from), in, target)) return false;
  const std::uint64_t number = in.number();
  if (target == nullptr || !in.ok()) return in.ok();
  at_home(*target,
          [from, number](Worker& home, Party& there) { home.on_unknock(there, from, number); });
  return true;
}

bool Remote::read_knock_answer(Worker&, LeaseId from, FrameReader& in) {
  Party* target = nullptr;
  if (!read_known(peer(from), in, target)) return false;
  const std::uint64_t number = in.number();
  const std::uint8_t answer = in.byte();
  if (!in.ok() || answer > show_all) return false;
  if (target == nullptr) return true;
  at_home(*target, [from, number, answer](Worker& home, Party& there) {
    home.on_answer(there, from, number, answer);
  });
  return true;
}

bool Remote::read_marks(Worker&, LeaseId from, FrameReader& in) {
  Peer& other = peer(from);
  const bool is_of_keeper = node_.entrusts() && from == keeper();
  while (!in.at_end()) {
    Party* party = nullptr;
    if (!read_known(other, in, party)) return false;
    const std::uint8_t mark = in.byte();
    const std::uint64_t first = in.number();
    const std::uint64_t count = in.number_up_to(marks_limit);
    if (!in.ok() || mark > last_mark) return false;
    if (party == nullptr) continue;
    if (Party* const there =
            is_of_keeper ? node_.entrusting_parties().find(party->name.view()) : nullptr)
      party = there;
    const bool is_turned_down = mark == later_mark || mark == doubtful_mark;
    const std::uint8_t why = refusal_.load();  // as it was said before this
    at_home(*party, [from, mark, first, count, is_turned_down, why](Worker& home, Party& there) {
      if (is_turned_down) note_refusal(there, why);
      home.on_mark(there, from, mark, first, count);
    });
  }
  return true;
}

bool Remote::read_closed(Worker&, LeaseId from, FrameReader& in) {
  Party* party = nullptr;
  if (!read_known(peer(from), in, party)) return false;
  const Incarnation life = read_life(in);
  const std::uint8_t reason = in.byte();
  std::string text(in.text().substr(0, closed_text_limit));
  if (!in.ok() || reason > static_cast<std::uint8_t>(EndReason::fenced)) return false;
  if (party == nullptr) return true;
  const Ending ending(party->name, life, static_cast<EndReason>(reason), std::move(text));
  if (node_.entrusts() && from == keeper()) return tell_askers(node_, *party, ending), true;
  at_home(*party, [from, ending](Worker& home, Party& there) {
    home.on_holder_closed(there, from, ending);
  });
  return true;
}

bool Remote::read_mailbox(Worker&, LeaseId from, FrameReader& in) {
  Party* party = nullptr;
  if (!read_known(peer(from), in, party)) return false;
  const MailboxOptions mailbox = detail::read_mailbox(in);
  if (party == nullptr || !in.ok()) return in.ok();
  at_home(*party,
          [from, mailbox](Worker& home, Party& there) { home.on_mailbox(there, from, mailbox); });
  return true;
}

bool Remote::read_probe(Worker& at, LeaseId from, FrameReader& in) {
  Peer& other = peer(from);
  Heard passing;
  const Heard* const origin = hear_name(other, in, passing);
  if (origin == nullptr) return false;
  auto probe = std::make_unique<Probe>();
  probe->origin = origin->name();
  probe->token = in.number();
  if (!read_known(other, in, probe->at)) return false;
  probe->hops = static_cast<int>(in.number_up_to(probe_hops_limit));
  probe->path = in.text();
  if (!in.ok() || probe->path.size() > probe_path_limit) return false;
  if (probe->at != nullptr) at.follow(probe.release());
  return true;
}

}  // namespace coracle::detail

// The society's custodian: a node that keeps what other nodes hand over or entrust. A message that
// it has promised to keep waits at the party of its name, as its own would, and goes to the next
// holder; its custody is told of its end.
#include "runtime/entrusting.hpp"
#include "runtime/log.hpp"
#include "runtime/node_core.hpp"
#include "runtime/planted.hpp"
#include "runtime/remote_frames.hpp"

#include <algorithm>
#include <utility>

namespace coracle::detail {

namespace {

constexpr std::uint64_t longest_wait = std::uint64_t{1} << 60;
constexpr std::size_t record_bytes = 256;  // what a message takes besides what was sent

// Whether a message that is not promised may be given after a restart all the same.
bool is_doubtful(const Error& why) noexcept {
  return why.errc() == Errc::disk_failed || why.errc() == Errc::stopped;
}

// Why it is not kept, as one of reasons_not_to_keep. A store that has failed refuses all that comes
// after.
Errc reason_of(const Error& why) noexcept {
  return why.errc() == Errc::refused ? Errc::disk_failed : why.errc();
}

}  // namespace

// Rings when the custody has something to do.
struct Remote::Work final : TimerNode {
  explicit Work(Remote& of) noexcept : TimerNode(&on_time), remote(of) {}
  static void on_time(TimerNode& timer) noexcept {
    auto& self = static_cast<Work&>(timer);
    self.remote.work_on_custody(*timer.owner);
  }
  Remote& remote;
};

Remote::Remote(NodeCore& node, Links& links) noexcept : node_(node), links_(links) {}

Remote::~Remote() = default;

void Remote::begin_keeping(Worker& at) {
  Custody& custody = *node_.custody();
  node_.directory().has_custody(node_.lease());
  work_ = std::make_unique<Work>(*this);
  const auto wake = [this] {
    node_.worker(0).post(command([this](Worker& there) { work_on_custody(there); }));
  };
  for (Custody::Kept& kept : custody.begin(wake, at.now())) {
    Kept of;
    Parcel* const parcel = read_kept(at, 0, kept.head, std::move(kept.content), kept.age, of);
    if (parcel == nullptr) {
      log_warning("a message that was kept cannot be understood, and is left where it is");
      continue;
    }
    parcel->target = node_.party(of.target, at);
    if (kept.handed_out && !planted(Bug::opened_is_forgotten)) {
      set_flag(*parcel, redelivered_flag);
      ++parcel->extras->deliveries;
      of.absent_until = at.now() + node_.options().absent_time_to_live;
    }
    kept_bytes_ += parcel->extras->kept_bytes;
    keep(at, parcel, kept.id, of.absent_until);
  }
  work_on_custody(at);
}

void Remote::work_on_custody(Worker& at) {
  if (node_.over()) return;
  const Time next = node_.custody()->work(at.now());
  if (next != Time::max() && !node_.ended()) work_->arm(at, next);
}

// Before a holder gets anything, a restart would know that it may have got it.
void Remote::hear(Party& party, Holder holder) {
  if (node_.custody() == nullptr || !work_) return learn(party, std::move(holder));
  node_.custody()->open(party.name, node_.clock().now(), [this, &party, holder] {
    if (!is_gone(holder.lease)) learn(party, holder);
  });
}

// A message of which all names are spelled, as it was handed over by that node, or kept (0). The
// name of its target has no record yet.
Parcel* Remote::read_kept(Worker& at, LeaseId from, std::span<const std::byte> head,
                          Content content, Duration age, Kept& kept) {
  FrameReader in(head);
  const auto left = Duration(static_cast<Duration::rep>(in.number_up_to(longest_wait)));
  kept.absent_until = at.now() + (left - age);
  const std::size_t size = record_bytes + head.size() + content.size();
  Peer by(0, from, false);
  by.is_cut = from != 0 && peer(from).is_cut;
  Heard target;
  if (hear_name(by, in, target) == nullptr) return nullptr;
  kept.target = target.name();
  Source source;
  source.target = kept.target;
  Parcel* const parcel = read_parcel(at, by, in, std::move(content), source);
  if (parcel == nullptr) return nullptr;
  if (!is_counted(*parcel) || source.name.empty()) return free_parcel(parcel), nullptr;
  kept.is_forbidden = (parcel->flags & forbidden_flag) != 0;
  if (!speaks_as(at, by, source, *parcel)) set_flag(*parcel, forbidden_flag);
  Extras& extras = *parcel->extras;
  extras.tracked = false;
  extras.entry = 0;
  extras.kept_bytes = static_cast<std::uint32_t>(size);
  if (extras.deadline != Time::max()) extras.deadline -= age;
  return parcel;
}

bool Remote::read_hand_over(Worker& at, LeaseId from, FrameReader& in, Content content) {
  const std::uint64_t serial = in.number();
  if (!in.ok()) return false;
  const std::span<const std::byte> head = in.rest();
  Kept kept;
  const Content bytes = content;
  Parcel* const parcel = read_kept(at, from, head, std::move(content), Duration(0), kept);
  if (parcel == nullptr) return false;
  const auto refuse = [this, from, serial, parcel](std::uint8_t why) {
    free_parcel(parcel);
    send_taken_over(from, serial, why);
  };
  Custody* const custody = node_.custody();
  if (custody == nullptr) return refuse(keeps_nothing), true;
  if (kept.is_forbidden) return refuse(keeps_not(Errc::not_permitted)), true;
  if ((parcel->flags & oversize_flag) != 0 || parcel->extras->kept_bytes > custody->limit())
    return refuse(keeps_not(Errc::too_large)), true;
  // It is not known to speak for its source: that may be so for a moment.
  if (is_emptied(*parcel)) return refuse(keeps_nothing), true;
  if (!has_bytes_for(*parcel)) return refuse(keeps_not(Errc::limit_reached)), true;
  Party& target = *(parcel->target = node_.party(kept.target, at));
  std::uint32_t& settling = settling_[&target];
  if (target.is_present() || !has_room_for(target, settling)) {
    if (settling == 0) settling_.erase(&target);
    return refuse(target.is_present() ? std::uint8_t{keeps_nothing} : keeps_not(Errc::absent_full)),
           true;
  }
  ++settling;
  kept_bytes_ += parcel->extras->kept_bytes;
  if (planted(Bug::kept_before_stored)) send_taken_over(from, serial, kept_here());
  custody->keep(
      target.name, head, bytes, may_be_held(target), at.now(),
      [this, from, serial, parcel, until = kept.absent_until, refuse](Result<std::uint64_t> id) {
        Worker& here = *Worker::current();
        const auto settled = settling_.find(parcel->target);
        if (--settled->second == 0) settling_.erase(settled);
        if (!id) {
          kept_bytes_ -= parcel->extras->kept_bytes;
          return refuse(keeps_not(reason_of(id.error())));
        }
        keep(here, parcel, *id, until);
        if (!planted(Bug::kept_before_stored)) send_taken_over(from, serial, kept_here());
      });
  return true;
}

bool Remote::has_bytes_for(const Parcel& parcel) const {
  return kept_bytes_ + parcel.extras->kept_bytes <= node_.custody()->limit();
}

bool Remote::has_room_for(const Party& target, std::uint32_t settling) const {
  return target.occupied() + settling < node_.options().absent_limit;
}

bool Remote::may_be_held(const Party& target) {
  if (target.is_held()) return true;
  const auto known = node_.directory().try_look_up(target.name);
  return !known || *known;
}

// ── what is entrusted by those who go on ────────────────────────────────────────────────────────

bool Remote::read_entrusted(Worker& at, LeaseId from, FrameReader& in, Content content) {
  Peer& other = peer(from);
  Heard passing;
  Heard* const heard = hear_name(other, in, passing);
  if (heard == nullptr || node_.custody() == nullptr) return false;
  const std::uint64_t serial = heard->serial += in.number();
  const Incarnation round = read_life(in, heard->life);
  const auto left = Duration(static_cast<Duration::rep>(in.number_up_to(longest_wait)));
  const Content bytes = content;
  Source source;
  const Name target = heard->name();
  source.target = target;
  Parcel* const parcel = read_parcel(at, other, in, std::move(content), source);
  if (parcel == nullptr) return false;
  if (!is_counted(*parcel) || source.name.empty()) return free_parcel(parcel), false;
  Extras& extras = *parcel->extras;
  extras.origin = from;
  extras.serial = serial;
  extras.life = round;
  const auto take = [this, target, left, bytes](Worker& here, Parcel* proven) {
    take_entrusted(here, proven, target, left, bytes);
  };
  if (speaks_as(at, other, source, *parcel)) return take(at, parcel), true;
  when_proven(at, other, source, parcel, take);
  return true;
}

void Remote::take_entrusted(Worker& at, Parcel* parcel, const Name& name, Duration left,
                            const Content& bytes) {
  Party& target = *node_.party(name, at);
  Extras& extras = *parcel->extras;
  parcel->target = extras.sent_to = &target;
  std::vector<std::byte> head;
  FrameWriter out(head);
  write_kept(out, *parcel, left);
  extras.kept_bytes = static_cast<std::uint32_t>(record_bytes + head.size() + bytes.size());
  if (is_emptied(*parcel) || target.is_present() || extras.kept_bytes > node_.custody()->limit())
    return refuse_entrusted(at, parcel);
  const auto turned_down = turned_down_.find({extras.origin, &target});
  if (turned_down != turned_down_.end() && turned_down->second.round == extras.life &&
      !planted(Bug::behind_is_kept))
    return turn_down(at, parcel, false, turned_down->second.why);
  if (turned_down != turned_down_.end()) turned_down_.erase(turned_down);
  keep_entrusted(at, parcel, head, bytes, at.now() + left);
}

void Remote::keep_entrusted(Worker& at, Parcel* parcel, std::span<const std::byte> head,
                            const Content& bytes, Time absent_until) {
  Party& target = *parcel->target;
  const auto settling = settling_.find(&target);
  if (!has_bytes_for(*parcel)) return turn_down(at, parcel, false, keeps_not(Errc::limit_reached));
  if (!has_room_for(target, settling != settling_.end() ? settling->second : 0))
    return turn_down(at, parcel, false, keeps_not(Errc::absent_full));
  ++settling_[&target];
  kept_bytes_ += parcel->extras->kept_bytes;
  if (planted(Bug::kept_too_early)) at.mark(*parcel, static_cast<Mark>(kept_mark));
  node_.custody()->keep(target.name, head, bytes, may_be_held(target), at.now(),
                        [this, parcel, absent_until](const Result<std::uint64_t>& id) {
                          Worker& here = *Worker::current();
                          const auto settled = settling_.find(parcel->target);
                          if (--settled->second == 0) settling_.erase(settled);
                          if (!id) {
                            kept_bytes_ -= parcel->extras->kept_bytes;
                            return turn_down(here, parcel, is_doubtful(id.error()),
                                             keeps_not(reason_of(id.error())));
                          }
                          here.mark(*parcel, static_cast<Mark>(kept_mark));
                          note_asker(here, *parcel->target, *parcel);
                          keep(here, parcel, *id, absent_until);
                        });
}

void Remote::refuse_entrusted(Worker& at, Parcel* parcel) {
  at.mark(*parcel, Outcome::refused, DropReason::oldest);
  ++at.flow.received;
  at.end_parcel(parcel, Outcome::refused);
}

// What comes behind it is turned down, too, until its node begins again with this one.
void Remote::turn_down(Worker& at, Parcel* parcel, bool may_be_stored, std::uint8_t why) {
  const LeaseId origin = parcel->extras->origin;
  turned_down_[{origin, parcel->target}] = {parcel->extras->life, why};
  const std::uint8_t told = why != keeps_nothing ? why : gives_no_reason;
  if (!is_gone(origin) && std::exchange(told_why_[origin], told) != told) {
    at.publish();  // the marks up to here have the reason that was told before
    send_keeper(origin, told);
  }
  at.mark(*parcel, static_cast<Mark>(may_be_stored ? doubtful_mark : later_mark));
  free_parcel(parcel);
}

// From now on it is this node's.
void Remote::keep(Worker& at, Parcel* parcel, std::uint64_t id, Time absent_until) {
  Party& target = *parcel->target;
  parcel->extras->kept = id;
  ++at.flow.received;
  at.meet(*parcel);
  const bool is_held = target.is_held();
  at.put(target, parcel);
  if (is_held) return;
  parcel->extras->absent_until = absent_until;
  at.watch_expiry(target, *parcel);
}

void Remote::send_taken_over(LeaseId to, std::uint64_t serial, std::uint8_t keeps) {
  std::vector<std::byte> frame;
  FrameWriter out(frame);
  out.byte(taken_over_frame);
  out.number(serial);
  out.byte(keeps);
  links_.send(self(), to, frame, {});
}

void Remote::finished(const Parcel& parcel) noexcept {
  kept_bytes_ -= parcel.extras->kept_bytes;
  node_.custody()->finish(parcel.extras->kept, node_.clock().now());
}

}  // namespace coracle::detail

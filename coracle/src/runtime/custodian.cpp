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
  work_ = std::make_unique<Work>(*this);
  const auto wake = [this] {
    node_.worker(0).post(command([this](Worker& there) { work_on_custody(there); }));
  };
  for (Custody::Kept& kept : custody.begin(wake, at.now())) {
    Time absent_until = Time::max();
    Parcel* const parcel =
        read_kept(at, kept.head, std::move(kept.content), kept.age, absent_until);
    if (parcel == nullptr) {
      log_warning("a message that was kept cannot be understood, and is left where it is");
      continue;
    }
    if (kept.handed_out && !planted(Bug::opened_is_forgotten)) {
      set_flag(*parcel, redelivered_flag);
      ++parcel->extras->deliveries;
      absent_until = at.now() + node_.options().absent_time_to_live;
    }
    kept_bytes_ += parcel->extras->kept_bytes;
    keep(at, parcel, kept.id, absent_until);
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

Parcel* Remote::read_kept(Worker& at, std::span<const std::byte> head, Content content,
                          Duration age, Time& absent_until) {
  FrameReader in(head);
  const auto left = Duration(static_cast<Duration::rep>(in.number_up_to(longest_wait)));
  absent_until = at.now() + (left - age);
  const std::size_t size = record_bytes + head.size() + content.size();
  Peer nobody(0, 0, false);
  Party* const target = read_name(at, nobody, in);
  if (target == nullptr) return nullptr;
  Parcel* const parcel = read_parcel(at, nobody, in, std::move(content));
  if (parcel == nullptr) return nullptr;
  parcel->target = target;
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
  Time absent_until = Time::max();
  const Content bytes = content;
  Parcel* const parcel = read_kept(at, head, std::move(content), Duration(0), absent_until);
  if (parcel == nullptr) return false;
  Party& target = *parcel->target;
  Custody* const custody = node_.custody();
  const auto refuse = [this, from, serial, parcel] {
    free_parcel(parcel);
    send_taken_over(from, serial, keeps_nothing);
  };
  std::uint32_t& settling = settling_[&target];
  const bool is_ours = custody != nullptr && !target.is_present();
  const bool is_forbidden_here = (parcel->flags & forbidden_flag) != 0;
  if (!is_ours || is_forbidden_here || !has_room_for(*parcel, settling)) {
    if (settling == 0) settling_.erase(&target);
    return refuse(), true;
  }
  ++settling;
  kept_bytes_ += parcel->extras->kept_bytes;
  if (planted(Bug::kept_before_stored)) send_taken_over(from, serial, kept_here());
  custody->keep(target.name, head, bytes, may_be_held(target), at.now(),
                [this, from, serial, parcel, absent_until, refuse](Result<std::uint64_t> id) {
                  Worker& here = *Worker::current();
                  const auto settled = settling_.find(parcel->target);
                  if (--settled->second == 0) settling_.erase(settled);
                  if (!id) {
                    kept_bytes_ -= parcel->extras->kept_bytes;
                    return refuse();
                  }
                  keep(here, parcel, *id, absent_until);
                  if (!planted(Bug::kept_before_stored)) send_taken_over(from, serial, kept_here());
                });
  return true;
}

bool Remote::has_room_for(const Parcel& parcel, std::uint32_t settling) const {
  return parcel.target->occupied() + settling < node_.options().absent_limit &&
         kept_bytes_ + parcel.extras->kept_bytes <= node_.custody()->limit();
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
  Heard* const heard = hear_name(at, other, in, passing);
  if (heard == nullptr || node_.custody() == nullptr) return false;
  Party& target = *heard->party;
  const std::uint64_t serial = heard->serial += in.number();
  heard->life = read_life(in, heard->life);
  const auto left = Duration(static_cast<Duration::rep>(in.number_up_to(longest_wait)));
  const Incarnation round = heard->life;
  const Content bytes = content;
  Parcel* const parcel = read_parcel(at, other, in, std::move(content));
  if (parcel == nullptr) return false;
  Extras& extras = *parcel->extras;
  parcel->target = extras.sent_to = &target;
  extras.origin = from;
  extras.serial = serial;
  extras.life = round;
  std::vector<std::byte> head;
  FrameWriter out(head);
  write_kept(out, *parcel, left);
  extras.kept_bytes = static_cast<std::uint32_t>(record_bytes + head.size() + bytes.size());
  if ((parcel->flags & forbidden_flag) != 0 || target.is_present() ||
      extras.kept_bytes > node_.custody()->limit())
    return refuse_entrusted(at, parcel), true;
  const auto turned_down = turned_down_.find({from, &target});
  if (turned_down != turned_down_.end() && turned_down->second == round &&
      !planted(Bug::behind_is_kept))
    return turn_down(at, parcel, false), true;
  if (turned_down != turned_down_.end()) turned_down_.erase(turned_down);
  keep_entrusted(at, parcel, head, bytes, at.now() + left);
  return true;
}

void Remote::keep_entrusted(Worker& at, Parcel* parcel, std::span<const std::byte> head,
                            const Content& bytes, Time absent_until) {
  Party& target = *parcel->target;
  const auto settling = settling_.find(&target);
  if (!has_room_for(*parcel, settling != settling_.end() ? settling->second : 0))
    return turn_down(at, parcel, false);
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
                            return turn_down(here, parcel, is_doubtful(id.error()));
                          }
                          here.mark(*parcel, static_cast<Mark>(kept_mark));
                          note_asker(*parcel->target, *parcel);
                          keep(here, parcel, *id, absent_until);
                        });
}

void Remote::refuse_entrusted(Worker& at, Parcel* parcel) {
  at.mark(*parcel, Outcome::refused, DropReason::oldest);
  ++at.flow.received;
  at.end_parcel(parcel, Outcome::refused);
}

// What comes behind it is turned down, too, until its node begins again with this one.
void Remote::turn_down(Worker& at, Parcel* parcel, bool may_be_stored) {
  turned_down_[{parcel->extras->origin, parcel->target}] = parcel->extras->life;
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

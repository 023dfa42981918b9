// The society's message store: a node that keeps messages that other nodes hand over or send to it.
// A message that it has promised to keep waits in the mailbox of its name, like the node's own
// messages, and goes to the next holder; the backend is notified of the message's end.
#include "coracle/support/log.hpp"
#include "coracle/support/mutations.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/remote/homes.hpp"
#include "runtime/sending/delivery.hpp"
#include "runtime/sending/settling.hpp"
#include "storing.hpp"

#include <algorithm>
#include <utility>

namespace coracle::detail {

namespace {

constexpr std::uint64_t longest_wait = std::uint64_t{1} << 60;
constexpr std::size_t record_bytes = 256;  // of a message, besides the bytes that were sent

// Returns whether a message that is not promised may be delivered after a restart nevertheless.
bool is_doubtful(const Error& why) noexcept {
  return why.errc() == Errc::disk_failed || why.errc() == Errc::stopped;
}

// Returns why the message is not kept, as one of reasons_not_to_keep. A store that has failed
// refuses all later messages.
Errc reason_of(const Error& why) noexcept {
  return why.errc() == Errc::refused ? Errc::disk_failed : why.errc();
}

}  // namespace

// Fires when the backend has something to do.
struct Remote::Work final : TimerNode {
  explicit Work(Remote& of) noexcept : TimerNode(&on_time), remote(of) {}
  static void on_time(TimerNode& timer) noexcept {
    auto& self = static_cast<Work&>(timer);
    self.remote.work_on_backend(*timer.owner);
  }
  Remote& remote;
};

Remote::Remote(NodeCore& node, Transport& transport) noexcept
    : node_(node), transport_(transport) {}

Remote::~Remote() = default;

void Remote::begin_keeping(Worker& at) {
  StoreBackend& backend = *node_.backend();
  node_.directory().has_backend(node_.lease());
  work_ = std::make_unique<Work>(*this);
  const auto wake = [this] {
    node_.worker(0).post(command([this](Worker& there) { work_on_backend(there); }));
  };
  for (StoreBackend::Kept& kept : backend.begin(wake, at.now())) {
    Kept of;
    MessageRecord* const record =
        read_kept(at, 0, kept.head, std::move(kept.content), kept.age, of);
    if (record == nullptr) {
      log_warning(
          "a stored message cannot be decoded, so it is not delivered and stays in the store; "
          "start "
          "the version that stored it, or check the disk");
      continue;
    }
    record->target = node_.mailbox(of.target, at);
    if (kept.handed_out && !mutated(Mutation::opened_is_forgotten)) {
      set_flag(*record, redelivered_flag);
      ++record->fields->deliveries;
      of.absent_until = at.now() + node_.options().absent_time_to_live;
    }
    kept_bytes_ += record->fields->kept_bytes;
    keep(at, record, kept.id, of.absent_until);
  }
  work_on_backend(at);
}

void Remote::work_on_backend(Worker& at) {
  if (node_.over()) return;
  const Time next = node_.backend()->work(at.now());
  if (next != Time::max() && !node_.ended()) work_->arm(at, next);
}

// Before a holder gets any message, the backend records that the holder may have it; after a
// restart, this is known.
void Remote::hear(Mailbox& mailbox, Holder holder) {
  if (node_.backend() == nullptr || !work_) return learn(mailbox, std::move(holder));
  node_.backend()->open(mailbox.name, node_.clock().now(), [this, &mailbox, holder] {
    if (!is_gone(holder.lease)) learn(mailbox, holder);
  });
}

// Reads a message in which all names are spelled out: `from` is the node that handed it over, or 0
// if the backend kept it. The record does not refer to a mailbox of its target yet.
MessageRecord* Remote::read_kept(Worker& at, LeaseId from, std::span<const std::byte> head,
                                 Content content, Duration age, Kept& kept) {
  FrameReader in(head);
  const auto left = Duration(static_cast<Duration::rep>(in.number_up_to(longest_wait)));
  kept.absent_until = at.now() + (left - age);
  const std::size_t size = record_bytes + head.size() + content.size();
  Peer by(0, from, false);
  by.is_cut = from != 0 && peer(from).is_cut;
  ReceivedName target;
  if (hear_name(by, in, target) == nullptr) return nullptr;
  kept.target = target.name();
  Source source;
  source.target = kept.target;
  MessageRecord* const record = read_record(at, by, in, std::move(content), source);
  if (record == nullptr) return nullptr;
  if (!is_counted(*record) || source.name.empty()) return free_record(record), nullptr;
  kept.is_forbidden = (record->flags & forbidden_flag) != 0;
  if (!speaks_as(at, by, source, *record)) set_flag(*record, forbidden_flag);
  OptionalFields& fields = *record->fields;
  fields.tracked = false;
  fields.entry = 0;
  fields.kept_bytes = static_cast<std::uint32_t>(size);
  if (fields.deadline != Time::max()) fields.deadline -= age;
  return record;
}

bool Remote::read_hand_over(Worker& at, LeaseId from, FrameReader& in, Content content) {
  const std::uint64_t serial = in.number();
  if (!in.ok()) return false;
  const std::span<const std::byte> head = in.rest();
  Kept kept;
  const Content bytes = content;
  MessageRecord* const record = read_kept(at, from, head, std::move(content), Duration(0), kept);
  if (record == nullptr) return false;
  const auto refuse = [this, from, serial, record](std::uint8_t why) {
    free_record(record);
    send_taken_over(from, serial, why);
  };
  StoreBackend* const backend = node_.backend();
  if (backend == nullptr) return refuse(keeps_nothing), true;
  if (kept.is_forbidden) return refuse(keeps_not(Errc::not_permitted)), true;
  if ((record->flags & oversize_flag) != 0 || record->fields->kept_bytes > backend->limit())
    return refuse(keeps_not(Errc::too_large)), true;
  // The node is not known to act for the message's source: this may be so for a moment.
  if (is_emptied(*record)) return refuse(keeps_nothing), true;
  if (!has_bytes_for(*record)) return refuse(keeps_not(Errc::limit_reached)), true;
  Mailbox& target = *(record->target = node_.mailbox(kept.target, at));
  std::uint32_t& settling = settling_[&target];
  if (target.is_present() || !has_room_for(target, settling)) {
    if (settling == 0) settling_.erase(&target);
    return refuse(target.is_present() ? std::uint8_t{keeps_nothing} : keeps_not(Errc::absent_full)),
           true;
  }
  ++settling;
  kept_bytes_ += record->fields->kept_bytes;
  if (mutated(Mutation::kept_before_stored)) send_taken_over(from, serial, kept_here());
  backend->keep(
      target.name, head, bytes, may_be_held(target), at.now(),
      [this, from, serial, record, until = kept.absent_until, refuse](Result<std::uint64_t> id) {
        Worker& here = *Worker::current();
        const auto settled = settling_.find(record->target);
        if (--settled->second == 0) settling_.erase(settled);
        if (!id) {
          kept_bytes_ -= record->fields->kept_bytes;
          return refuse(keeps_not(reason_of(id.error())));
        }
        keep(here, record, *id, until);
        if (!mutated(Mutation::kept_before_stored)) send_taken_over(from, serial, kept_here());
      });
  return true;
}

bool Remote::has_bytes_for(const MessageRecord& record) const {
  return kept_bytes_ + record.fields->kept_bytes <= node_.backend()->limit();
}

bool Remote::has_room_for(const Mailbox& target, std::uint32_t settling) const {
  return target.occupied() + settling < node_.options().absent_limit;
}

bool Remote::may_be_held(const Mailbox& target) {
  if (target.is_held()) return true;
  const auto known = node_.directory().try_look_up(target.name);
  return !known || *known;
}

// ── messages that running nodes send to the store ───────────────────────────────────────────────

bool Remote::read_store_message(Worker& at, LeaseId from, FrameReader& in, Content content) {
  Peer& other = peer(from);
  ReceivedName passing;
  ReceivedName* const heard = hear_name(other, in, passing);
  if (heard == nullptr || node_.backend() == nullptr) return false;
  const std::uint64_t serial = heard->serial += in.number();
  const Incarnation round = read_life(in, heard->life);
  const auto left = Duration(static_cast<Duration::rep>(in.number_up_to(longest_wait)));
  const Content bytes = content;
  Source source;
  const Name target = heard->name();
  source.target = target;
  MessageRecord* const record = read_record(at, other, in, std::move(content), source);
  if (record == nullptr) return false;
  if (!is_counted(*record) || source.name.empty()) return free_record(record), false;
  OptionalFields& fields = *record->fields;
  fields.origin = from;
  fields.serial = serial;
  fields.life = round;
  const auto take = [this, target, left, bytes](Worker& here, MessageRecord* proven) {
    take_store_message(here, proven, target, left, bytes);
  };
  if (speaks_as(at, other, source, *record)) return take(at, record), true;
  when_proven(at, other, source, record, take);
  return true;
}

void Remote::take_store_message(Worker& at, MessageRecord* record, const Name& name, Duration left,
                                const Content& bytes) {
  Mailbox& target = *node_.mailbox(name, at);
  OptionalFields& fields = *record->fields;
  record->target = fields.sent_to = &target;
  std::vector<std::byte> head;
  FrameWriter out(head);
  write_kept(out, *record, left);
  fields.kept_bytes = static_cast<std::uint32_t>(record_bytes + head.size() + bytes.size());
  if (is_emptied(*record) || target.is_present() || fields.kept_bytes > node_.backend()->limit())
    return refuse_to_store(at, record);
  const auto turned_down = turned_down_.find({fields.origin, &target});
  if (turned_down != turned_down_.end() && turned_down->second.round == fields.life &&
      !mutated(Mutation::behind_is_kept))
    return turn_down(at, record, false, turned_down->second.why);
  if (turned_down != turned_down_.end()) turned_down_.erase(turned_down);
  keep_stored(at, record, head, bytes, at.now() + left);
}

void Remote::keep_stored(Worker& at, MessageRecord* record, std::span<const std::byte> head,
                         const Content& bytes, Time absent_until) {
  Mailbox& target = *record->target;
  const auto settling = settling_.find(&target);
  if (!has_bytes_for(*record)) return turn_down(at, record, false, keeps_not(Errc::limit_reached));
  if (!has_room_for(target, settling != settling_.end() ? settling->second : 0))
    return turn_down(at, record, false, keeps_not(Errc::absent_full));
  ++settling_[&target];
  kept_bytes_ += record->fields->kept_bytes;
  if (mutated(Mutation::kept_too_early)) report(at, *record, static_cast<ReportKind>(kept_report));
  node_.backend()->keep(target.name, head, bytes, may_be_held(target), at.now(),
                        [this, record, absent_until](const Result<std::uint64_t>& id) {
                          Worker& here = *Worker::current();
                          const auto settled = settling_.find(record->target);
                          if (--settled->second == 0) settling_.erase(settled);
                          if (!id) {
                            kept_bytes_ -= record->fields->kept_bytes;
                            return turn_down(here, record, is_doubtful(id.error()),
                                             keeps_not(reason_of(id.error())));
                          }
                          report(here, *record, static_cast<ReportKind>(kept_report));
                          note_asker(here, *record->target, *record);
                          keep(here, record, *id, absent_until);
                        });
}

void Remote::refuse_to_store(Worker& at, MessageRecord* record) {
  report(at, *record, Outcome::refused, DropReason::oldest);
  ++at.flow.received;
  end_record(at, record, Outcome::refused);
}

// Later messages of that node to this name are turned down, too, until the node begins a new round.
void Remote::turn_down(Worker& at, MessageRecord* record, bool may_be_stored, std::uint8_t why) {
  const LeaseId origin = record->fields->origin;
  turned_down_[{origin, record->target}] = {record->fields->life, why};
  const std::uint8_t told = why != keeps_nothing ? why : gives_no_reason;
  if (!is_gone(origin) && std::exchange(told_why_[origin], told) != told) {
    at.publish();  // the reports up to here have the earlier reason
    send_store(origin, told);
  }
  report(at, *record, static_cast<ReportKind>(may_be_stored ? doubtful_report : later_report));
  free_record(record);
}

// From now on the message belongs to this node.
void Remote::keep(Worker& at, MessageRecord* record, std::uint64_t id, Time absent_until) {
  Mailbox& target = *record->target;
  record->fields->kept = id;
  ++at.flow.received;
  at.observing.meet(*record);
  const bool is_held = target.is_held();
  put(at, target, record);
  if (is_held) return;
  record->fields->absent_until = absent_until;
  watch_expiry(at, target, *record);
}

void Remote::send_taken_over(LeaseId to, std::uint64_t serial, std::uint8_t keeps) {
  std::vector<std::byte> frame;
  FrameWriter out(frame);
  out.byte(taken_over_frame);
  out.number(serial);
  out.byte(keeps);
  transport_.send(self(), to, frame, {}, nullptr);
}

void Remote::finished(const MessageRecord& record) noexcept {
  kept_bytes_ -= record.fields->kept_bytes;
  node_.backend()->finish(record.fields->kept, node_.clock().now());
}

}  // namespace coracle::detail

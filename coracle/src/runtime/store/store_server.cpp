#include "store_server.hpp"

#include "coracle/support/log.hpp"
#include "coracle/support/mutations.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/receipts/settling.hpp"
#include "runtime/remote/homes.hpp"
#include "runtime/sending/delivery.hpp"
#include "store_state.hpp"
#include "storing.hpp"

#include <algorithm>
#include <utility>

namespace coracle::detail {

namespace {

constexpr std::uint64_t longest_wait = std::uint64_t{1} << 60;
constexpr std::size_t record_bytes = 256;  // of a message, besides the bytes that were sent
constexpr std::size_t usual_head = 128;    // the bytes of most messages' heads

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
struct StoreServer::Work final : TimerNode {
  explicit Work(StoreServer& of) noexcept : TimerNode(&on_time), server(of) {}
  static void on_time(TimerNode& timer) noexcept {
    auto& self = static_cast<Work&>(timer);
    self.server.work_on_backend(*timer.owner);
  }
  StoreServer& server;
};

StoreServer::StoreServer(NodeCore& node, Peers& peers, Sources& sources, MessageWriter& writer,
                         MessageReader& reader) noexcept
    : node_(node), peers_(peers), sources_(sources), writer_(writer), reader_(reader) {}

StoreServer::~StoreServer() = default;

void StoreServer::begin(Worker& at) {
  StoreBackend& backend = *node_.backend();
  node_.directory().has_backend(node_.lease().id());
  work_ = std::make_unique<Work>(*this);
  const auto wake = [this] {
    node_.worker(0).post(command([this](Worker& there) { work_on_backend(there); }));
  };
  for (StoreBackend::Kept& kept : backend.begin(wake, at.now())) {
    Kept of;
    const std::size_t bytes = kept.head.size() + kept.content.size();
    MessageRecord* const record =
        read_kept(at, nullptr, kept.head, std::move(kept.content), kept.age, of);
    if (record == nullptr) {
      log_warning(
          "a stored message cannot be decoded, so it is not delivered and stays in the store; "
          "start "
          "the version that stored it, or check the disk");
      backend.counts().add(bytes);
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

void StoreServer::work_on_backend(Worker& at) {
  if (node_.stopping().over()) return;
  const Time next = node_.backend()->work(at.now());
  if (next != Time::max() && !node_.stopping().ended()) work_->arm(at, next);
}

void StoreServer::on_holder(Mailbox& mailbox, Holder holder) {
  if (node_.backend() == nullptr || !work_) return learn(mailbox, std::move(holder));
  node_.backend()->open(mailbox.name, node_.clock().now(), [this, &mailbox, holder] {
    if (!peers_.is_gone(holder.lease)) learn(mailbox, holder);
  });
}

// Reads a message in which all names are spelled out: `from` is the node that handed it over, or
// nullptr if the backend kept it. The record does not refer to a mailbox of its target yet.
MessageRecord* StoreServer::read_kept(Worker& at, const Peer* from, std::span<const std::byte> head,
                                      Content content, Duration age, Kept& kept) {
  FrameReader in(head);
  const auto left = Duration(static_cast<Duration::rep>(in.number_up_to(longest_wait)));
  kept.absent_until = at.now() + (left - age);
  const std::size_t size = record_bytes + head.size() + content.size();
  Peer by(node_, 0, from != nullptr ? from->lease : 0);
  by.is_cut = from != nullptr && from->is_cut;
  ReceivedName target;
  if (by.received.read(in, target) == nullptr) return nullptr;
  kept.target = target.name();
  Source source;
  source.target = kept.target;
  MessageRecord* const record = reader_.read_record(at, by, in, std::move(content), source);
  if (record == nullptr) return nullptr;
  if (!is_counted(*record) || source.name.empty()) return free_record(record), nullptr;
  kept.is_forbidden = (record->flags & forbidden_flag) != 0;
  if (!sources_.speaks_as(at, by, source, *record)) set_flag(*record, forbidden_flag);
  OptionalFields& fields = *record->fields;
  fields.tracked = false;
  fields.entry = 0;
  fields.kept_bytes = static_cast<std::uint32_t>(size);
  if (fields.deadline != Time::max()) fields.deadline -= age;
  return record;
}

bool StoreServer::read_hand_over(Worker& at, Peer& from, FrameReader& in, Content content) {
  const std::uint64_t serial = in.number();
  if (!in.ok()) return false;
  const std::span<const std::byte> head = in.rest();
  Kept kept;
  const Content bytes = content;
  MessageRecord* const record = read_kept(at, &from, head, std::move(content), Duration(0), kept);
  if (record == nullptr) return false;
  const LeaseId lease = from.lease;
  const auto give_back = [this, lease, serial, record](std::uint8_t why) {
    free_record(record);
    send_taken_over(lease, serial, why);
  };
  StoreBackend* const backend = node_.backend();
  if (backend == nullptr) return give_back(keeps_nothing), true;
  if (kept.is_forbidden) return give_back(keeps_not(Errc::not_permitted)), true;
  if ((record->flags & oversize_flag) != 0 || record->fields->kept_bytes > backend->limit())
    return give_back(keeps_not(Errc::too_large)), true;
  // The node is not known to act for the message's source: this may be so for a moment.
  if (is_emptied(*record)) return give_back(keeps_nothing), true;
  if (!has_bytes_for(*record)) return give_back(keeps_not(Errc::limit_reached)), true;
  Mailbox& target = *(record->target = node_.mailbox(kept.target, at));
  std::uint32_t& settling = settling_[&target];
  if (target.is_present() || !has_room_for(target, settling)) {
    if (settling == 0) settling_.erase(&target);
    return give_back(target.is_present() ? std::uint8_t{keeps_nothing}
                                         : keeps_not(Errc::absent_full)),
           true;
  }
  ++settling;
  kept_bytes_ += record->fields->kept_bytes;
  if (mutated(Mutation::kept_before_stored)) send_taken_over(lease, serial, store_state_of(node_));
  backend->keep(target.name, head, bytes, may_be_held(target), at.now(),
                [this, lease, serial, record, until = kept.absent_until,
                 give_back](Result<std::uint64_t> id) {
                  Worker& here = *Worker::current();
                  settled(*record);
                  if (!id) {
                    kept_bytes_ -= record->fields->kept_bytes;
                    return give_back(keeps_not(reason_of(id.error())));
                  }
                  keep(here, record, *id, until);
                  if (!mutated(Mutation::kept_before_stored))
                    send_taken_over(lease, serial, store_state_of(node_));
                });
  return true;
}

// The backend has decided on the message.
void StoreServer::settled(const MessageRecord& record) {
  const auto target = settling_.find(record.target);
  if (--target->second == 0) settling_.erase(target);
}

bool StoreServer::has_bytes_for(const MessageRecord& record) const {
  return kept_bytes_ + record.fields->kept_bytes <= node_.backend()->limit();
}

bool StoreServer::has_room_for(const Mailbox& target, std::uint32_t settling) const {
  return target.occupied() + settling < node_.options().absent_limit;
}

bool StoreServer::may_be_held(const Mailbox& target) {
  if (target.is_held()) return true;
  const auto known = node_.directory().try_look_up(target.name);
  return !known || *known;
}

// ── messages that running nodes send to the store ───────────────────────────────────────────────

bool StoreServer::read_message(Worker& at, Peer& from, FrameReader& in, Content content) {
  ReceivedName passing;
  ReceivedName* const name = from.received.read(in, passing);
  if (name == nullptr || node_.backend() == nullptr) return false;
  const std::uint64_t serial = name->serial += in.number();
  const Incarnation round = read_life(in, name->life);
  const auto left = Duration(static_cast<Duration::rep>(in.number_up_to(longest_wait)));
  const Content bytes = content;
  Source source;
  Mailbox* const known = from.received.mailbox_of(*name);
  const Name target = name->name();
  source.target = target;
  MessageRecord* const record = reader_.read_record(at, from, in, std::move(content), source);
  if (record == nullptr) return false;
  if (!is_counted(*record) || source.name.empty()) return free_record(record), false;
  OptionalFields& fields = *record->fields;
  fields.origin = from.lease;
  fields.serial = serial;
  fields.life = round;
  const auto then = [this, known, target, left, bytes](Worker& here, MessageRecord* proven) {
    take(here, proven, known != nullptr ? *known : *node_.mailbox(target, here), left, bytes);
  };
  if (sources_.speaks_as(at, from, source, *record)) return then(at, record), true;
  sources_.when_proven(at, from, source, record, then);
  return true;
}

void StoreServer::take(Worker& at, MessageRecord* record, Mailbox& target, Duration left,
                       const Content& bytes) {
  OptionalFields& fields = *record->fields;
  record->target = fields.sent_to = &target;
  std::vector<std::byte> head;
  head.reserve(usual_head);
  FrameWriter out(head);
  writer_.write_kept(out, *record, left);
  fields.kept_bytes = static_cast<std::uint32_t>(record_bytes + head.size() + bytes.size());
  if (is_emptied(*record) || target.is_present() || fields.kept_bytes > node_.backend()->limit())
    return refuse(at, record);
  const auto turned_down = turned_down_.find({fields.origin, &target});
  if (turned_down != turned_down_.end() && turned_down->second.round == fields.life &&
      !mutated(Mutation::behind_is_kept))
    return turn_down(at, record, false, turned_down->second.why);
  if (turned_down != turned_down_.end()) turned_down_.erase(turned_down);
  keep_stored(at, record, head, bytes, at.now() + left);
}

void StoreServer::keep_stored(Worker& at, MessageRecord* record, std::span<const std::byte> head,
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
                          settled(*record);
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

void StoreServer::refuse(Worker& at, MessageRecord* record) {
  report(at, *record, Outcome::refused, DropReason::oldest);
  ++at.flow.received;
  end_record(at, record, Outcome::refused);
}

// Later messages of that node to this name are turned down, too, until the node begins a new round.
void StoreServer::turn_down(Worker& at, MessageRecord* record, bool may_be_stored,
                            std::uint8_t why) {
  const LeaseId origin = record->fields->origin;
  turned_down_[{origin, record->target}] = {record->fields->life, why};
  const std::uint8_t told = why != keeps_nothing ? why : gives_no_reason;
  if (!peers_.is_gone(origin) && std::exchange(told_why_[origin], told) != told) {
    at.publish();  // the reports up to here have the earlier reason
    send_store_state(peers_, origin, told);
  }
  report(at, *record, static_cast<ReportKind>(may_be_stored ? doubtful_report : later_report));
  free_record(record);
}

// From now on the message belongs to this node.
void StoreServer::keep(Worker& at, MessageRecord* record, std::uint64_t id, Time absent_until) {
  Mailbox& target = *record->target;
  record->fields->kept = id;
  node_.backend()->counts().add(record->fields->kept_bytes - record_bytes);
  ++at.flow.received;
  at.observing.meet(*record);
  const bool is_held = target.is_held();
  put(at, target, record);
  if (is_held) return;
  record->fields->absent_until = absent_until;
  watch_expiry(at, target, *record);
}

void StoreServer::send_taken_over(LeaseId to, std::uint64_t serial, std::uint8_t keeps) {
  std::vector<std::byte> frame;
  FrameWriter out(frame);
  out.byte(taken_over_frame);
  out.number(serial);
  out.byte(keeps);
  peers_.send(to, frame);
}

void StoreServer::finished(const MessageRecord& record) noexcept {
  kept_bytes_ -= record.fields->kept_bytes;
  node_.backend()->counts().remove(record.fields->kept_bytes - record_bytes);
  node_.backend()->finish(record.fields->kept, node_.clock().now());
}

void StoreServer::forget(LeaseId lease) {
  if (node_.backend() == nullptr) return;
  node_.worker(0).post(command([this, lease](Worker&) {
    const auto first = turned_down_.lower_bound({lease, nullptr});
    turned_down_.erase(first, turned_down_.lower_bound({lease + 1, nullptr}));
    told_why_.erase(lease);
  }));
}

}  // namespace coracle::detail

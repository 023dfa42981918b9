// What waits for names that nobody holds, when its node stops: the society's custodian, if there is
// one, takes it over. Nodes learn who that is when they greet each other.
#include "runtime/entrusting.hpp"
#include "runtime/node_core.hpp"
#include "runtime/planted.hpp"
#include "runtime/remote_frames.hpp"

#include <algorithm>
#include <utility>

namespace coracle::detail {

namespace {

constexpr Duration keeper_patience = std::chrono::seconds(5);
constexpr std::size_t largest_handed = std::size_t{16} << 20;  // of contents, in bytes

std::optional<Stage> promised(std::uint8_t keeps) noexcept {
  switch (keeps) {
    case keeps_accepted:
      return Stage::accepted;
    case keeps_stored:
      return Stage::stored;
    default:
      return std::nullopt;
  }
}

}  // namespace

// ── who the custodian is ────────────────────────────────────────────────────────────────────────

std::uint8_t Remote::kept_here() const {
  const Custody* const custody = node_.custody();
  if (custody == nullptr) return keeps_nothing;
  return custody->promise() == Stage::stored ? keeps_stored : keeps_accepted;
}

std::optional<Stage> Remote::custodian() {
  const std::lock_guard lock(mutex_);
  return keeper_ != 0 ? promised(keeper_keeps_) : std::nullopt;
}

LeaseId Remote::keeper() {
  const std::lock_guard lock(mutex_);
  return keeper_;
}

// Who keeps nothing asks who does.
void Remote::send_keeper(LeaseId to, std::uint8_t keeps) {
  std::vector<std::byte> frame;
  FrameWriter out(frame);
  out.byte(keeper_frame);
  out.byte(keeps);
  links_.send(self(), to, frame, {});
}

bool Remote::read_keeper(LeaseId from, FrameReader& in) {
  const std::uint8_t keeps = in.byte();
  if (!in.ok()) return false;
  if (keeps > keeps_stored && node_.directory().is_custodian(from)) refusal_.store(keeps);
  note_keeper(from, keeps);
  if (keeps == keeps_nothing && node_.custody() != nullptr) send_keeper(from, kept_here());
  return true;
}

void Remote::note_keeper(LeaseId lease, std::uint8_t keeps) {
  // Who the custodian is, the directory says; what it promises, it says itself.
  if (!promised(keeps) || (!planted(Bug::any_keeper) && !node_.directory().is_custodian(lease)))
    return;
  {
    const std::lock_guard lock(mutex_);
    if (gone_.contains(lease)) return;
    if (std::exchange(keeper_, lease) != lease) refusal_.store(keeps_nothing);
    keeper_keeps_ = keeps;
  }
  std::vector<Party*> parties;
  node_.entrusting_parties().each([&parties](Party& party) { parties.push_back(&party); });
  for (Party* const party : parties) {
    at_home(*party, [lease](Worker& home, Party& there) { on_keeper(home, there, lease); });
  }
}

// What it has not answered, it may have; called under the lock.
void Remote::keeper_gone(LeaseId lease) {
  if (keeper_ == lease) {
    keeper_ = 0;
    refusal_.store(keeps_nothing);
  }
  if (planted(Bug::silence_is_consent) && handing_ && handing_->to == lease) {
    for (HandedOver& each : handing_->messages) each.kept = Stage::stored;
  }
  if (handing_ && handing_->to == lease && std::exchange(handing_->unanswered, 0) != 0)
    handing_->done.set();
}

// ── handing over ────────────────────────────────────────────────────────────────────────────────

Task<> Remote::hand_over(Worker& at, std::vector<HandedOver>& messages, Deadline patience) {
  const Signal done(at);
  LeaseId to = 0;
  {
    const std::lock_guard lock(mutex_);
    if (keeper_ == 0 || messages.empty()) co_return;
    to = keeper_;
    handing_.emplace(Handing{to, messages, messages.size(), done});
  }
  std::size_t unsent = 0;
  if (planted(Bug::handed_over_backwards)) std::reverse(messages.begin(), messages.end());
  for (std::size_t serial = 0; serial < messages.size(); ++serial) {
    try {
      (void)send_handed(to, *messages[serial].parcel, serial);
    } catch (const std::exception&) {
      ++unsent;  // a value that cannot be encoded
    }
  }
  bool is_done = false;
  {
    const std::lock_guard lock(mutex_);
    handing_->unanswered -= std::min(handing_->unanswered, unsent);
    is_done = handing_->unanswered == 0;
  }
  if (!is_done) (void)co_await done.wait(patience);
  const std::lock_guard lock(mutex_);
  handing_.reset();
}

bool Remote::read_taken_over(FrameReader& in, LeaseId from) {
  const std::uint64_t serial = in.number();
  const std::uint8_t keeps = in.byte();
  if (!in.ok()) return false;
  const std::lock_guard lock(mutex_);
  if (!handing_ || handing_->to != from || handing_->unanswered == 0) return true;  // too late
  if (serial >= handing_->messages.size()) return false;
  HandedOver& message = handing_->messages[static_cast<std::size_t>(serial)];
  message.kept = promised(keeps);
  message.why = reason_not_to_keep(keeps);
  if (--handing_->unanswered == 0) handing_->done.set();
  return true;
}

namespace {

// Whether it means something without the agent that sent it, which has ended, and a custodian takes
// so much.
bool outlives_sender(const Parcel& parcel) noexcept {
  if (parcel.content != nullptr && parcel.content->size > largest_handed) return false;
  return is_counted(parcel) && (parcel.flags & (request_flag | reply_flag | foreign_flag)) == 0;
}

// Takes out of the mailboxes of one worker what may be handed over.
void take_waiting(NodeCore& node, Worker& at, std::vector<HandedOver>& all) {
  const Match wanted =
      that([](const MessageView& message) { return outlives_sender(*message.parcel()); });
  node.each_party([&](Party& party) {
    if (party.home.load() != &at || party.name == Node::dead_letters()) return;
    while (Parcel* const parcel = party.take(wanted)) {
      at.count_out(party, *parcel);
      all.push_back({&party, parcel});
    }
  });
}

// What was not taken over is where it was.
void settle_handed(Worker& at, std::vector<HandedOver>& all) {
  for (auto each = all.rbegin(); each != all.rend(); ++each) {
    if (each->party->home.load() != &at) continue;
    if (each->kept) {
      at.report(*each->parcel, *each->kept);
      ++at.flow.counters.passed_on;
      free_parcel(each->parcel);
    } else {
      at.count_in(*each->party, *each->parcel);
      at.store_first(*each->party, each->parcel);
    }
  }
}

}  // namespace

// The node ends: what other nodes have is theirs from now on.
void Worker::hand_over(Party& party) noexcept {
  if (party.home.load() != this) return;
  RemoteSide* const side = party.extension ? party.extension->remote.get() : nullptr;
  if (side == nullptr) return;
  side->under_way.each_backwards([&](UnderWay& message) {
    free_place(party, message);
    Parcel* const parcel = std::exchange(message.parcel, nullptr);
    if (message.came_back) {  // it is here
      count_in(party, *parcel);
      store_first(party, parcel);
    } else {
      ++flow.counters.passed_on;
      free_parcel(parcel);
    }
  });
  side->under_way.clear();
  side->open = 0;
}

// Nobody runs any more, and nothing comes that is for anybody here.
void NodeCore::hand_over() {
  if (!remote_ || custody() != nullptr || !remote_->custodian()) return;
  remote_->keep_back();
  std::vector<HandedOver> all;
  for (const auto& worker : workers_) {
    run_blocking(*worker, [&]() -> Task<> {
      take_waiting(*this, *worker, all);
      co_return;
    });
  }
  if (all.empty()) return;
  run_blocking(*workers_[0], [&]() -> Task<> {
    return remote_->hand_over(*workers_[0], all, Deadline(keeper_patience));
  });
  for (const HandedOver& each : all) {
    if (each.why) left_because_.emplace(each.party, *each.why);
    if (!each.kept) continue;
    auto& left = report_.undelivered;
    const auto known = std::find_if(left.begin(), left.end(), [&each](const auto& one) {
      return one.name == each.party->name && one.kept == each.kept;
    });
    if (known != left.end()) ++known->messages;
    else left.push_back({each.party->name, 1, each.kept});
  }
  for (const auto& worker : workers_) {
    run_blocking(*worker, [&]() -> Task<> {
      settle_handed(*worker, all);
      co_return;
    });
  }
}

}  // namespace coracle::detail

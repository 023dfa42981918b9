// The messages that wait for absent names when their node stops: the society's message store, if
// there is one, takes them over. Nodes learn which node that is when they greet each other.
#include "coracle/support/mutations.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/remote/homes.hpp"
#include "runtime/remote/outbound.hpp"
#include "runtime/sending/receipt_state.hpp"
#include "storing.hpp"

#include <algorithm>
#include <utility>

namespace coracle::detail {

namespace {

constexpr Duration store_patience = std::chrono::seconds(5);
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

// ── the message store ───────────────────────────────────────────────────────────────────────────

std::uint8_t Remote::kept_here() const {
  const StoreBackend* const backend = node_.backend();
  if (backend == nullptr) return keeps_nothing;
  return backend->promise() == Stage::stored ? keeps_stored : keeps_accepted;
}

std::optional<Stage> Remote::store_promise() {
  const std::lock_guard lock(mutex_);
  return store_ != 0 ? promised(store_keeps_) : std::nullopt;
}

LeaseId Remote::store() {
  const std::lock_guard lock(mutex_);
  return store_;
}

// Sends what this node keeps. A node that keeps nothing thereby asks the receiver what it keeps.
void Remote::send_store(LeaseId to, std::uint8_t keeps) {
  std::vector<std::byte> frame;
  FrameWriter out(frame);
  out.byte(store_state_frame);
  out.byte(keeps);
  transport_.send(self(), to, frame, {}, nullptr);
}

bool Remote::read_store(LeaseId from, FrameReader& in) {
  const std::uint8_t keeps = in.byte();
  if (!in.ok()) return false;
  if (keeps > keeps_stored && node_.directory().is_message_store(from)) refusal_.store(keeps);
  note_store(from, keeps);
  if (keeps == keeps_nothing && node_.backend() != nullptr) send_store(from, kept_here());
  return true;
}

void Remote::note_store(LeaseId lease, std::uint8_t keeps) {
  // The directory decides which node is the message store; that node itself announces what it
  // promises.
  if (!promised(keeps) ||
      (!mutated(Mutation::any_store) && !node_.directory().is_message_store(lease)))
    return;
  {
    const std::lock_guard lock(mutex_);
    if (gone_.contains(lease)) return;
    if (std::exchange(store_, lease) != lease) refusal_.store(keeps_nothing);
    store_keeps_ = keeps;
  }
  std::vector<Mailbox*> mailboxes;
  node_.storing_mailboxes().each([&mailboxes](Mailbox& mailbox) { mailboxes.push_back(&mailbox); });
  for (Mailbox* const mailbox : mailboxes) {
    at_home(*mailbox, [lease](Worker& home, Mailbox& there) { on_store(home, there, lease); });
  }
}

// The message store may have the messages that it has not confirmed. Called under the lock.
void Remote::store_gone(LeaseId lease) {
  if (store_ == lease) {
    store_ = 0;
    refusal_.store(keeps_nothing);
  }
  if (mutated(Mutation::silence_is_consent) && handing_ && handing_->to == lease) {
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
    if (store_ == 0 || messages.empty()) co_return;
    to = store_;
    handing_.emplace(Handing{to, messages, messages.size(), done});
  }
  std::size_t unsent = 0;
  if (mutated(Mutation::handed_over_backwards)) std::reverse(messages.begin(), messages.end());
  for (std::size_t serial = 0; serial < messages.size(); ++serial) {
    try {
      (void)send_handed(to, *messages[serial].record, serial);
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

// Returns whether the message means something without the agent that sent it, which has ended, and
// is small enough for a message store.
bool outlives_sender(const MessageRecord& record) noexcept {
  if (record.content != nullptr && record.content->size > largest_handed) return false;
  return is_counted(record) && (record.flags & (request_flag | reply_flag | foreign_flag)) == 0;
}

// Takes the messages that may be handed over out of the mailboxes of one worker.
void take_waiting(NodeCore& node, Worker& at, std::vector<HandedOver>& all) {
  const Match wanted =
      that([](const MessageView& message) { return outlives_sender(*Access::record(message)); });
  node.each_mailbox([&](Mailbox& mailbox) {
    if (mailbox.home.load() != &at || mailbox.name == Node::dead_letters()) return;
    while (MessageRecord* const record = mailbox.take(wanted)) {
      count_out(mailbox, *record);
      all.push_back({&mailbox, record});
    }
  });
}

// Messages that were not taken over go back to where they were.
void settle_handed(Worker& at, std::vector<HandedOver>& all) {
  for (auto each = all.rbegin(); each != all.rend(); ++each) {
    if (each->mailbox->home.load() != &at) continue;
    if (each->kept) {
      tell_receipt(*each->record, *each->kept);
      ++at.flow.counters.passed_on;
      free_record(each->record);
    } else {
      at.mailboxes.count_in(*each->mailbox, *each->record);
      at.mailboxes.store_first(*each->mailbox, each->record);
    }
  }
}

}  // namespace

// The node ends: messages that other nodes have belong to those nodes from now on.
void give_up_under_way(Worker& home, Mailbox& mailbox) noexcept {
  if (mailbox.home.load() != &home) return;
  RemoteSide* const side = mailbox.extension ? mailbox.extension->remote.get() : nullptr;
  if (side == nullptr) return;
  side->under_way.each_backwards([&](UnderWay& message) {
    free_place(home, mailbox, message);
    MessageRecord* const record = std::exchange(message.record, nullptr);
    if (message.came_back) {  // this node has the message
      home.mailboxes.count_in(mailbox, *record);
      home.mailboxes.store_first(mailbox, record);
    } else {
      ++home.flow.counters.passed_on;
      free_record(record);
    }
  });
  side->under_way.clear();
  side->open = 0;
}

// No agent runs any more, and no message comes for an agent of this node.
void NodeCore::hand_over() {
  if (!remote_ || backend() != nullptr || !remote_->store_promise()) return;
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
    return remote_->hand_over(*workers_[0], all, Deadline(store_patience));
  });
  for (const HandedOver& each : all) {
    if (each.why) left_because_.emplace(each.mailbox, *each.why);
    if (!each.kept) continue;
    auto& left = report_.undelivered;
    const auto known = std::find_if(left.begin(), left.end(), [&each](const auto& one) {
      return one.name == each.mailbox->name && one.kept == each.kept;
    });
    if (known != left.end()) ++known->messages;
    else left.push_back({each.mailbox->name, 1, each.kept});
  }
  for (const auto& worker : workers_) {
    run_blocking(*worker, [&]() -> Task<> {
      settle_handed(*worker, all);
      co_return;
    });
  }
}

}  // namespace coracle::detail

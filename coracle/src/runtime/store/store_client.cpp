#include "store_client.hpp"

#include "coracle/support/mutations.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/remote/homes.hpp"
#include "store_state.hpp"
#include "storing.hpp"

#include <algorithm>
#include <utility>

namespace coracle::detail {

namespace {

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

std::uint8_t store_state_of(const NodeCore& node) {
  const StoreBackend* const backend = node.backend();
  if (backend == nullptr) return keeps_nothing;
  return backend->promise() == Stage::stored ? keeps_stored : keeps_accepted;
}

void send_store_state(Peers& peers, LeaseId to, std::uint8_t keeps) {
  std::vector<std::byte> frame;
  FrameWriter out(frame);
  out.byte(store_state_frame);
  out.byte(keeps);
  peers.send(to, frame);
}

std::optional<Stage> StoreClient::promise() {
  const std::lock_guard lock(mutex_);
  return lease_ != 0 ? promised(keeps_) : std::nullopt;
}

LeaseId StoreClient::lease() {
  const std::lock_guard lock(mutex_);
  return lease_;
}

bool StoreClient::read_state(Peer& from, FrameReader& in) {
  const std::uint8_t keeps = in.byte();
  if (!in.ok()) return false;
  if (keeps > keeps_stored && node_.directory().is_message_store(from.lease)) refusal_.store(keeps);
  note(from.lease, keeps);
  if (keeps == keeps_nothing && node_.backend() != nullptr)
    send_store_state(peers_, from.lease, store_state_of(node_));
  return true;
}

void StoreClient::note(LeaseId lease, std::uint8_t keeps) {
  // The directory decides which node is the message store; that node itself announces what it
  // promises.
  if (!promised(keeps) ||
      (!mutated(Mutation::any_store) && !node_.directory().is_message_store(lease)))
    return;
  {
    const std::lock_guard lock(mutex_);
    // A node that goes after this look is removed by forget(), which needs the mutex.
    if (peers_.is_gone(lease)) return;
    if (std::exchange(lease_, lease) != lease) refusal_.store(keeps_nothing);
    keeps_ = keeps;
  }
  std::vector<Mailbox*> mailboxes;
  node_.storing_mailboxes().each([&mailboxes](Mailbox& mailbox) { mailboxes.push_back(&mailbox); });
  for (Mailbox* const mailbox : mailboxes) {
    at_home(*mailbox, [lease](Worker& home, Mailbox& there) { on_store(home, there, lease); });
  }
}

void StoreClient::forget(LeaseId lease) {
  const std::lock_guard lock(mutex_);
  if (lease_ == lease) {
    lease_ = 0;
    refusal_.store(keeps_nothing);
  }
  if (mutated(Mutation::silence_is_consent) && handing_ && handing_->to == lease) {
    for (HandedOver& each : handing_->messages) each.kept = Stage::stored;
  }
  if (handing_ && handing_->to == lease && std::exchange(handing_->unanswered, 0) != 0)
    handing_->done.set();
}

Task<> StoreClient::hand_over(std::vector<HandedOver>& messages, Deadline patience) {
  const Signal done;
  LeaseId to = 0;
  {
    const std::lock_guard lock(mutex_);
    if (lease_ == 0 || messages.empty()) co_return;
    to = lease_;
    handing_.emplace(Handing{to, messages, messages.size(), done});
  }
  std::size_t unsent = 0;
  if (mutated(Mutation::handed_over_backwards)) std::reverse(messages.begin(), messages.end());
  for (std::size_t serial = 0; serial < messages.size(); ++serial) {
    try {
      (void)writer_.send_handed(to, *messages[serial].record, serial);
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

bool StoreClient::read_taken_over(Peer& from, FrameReader& in) {
  const std::uint64_t serial = in.number();
  const std::uint8_t keeps = in.byte();
  if (!in.ok()) return false;
  const std::lock_guard lock(mutex_);
  if (!handing_ || handing_->to != from.lease || handing_->unanswered == 0)
    return true;  // too late
  if (serial >= handing_->messages.size()) return false;
  HandedOver& message = handing_->messages[static_cast<std::size_t>(serial)];
  message.kept = promised(keeps);
  message.why = reason_not_to_keep(keeps);
  if (--handing_->unanswered == 0) handing_->done.set();
  return true;
}

}  // namespace coracle::detail

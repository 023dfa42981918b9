// Follows one message that was copied for taps with TapOptions::outcomes, and sends their
// eavesdroppers notices of what becomes of it. It takes the place of the message's receipt: so
// messages that nobody follows cost nothing, and other nodes report a followed message as they
// report one with a receipt.
#pragma once

#include "runtime/receipts/receipt_state.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace coracle::detail {

// A tap with a copy of the message, and the sequence of that copy.
struct NoticedTap {
  std::uint64_t id = 0;
  std::uint64_t sequence = 0;
};

// The number of messages that one worker follows. Messages may end after their worker, so they
// share it.
using OpenCount = std::shared_ptr<std::atomic<std::uint32_t>>;
inline constexpr std::uint32_t most_followed = 65'536;

class Noticing final : public ReceiptState {
 public:
  Noticing(Worker& at, const MessageRecord& record, OpenCount open);
  ~Noticing() override { open_->fetch_sub(1, std::memory_order_relaxed); }

  // The message was not accepted: it gets its receipt back.
  void let_go(MessageRecord& record) noexcept;
  // The copies were sent, so that notices may follow.
  void begin(std::vector<NoticedTap> taps);

  // --- ReceiptState ---
  void update(std::uint32_t index, Stage stage) override;
  void hand_out(std::uint32_t index) override;
  void update(std::uint32_t index, Outcome outcome, DropReason reason) override;
  void lose_sight(std::uint32_t index) override;
  bool is_awaited(long) const noexcept override { return true; }

 private:
  void note(std::uint8_t what);
  void send(std::uint8_t what);
  // Runs `act` with the receipt in whose place this is.
  template <class Act>
  void pass_on(Act act);

  const OpenCount open_;
  std::shared_ptr<ReceiptState> receipt_;
  Mailbox& source_;
  const Incarnation life_;
  const Conversation conversation_;
  const Name addressed_, receiver_;
  std::vector<NoticedTap> taps_;
  bool has_begun_ = false;
  std::uint8_t last_ = 0;                 // the last note
  std::array<std::uint8_t, 3> before_{};  // notes from before begin()
  std::uint8_t count_before_ = 0;
};

// Follows the message from now on; nullptr if its worker follows too many.
std::shared_ptr<Noticing> follow(Worker& at, MessageRecord& record);

}  // namespace coracle::detail

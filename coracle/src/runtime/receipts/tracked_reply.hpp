// Replies whose sender wants to know whether the requester has read them.
#pragma once

#include "coracle/agent.hpp"
#include "receipt_state.hpp"

#include <cstdint>
#include <memory>

namespace coracle::detail {

// Calls `told` with the outcomes of an agent's replies, at the agent's home, until it is closed.
class ReplyOutcomes : public ReceiptState, public std::enable_shared_from_this<ReplyOutcomes> {
 public:
  using WhenEnded = void (*)(void* context, std::uint32_t which, Outcome outcome) noexcept;

  ReplyOutcomes(Agent& agent, WhenEnded told, void* context) noexcept;
  void close() noexcept { told_ = nullptr; }
  void update(std::uint32_t, Stage) override {}
  void update(std::uint32_t which, Outcome outcome, DropReason reason) override;

 private:
  Mailbox& mailbox_;
  WhenEnded told_;
  void* context_;
};

// Replies to a request. If the requester cannot be found, the reply expires at `until`.
Sending reply_tracked(Agent& agent, const MessageView& request, Content content,
                      std::shared_ptr<ReplyOutcomes> outcomes, std::uint32_t which, Time until);

}  // namespace coracle::detail

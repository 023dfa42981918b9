// Answers whose sender wants to know whether whoever asked has read them.
#pragma once

#include "coracle/agent.hpp"
#include "runtime/receipt_state.hpp"

#include <cstdint>
#include <memory>

namespace coracle::detail {

// Told what became of an agent's answers, at the agent's home, until it is closed.
class AnswerFates : public ReceiptState, public std::enable_shared_from_this<AnswerFates> {
 public:
  using Told = void (*)(void* context, std::uint32_t which, Outcome outcome) noexcept;

  AnswerFates(Agent& agent, Told told, void* context) noexcept;
  void close() noexcept { told_ = nullptr; }
  void update(std::uint32_t, Stage) override {}
  void update(std::uint32_t which, Outcome outcome) override;

 private:
  Party& party_;
  Told told_;
  void* context_;
};

// Answers a request. Where whoever asked is not to be found, the answer expires at `until`.
Sending reply_tracked(Agent& agent, const MessageView& request, Content content,
                      std::shared_ptr<AnswerFates> fates, std::uint32_t which, Time until);

}  // namespace coracle::detail

#include "coracle/caf/participant.hpp"

#include "coracle/errors.hpp"
#include "coracle/typed.hpp"

#include <chrono>
#include <optional>

namespace coracle::caf {

namespace {

// A full mailbox takes no message that could wake the loop, so it looks again by itself.
constexpr Duration look_again = std::chrono::milliseconds(10);

// To itself: look again what is due.
struct Nudge {
  static constexpr std::string_view content_type = "coracle/caf/nudge/v1";

  bool again = true;
};

}  // namespace

void Participant::retire() {
  retired_ = true;
  if (waits_) spawn(wake());
}

std::string_view Participant::why_no_turn() const noexcept {
  if (retired_) return "this agent is about to end";
  return handlers_.waiting() < handlers_limit ? "" : "too many others wait for their turn here";
}

Task<Message> Participant::receive_meanwhile(Match match) {
  std::optional<Message> message = co_await receive(std::move(match), Deadline(look_again));
  Message found;
  if (message) found = std::move(*message);
  co_return found;
}

Task<> Participant::wake() {
  if (!waits_) co_return;
  try {
    Content nudge = Content::of(Nudge{});
    (void)co_await send_result(name(), std::move(nudge));
  } catch (const Error& error) {
    // The loop reads what is left, and is told by itself.
    if (error.errc() != Errc::stopped) throw;
  }
}

bool Participant::is_wake(const Content& content) noexcept {
  return content.try_as<Nudge>() != nullptr;
}

}  // namespace coracle::caf

#include "coracle/caf/participant.hpp"

#include "coracle/errors.hpp"
#include "coracle/typed.hpp"

#include <chrono>
#include <optional>

namespace coracle::caf {

namespace {

// A full mailbox takes no message that could wake the loop, so the loop checks again after this
// time.
constexpr Duration look_again_after = std::chrono::milliseconds(100);

// The number of waiting handlers from which on messages that can wait stay in the mailbox, with its
// limit.
constexpr std::size_t ordinary_limit = 64;

// From a participant to itself: check again what is due.
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

// Urgent messages of a liar need handlers, too; so above a limit the loop does not read them
// either.
Participant::Kind Participant::least_to_read() const noexcept {
  if (has_room()) return Kind::ordinary;
  return handlers_.waiting() < 2 * handlers_limit ? Kind::urgent : Kind::wake;
}

bool Participant::has_room() const noexcept { return handlers_.waiting() < ordinary_limit; }

Deadline Participant::look_again() { return Deadline(look_again_after); }

Task<> Participant::wake() {
  if (!waits_) co_return;
  try {
    Content nudge = Content::of(Nudge{});
    (void)co_await send_result(name(), std::move(nudge));
  } catch (const Error& error) {
    // The loop reads the remaining messages, and gets this error by itself.
    if (error.errc() != Errc::stopped) throw;
  }
}

bool Participant::is_wake(const Content& content) noexcept {
  return content.try_as<Nudge>() != nullptr;
}

}  // namespace coracle::caf

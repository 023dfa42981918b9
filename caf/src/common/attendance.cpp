#include "attendance.hpp"

#include "coracle/errors.hpp"

namespace coracle::caf {

namespace {

constexpr std::size_t reason_limit = 1024;
// The time for which an agent's last messages may arrive after the notice of its end.
constexpr Duration last_words = std::chrono::milliseconds(200);

}  // namespace

std::string why_it_is_gone(const Ending& ending) {
  std::string why = std::string("its agent has ended: ") + to_string(ending.reason);
  if (!ending.text.empty()) why += ": " + ending.text.substr(0, reason_limit);
  return why;
}

Task<bool> Attendance::look_for(Name who) {
  if (!endings_) {
    endings_ = std::make_unique<Endings>(self_);
    self_.spawn(listen());
  }
  try {
    co_return co_await endings_->add(who);
  } catch (const Error& error) {
    if (error.errc() != Errc::limit_reached) throw;
  }
  co_return true;
}

void Attendance::drop(const Name& who) noexcept {
  if (endings_) endings_->drop(who);
}

Task<> Attendance::listen() {
  try {
    for (;;) {
      Ending ending = co_await endings_->next();
      self_.spawn(tell(std::move(ending)));
    }
  } catch (const Error& error) {
    // The agent's loop reads the remaining messages, and gets this error by itself.
    if (error.errc() != Errc::stopped) throw;
  }
}

Task<> Attendance::tell(Ending ending) {
  try {
    if (ending.reason == EndReason::stopped || ending.reason == EndReason::crashed)
      co_await self_.pause(last_words);
    told_(ending);
  } catch (const Error& error) {
    if (error.errc() != Errc::stopped) throw;
  }
}

}  // namespace coracle::caf

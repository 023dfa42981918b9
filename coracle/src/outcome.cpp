#include "coracle/outcome.hpp"

#include "coracle/overhearing.hpp"

namespace coracle {

const char* to_string(Outcome outcome) noexcept {
  switch (outcome) {
    case Outcome::consumed:
      return "consumed";
    case Outcome::expired:
      return "expired";
    case Outcome::refused:
      return "refused";
    case Outcome::undeliverable:
      return "undeliverable";
    case Outcome::dropped:
      return "dropped";
    case Outcome::store_lost:
      return "store lost";
  }
  return "?";
}

const char* to_string(DropReason reason) noexcept {
  switch (reason) {
    case DropReason::oldest:
      return "oldest";
    case DropReason::newest:
      return "newest";
    case DropReason::replaced:
      return "replaced";
    case DropReason::late_reply:
      return "late reply";
    case DropReason::receiver_gone:
      return "receiver gone";
  }
  return "?";
}

const char* to_string(NoticeStage stage) noexcept {
  switch (stage) {
    case NoticeStage::kept:
      return "kept";
    case NoticeStage::handed_out:
      return "handed out";
    case NoticeStage::ended:
      return "ended";
  }
  return "?";
}

const char* to_string(GapReason reason) noexcept {
  switch (reason) {
    case GapReason::mailbox:
      return "mailbox";
    case GapReason::rate:
      return "rate";
    case GapReason::notices:
      return "notices";
    case GapReason::unknown:
      return "unknown";
  }
  return "?";
}

std::uint64_t Ledger::dropped_total() const noexcept {
  std::uint64_t sum = 0;
  for (const std::uint64_t one : dropped) sum += one;
  return sum;
}

bool Ledger::balanced() const noexcept {
  return sent + received == in_flight + in_hand + queued + consumed + expired + refused +
                                undeliverable + dropped_total() + store_lost + passed_on &&
         copies_made + copies_received ==
             copies_waiting + copies_consumed + copies_missed + copies_passed_on;
}

std::string Ledger::to_string() const {
  std::string text = std::to_string(sent) + " sent";
  const auto say = [&text](std::uint64_t number, const std::string& what) {
    if (number != 0) text += ", " + std::to_string(number) + " " + what;
  };
  say(in_flight, "in flight");
  say(in_hand, "in hand");
  say(queued, "queued");
  say(consumed, "consumed");
  say(expired, "expired");
  say(refused, "refused");
  say(undeliverable, "undeliverable");
  for (std::size_t reason = 0; reason < 5; ++reason) {
    say(dropped[reason],
        std::string("dropped (") + coracle::to_string(static_cast<DropReason>(reason)) + ")");
  }
  say(store_lost, "lost with their message store");
  say(received, "from other nodes");
  say(passed_on, "passed on");
  say(copies_made, "copies made");
  say(copies_received, "copies from other nodes");
  say(copies_waiting, "copies waiting");
  say(copies_consumed, "copies consumed");
  say(copies_missed, "copies missed");
  say(copies_passed_on, "copies passed on");
  return text + (balanced() ? "" : " (does not add up)");
}

}  // namespace coracle

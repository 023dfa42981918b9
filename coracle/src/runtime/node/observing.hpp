// The reports of one worker to the observer, if there is one (observing.cpp).
#pragma once

#include "coracle/observer.hpp"
#include "runtime/mailbox/mailbox.hpp"

#include <cstdint>
#include <string_view>

namespace coracle::detail {

class Observing {
 public:
  Observing(Worker& worker, Observer* observer) noexcept : worker_(worker), observer_(observer) {}

  bool is_on() const noexcept { return observer_ != nullptr; }
  // Makes the observer number a message that it has not seen.
  void meet(MessageRecord& record) noexcept {
    if (is_on()) [[unlikely]]
      introduce(record);
  }
  void observe(Happening what, const MessageRecord& record, std::uint64_t number = 0) noexcept {
    if (is_on()) [[unlikely]]
      note(what, record, number);
  }
  void observe(Happening what, const Mailbox& whose, std::uint64_t number = 0,
               std::string_view text = {}) noexcept {
    if (is_on()) [[unlikely]]
      note(what, 0, whose, number, text);
  }
  // An operator marks an agent; returns whether the observer chooses by marks.
  bool mark(const Name& agent, bool is_marked) noexcept {
    return is_on() && observer_->mark(agent, is_marked);
  }
  // `message` is the number that the observer gave to it; requires an observer.
  void note(Happening what, std::uint64_t message, const Mailbox& whose, std::uint64_t number = 0,
            std::string_view text = {}) noexcept;

 private:
  void introduce(MessageRecord& record) noexcept;
  void note(Happening what, const MessageRecord& record, std::uint64_t number) noexcept;

  Worker& worker_;
  Observer* const observer_;
};

}  // namespace coracle::detail

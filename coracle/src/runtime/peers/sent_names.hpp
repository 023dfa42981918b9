// The names that were sent to another node. A name is spelled once for each pair of nodes; after
// that, a number stands for it.
#pragma once

#include "coracle/support/bytes.hpp"
#include "coracle/support/core_frames.hpp"
#include "runtime/mailbox/mailbox.hpp"

#include <array>
#include <cstdint>
#include <unordered_map>
#include <utility>

namespace coracle::detail {

// A name that has a number, and the incarnation that was last meant.
struct SentName {
  std::uint64_t number = 0;
  Incarnation life;
  std::uint64_t serial = 0, sequence = 0;  // of the last message to it, and from it
  Incarnation asks_in;                     // its incarnation as a requester, as last sent
};

class SentNames {
 public:
  // Most messages are between the same few names: returns the place where the name is if it was
  // written lately. Another name may be there.
  std::pair<const Mailbox*, SentName*>& lately(const Mailbox& mailbox) noexcept {
    return lately_[reinterpret_cast<std::uintptr_t>(&mailbox) / sizeof(Mailbox) % lately_.size()];
  }
  // Writes a name, spelled or as its number. Returns the entry that the caller updates for the next
  // message; nullptr when the name gets no number.
  SentName* write(FrameBuffer& out, const Mailbox& mailbox) {
    const auto& [written, name] = lately(mailbox);
    if (written != &mailbox) [[unlikely]]
      return write_at_length(out, mailbox);
    out.number(name->number);
    return name;
  }
  void forget() noexcept {
    names_.clear();
    lately_ = {};
  }

 private:
  SentName* write_at_length(FrameBuffer& out, const Mailbox& mailbox);

  std::unordered_map<const Mailbox*, SentName> names_;
  std::array<std::pair<const Mailbox*, SentName*>, 64> lately_{};  // some of them
};

inline SentName* SentNames::write_at_length(FrameBuffer& out, const Mailbox& mailbox) {
  const auto known = names_.find(&mailbox);
  if (known != names_.end()) {
    lately(mailbox) = {&mailbox, &known->second};
    out.number(known->second.number);
    return &known->second;
  }
  const bool keep = names_.size() < names_sent_limit;
  out.number(keep ? new_name : passing_name);
  out.text(mailbox.name.view());
  if (!keep) return nullptr;
  return &names_.emplace(&mailbox, SentName{names_.size() + first_number, {}, 0, 0, {}})
              .first->second;
}

}  // namespace coracle::detail

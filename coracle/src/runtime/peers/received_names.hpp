// The names that another node has sent. See sent_names.hpp.
#pragma once

#include "coracle/support/bytes.hpp"
#include "coracle/support/core_frames.hpp"
#include "runtime/mailbox/mailbox.hpp"
#include "runtime/mailbox/mailbox_table.hpp"

#include <boost/container/stable_vector.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace coracle::detail {

struct ReceivedName {
  Name name() const { return mailbox ? mailbox->name : spelled ? Name(*spelled) : Name(); }
  void has_mailbox(Mailbox& found) noexcept { mailbox = &found, spelled.reset(); }

  Mailbox* mailbox = nullptr;  // if the name has a record here, and was looked up
  Incarnation life, asks_in;
  std::uint64_t serial = 0, sequence = 0;
  std::unique_ptr<const std::string> spelled;  // until then; not pooled: the pool keeps memory
  bool is_its_own = false;  // the peer may send in that name, which has a record then
};

// A name in a frame does not make a record here.
class ReceivedNames {
 public:
  explicit ReceivedNames(MailboxTable& mailboxes) noexcept : mailboxes_(mailboxes) {}

  // Returns nullptr when no name has that number.
  [[gnu::always_inline]] ReceivedName* find(std::uint64_t number) noexcept {
    const std::uint64_t index = number - first_number;
    return index < names_.size() ? &names_[static_cast<std::size_t>(index)] : nullptr;
  }
  // Reads a name; returns nullptr when it makes no sense. `passing` is for a name that is not kept.
  ReceivedName* read(FrameReader& in, ReceivedName& passing);
  // Reads a name; `mailbox` is nullptr when it has no record here. Returns false when the name
  // makes no sense.
  bool read(FrameReader& in, Mailbox*& mailbox);
  // Returns nullptr when the name has no record here.
  Mailbox* mailbox_of(ReceivedName& name);
  void forget() noexcept { names_.clear(); }
  // The same, and gives the memory back.
  void release() noexcept;

 private:
  MailboxTable& mailboxes_;
  boost::container::stable_vector<ReceivedName> names_;
};

}  // namespace coracle::detail

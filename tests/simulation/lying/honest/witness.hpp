// Records the messages that honest agents send and read, and finds what is wrong. Each message has
// a token that nobody can guess, so a message that was read is matched reliably with the one that
// was sent.
#pragma once

#include "coracle/agent.hpp"
#include "coracle/receipt.hpp"
#include "rules.hpp"

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace coracle::test::lying {

// A message of an honest agent.
struct HonestMessage {
  enum class Kind : std::uint8_t { plain, tracked, request, reply, to_group };

  Kind kind = Kind::plain;
  std::string source, target;  // an agent, or a group
  std::uint64_t number = 0;    // its place among those of its source
  std::string text;
  std::set<std::string> members;            // members that had certainly joined
  std::uint64_t began = 0;                  // when: a position in the order of all events
  bool is_sent = false;                     // the call has returned and not failed
  std::string failed;                       // the error, if it failed
  bool is_over = false;                     // the call has returned
  bool is_leaked = false;                   // the liar has it
  std::map<std::string, unsigned> read;     // by reader
  std::map<std::uint64_t, unsigned> overheard;  // by tap
  std::optional<Receipt> receipt;
  std::string reply;  // the token of the reply that its sender received
};

struct HonestTap {
  std::string eavesdropper, source, target;  // empty: any
  std::uint64_t opened = 0;                  // as HonestMessage::began
  bool is_open = false;
};

class Witness {
 public:
  // Nodes that do not check the policy themselves do not restrict their own agents.
  Witness(const Rules& rules, bool nodes_ask, Random& random)
      : rules_(rules), nodes_ask_(nodes_ask), random_(random) {}

  // A message that is about to be sent, with its text.
  HonestMessage& will_send(HonestMessage::Kind kind, const std::string& source,
                           const std::string& target);
  void note_sent(HonestMessage& record) { record.is_sent = record.is_over = true; }
  void note_failed(HonestMessage& record, const Error& error);
  void on_read(const std::string& reader, const Message& message);
  // The liar's node received that content.
  void on_leak(std::string_view content);
  void on_reply(HonestMessage& request, const Message& reply);
  void joined(const std::string& member) { members_.insert(member); }
  void opened(std::uint64_t tap, HonestTap what);

  // The agent stays until the end, so all messages for it must be read.
  void stays(const std::string& name) { staying_.insert(name); }
  void comes_late(const std::string& name) { late_.insert(name); }
  // Returns whether everything that must happen has happened.
  bool is_complete() { return missing().empty(); }
  std::string missing();
  void fault(const std::string& what);
  // Everything that is wrong, at the end.
  std::string verdict();
  std::size_t messages() const noexcept { return messages_.size(); }

 private:
  void on_copy(const std::string& reader, const Message& message, HonestMessage* record);
  HonestMessage* find(const std::string& text);
  bool may_pass(const HonestMessage& record, const std::string& reader) const {
    if (!nodes_ask_ && are_of_one_node(record.source, reader)) return true;
    return rules_.allow(Action::send, record.source, reader);
  }
  // Returns whether the copy may pass (or certainly passes, if `for_sure`).
  bool may_be_overheard(const HonestMessage& record, const std::string& eavesdropper,
                        bool for_sure) const;
  bool had_no_holder(const std::string& name) const;
  bool may_be_made_up(const std::string& source, const HonestMessage* record) const;
  bool may_answer_anybody(const HonestMessage* record) const;
  // Returns whether a mailbox of the liar may redirect a message in that name, for which it
  // vouches.
  bool may_vouch(const std::string& source, const std::string& reader) const;
  bool is_for(const HonestMessage& record, const std::string& reader) const;
  bool must_be_overheard(const HonestTap& tap, const HonestMessage& record) const;
  bool fits(const HonestTap& tap, const HonestMessage& record) const;
  void judge_receipt(const HonestMessage& record, std::string& wrong) const;
  std::vector<std::string> sure_readers(const HonestMessage& record) const;

  const Rules& rules_;
  const bool nodes_ask_;
  Random& random_;
  std::map<std::string, HonestMessage> messages_;  // by token
  std::map<std::string, std::uint64_t> numbers_;
  std::map<std::pair<std::string, std::string>, std::uint64_t> last_read_;
  std::map<std::uint64_t, HonestTap> taps_;
  std::set<std::string> members_, staying_, late_;
  std::uint64_t clock_ = 0;
  std::string faults_;
  unsigned fault_count_ = 0;
};

}  // namespace coracle::test::lying

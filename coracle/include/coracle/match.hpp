// The messages that a receive wants: `from("ann")`, `in_conversation(7)`, `of_type("plan/v1")`,
// `that(predicate)`, combined with `&&`, `||` and `!`.
#pragma once

#include "coracle/envelope.hpp"

#include <memory>
#include <string>
#include <utility>

namespace coracle {

// A tap: one registration of an agent to overhear.
struct Tap {
  // The tap's number on the node; zero is none.
  std::uint64_t id = 0;
};

// A test of messages. By default every message fits. The mailbox indexes directed tests (by sender
// or conversation), so that they cost the same however many other messages wait.
class Match {
 public:
  Match() = default;

  // Returns whether `message` fits.
  bool fits(const MessageView& message) const {
    const bool is_directed = from_ || conversation_ != 0 || !name_.empty();
    if (is_directed && !is_from(message)) return false;
    return !test_ || test_->fits(message);
  }
  // Returns whether the message's sender and conversation fit.
  bool is_from(const MessageView& message) const;
  // Returns whether there is a further test of the message.
  bool looks_inside() const noexcept { return test_ != nullptr; }

  // Returns whether every message fits.
  bool is_any() const noexcept { return !from_ && name_.empty() && !conversation_ && !test_; }
  // The only sender that fits; nobody if senders are not limited.
  Address sender() const noexcept { return from_; }
  // The only conversation that fits; zero if conversations are not limited.
  Conversation conversation() const noexcept { return conversation_; }

  friend Match operator&&(const Match& a, const Match& b);
  friend Match operator||(const Match& a, const Match& b);
  friend Match operator!(const Match& a);

  // A test of another kind; private to the library.
  class Test {
   public:
    virtual ~Test() = default;
    // Returns whether `message` fits.
    virtual bool fits(const MessageView& message) const = 0;
  };

 private:
  friend Match from(Address sender);
  friend Match from(Name sender);
  friend Match in_conversation(Conversation conversation);
  friend Match matching(std::shared_ptr<const Test> test);
  friend class Agent;

  Address from_;
  Name name_;
  Conversation conversation_ = 0;
  std::shared_ptr<const Test> test_;
};

// Messages of one sender.
Match from(Address sender);
// Messages of one sender.
Match from(Name sender);
// Messages of one sender.
inline Match from(const char* sender) { return from(Name(sender)); }
// Messages of one conversation.
Match in_conversation(Conversation conversation);
// Messages whose content is of that type.
Match of_type(std::string content_type);
// Messages that this agent received by this tap, gap markers included.
Match overheard_by(std::uint64_t tap);
// Messages that this agent received by this tap, gap markers included.
inline Match overheard_by(Tap tap) { return overheard_by(tap.id); }
// Messages that were sent to this agent, not overheard messages.
Match addressed();
// Messages that pass a test of the caller's own.
Match matching(std::shared_ptr<const Match::Test> test);

// Messages for which `predicate(const MessageView&)` returns true.
template <class Predicate>
Match that(Predicate predicate) {
  struct Wrapped final : Match::Test {
    explicit Wrapped(Predicate p) : predicate_(std::move(p)) {}
    bool fits(const MessageView& message) const override { return predicate_(message); }
    Predicate predicate_;
  };
  return matching(std::make_shared<Wrapped>(std::move(predicate)));
}

}  // namespace coracle

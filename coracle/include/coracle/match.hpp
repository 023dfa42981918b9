// Which message a receive wants: `from("ann")`, `in_conversation(7)`, `of_type("plan/v1")`,
// `that(predicate)`, combined with `&&`, `||` and `!`.
#pragma once

#include "coracle/envelope.hpp"

#include <memory>
#include <string>
#include <utility>

namespace coracle {

// Something that an agent overhears by.
struct Ear {
  // Its number on the node; zero is none.
  std::uint64_t id = 0;
};

// A test of messages. Default: every message fits. Directed tests (by sender or conversation) are
// indexed by the mailbox, so that they cost the same however much else waits.
class Match {
 public:
  Match() = default;

  // Whether `message` fits.
  bool fits(const MessageView& message) const {
    const bool is_directed = from_ || conversation_ != 0 || !name_.empty();
    if (is_directed && !is_from(message)) return false;
    return !test_ || test_->fits(message);
  }
  // Whether its sender and conversation fit.
  bool is_from(const MessageView& message) const;
  // Whether there is more to look at than that.
  bool looks_inside() const noexcept { return test_ != nullptr; }

  // Whether every message fits.
  bool is_any() const noexcept { return !from_ && name_.empty() && !conversation_ && !test_; }
  // The sender that this is limited to, if it is.
  Address sender() const noexcept { return from_; }
  // The conversation that this is limited to; zero if it is not.
  Conversation conversation() const noexcept { return conversation_; }

  friend Match operator&&(const Match& a, const Match& b);
  friend Match operator||(const Match& a, const Match& b);
  friend Match operator!(const Match& a);

  // A test of another kind; private to the library.
  class Test {
   public:
    virtual ~Test() = default;
    // Whether `message` fits.
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
// Messages that one of this agent's ears heard, gap markers included.
Match heard_by(std::uint64_t ear);
// Messages that one of this agent's ears heard, gap markers included.
inline Match heard_by(Ear ear) { return heard_by(ear.id); }
// Messages that were sent to this agent, not overheard.
Match addressed();
// A test of one's own making.
Match matching(std::shared_ptr<const Match::Test> test);

// Messages for which `predicate(const MessageView&)` says yes.
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

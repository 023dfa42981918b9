// The expectations of a test about the messages of a society:
//   expect(message).from("ann").to("bob").text("hello").within(2s);
//   expect(no_message).to("bob").within(1s);
//   expect(quiet).within(10s);
//   expect("the door is open", [&] { return door.is_open(); }).within(1s);
// Time is the society's: virtual in a simulated world.
#pragma once

#include "coracle/clock.hpp"
#include "coracle/content.hpp"
#include "coracle/envelope.hpp"
#include "coracle/name.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace coracle::testing {

// A message that was accepted for one target: by a send, for one of several targets, for a member
// of a group, or as a reply.
struct Seen {
  std::uint64_t number = 0;  // in the order of acceptance, from 1
  Time at{};
  std::string from;
  std::string to;
  Content content;
  Conversation conversation = 0;
  bool is_request = false;
  // The message has met an expectation.
  bool taken = false;

  // The content as text; the type's name in brackets when the content is not text.
  std::string text() const;
};

// The judgement on one expectation.
struct Judgement {
  bool met = false;
  // The expectation and the event instead of it, as text; empty when the expectation was met.
  std::string what;
  // The message that met the expectation; for `no_message`, the message that was sent.
  std::optional<Seen> message;

  explicit operator bool() const noexcept { return met; }
};

// Kinds of expectations.
struct AMessage {};
struct NoMessage {};
struct Quiet {};

// Expects a message.
inline constexpr AMessage message{};
// Expects that there is no such message.
inline constexpr NoMessage no_message{};
// Expects that everything that was sent is read.
inline constexpr Quiet quiet{};

class Society;

// An expectation of a message, or of no message. Made by Society::expect().
class MessageExpectation {
 public:
  // The message is from that agent.
  MessageExpectation& from(Name sender);
  // The message is for that agent; for a multicast, for that member.
  MessageExpectation& to(Name target);
  // The message has exactly that text.
  MessageExpectation& text(std::string all);
  // The message has `part` somewhere in its text.
  MessageExpectation& containing(std::string part);
  // The message belongs to that conversation.
  MessageExpectation& in_conversation(Conversation which);
  // The message was accepted after `earlier`.
  MessageExpectation& after(const Seen& earlier);
  // `fits` is true for the message; `what` describes that for people: "a bid below 20".
  MessageExpectation& that(std::string what, std::function<bool(const Seen&)> fits);

  // Looks at every message that was accepted since the society began and that has met no
  // expectation yet, oldest first, and then lets up to `span` pass. Returns the message that fits,
  // which meets no other expectation. Throws a Failure if none comes. For `no_message`: throws if
  // there is such a message, or if one comes within `span`.
  Seen within(Duration span);
  // The same, with the result as a value; throws only when an Actor has failed.
  [[nodiscard]] Judgement judge_within(Duration span);

 private:
  friend class Society;
  struct Demand {
    std::string what;
    std::function<bool(const Seen&)> fits;
  };

  MessageExpectation(Society& society, bool wanted, const char* file, int line)
      : society_(society), wanted_(wanted), file_(file), line_(line) {}
  MessageExpectation& demand(std::string what, std::function<bool(const Seen&)> fits);
  bool fits(const Seen& seen) const;
  std::string described(Duration span) const;
  std::string near_misses() const;
  Judgement judged(std::optional<Seen> found, Duration span) const;

  Society& society_;
  const bool wanted_;
  const char* const file_;
  const int line_;
  std::vector<Demand> demands_;
};

// An expectation of something else. Made by Society::expect().
class Expectation {
 public:
  // Lets up to `span` pass until the condition is true; throws a Failure if it never is.
  void within(Duration span);
  // The same, with the result as a value; throws only when an Actor has failed.
  [[nodiscard]] Judgement judge_within(Duration span);

 private:
  friend class Society;
  Expectation(Society& society, std::string what, std::function<bool()> met,
              std::function<std::string()> instead, const char* file, int line);

  Society& society_;
  const std::string what_;
  const std::function<bool()> met_;
  const std::function<std::string()> instead_;
  const char* const file_;
  const int line_;
};

}  // namespace coracle::testing

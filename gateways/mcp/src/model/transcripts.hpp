// The conversations that a gateway has overheard. Pure: times come from outside.
// Tests: gateways/mcp/tests/transcripts_test.cpp
#pragma once

#include "coracle/clock.hpp"
#include "coracle/envelope.hpp"
#include "coracle/message_kind.hpp"
#include "coracle/name.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <string>
#include <vector>

namespace coracle::mcp {

// A message of a conversation, for people.
struct TranscriptLine {
  Time at = {};
  Name from, to;
  MessageKind kind = MessageKind::plain;
  std::string text = {};
};

struct Transcript {
  Conversation number = 0;
  // It is one of the gateway with an agent, and belongs to the caller whose request it is.
  bool is_private = false;
  std::string owner = {};
  std::deque<TranscriptLine> lines = {};
  // The lines before these, for which there was no room.
  std::size_t forgotten = 0;
  std::size_t bytes = 0;

  bool may_see(const std::string& caller) const noexcept;
  bool has(const Name& agent) const noexcept;
};

class Transcripts {
 public:
  struct Limits {
    std::size_t conversations = 1000, lines_of_each = 1000;
    // Of all lines, about. The conversation that was silent for the longest time is forgotten.
    std::size_t bytes = std::size_t{16} << 20;
  };

  explicit Transcripts(Limits limits) : limits_(limits) {}

  // Adds a message. That of a conversation of the gateway is private, and nobody sees it before it
  // has an owner.
  void add(Conversation number, bool is_private, TranscriptLine line);
  // The request of the conversation is that of a caller.
  void set_owner(Conversation number, std::string caller);
  // Counts messages of which there are no copies.
  void miss(std::uint64_t count) noexcept { missed_ += count; }

  // A conversation that the caller may see; nullptr if there is none.
  const Transcript* find(Conversation number, const std::string& caller) const noexcept;
  // Those that the caller may see, the latest first, at most so many; those of an agent, unless
  // that is empty.
  std::vector<const Transcript*> latest(const std::string& caller, const Name& agent,
                                        std::size_t most) const;
  std::uint64_t missed() const noexcept { return missed_; }

 private:
  using Order = std::list<Transcript>;  // the latest first

  Transcript& entered(Conversation number);
  void forget_last();

  const Limits limits_;
  Order all_;
  std::map<Conversation, Order::iterator> places_;
  std::size_t bytes_ = 0;
  std::uint64_t missed_ = 0;
};

}  // namespace coracle::mcp

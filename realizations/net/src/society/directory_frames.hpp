// What a directory service and its clients tell each other. A client sends requests, each a kind
// and a number; the service sends an answer to each, and every change as an event, in the order in
// which it made them: so a client that has an answer has seen the change. docs/wire.md has it in
// words.
#pragma once

#include "beacon.hpp"
#include "coracle/directory.hpp"
#include "runtime/frames.hpp"
#include "way.hpp"

#include <optional>
#include <string>
#include <vector>

namespace coracle::society {

using detail::FrameReader;
using detail::FrameWriter;

enum class Request : std::uint8_t {
  // Has everything told that is known, and from then on every change. Says the latest generation of
  // leases that the node has seen.
  attach = 1,
  open_lease,
  renew,
  close_lease,
  claim,
  take_over,
  leave,
  describe,
  join,
  leave_group,
  // Not answered: so many changes of groups have been seen since all was told.
  seen,
  // Answered by a census.
  census,
  // Answered when all that has been done was told.
  catch_up,
  // Not answered: the node uses another service from now on.
  moved,
  // Answered by 1 if the node of a lease may speak in a name, since it holds it, or held it lately,
  // or nobody does; else by 0.
  may_speak,
  // Whether an agent of the node may overhear anybody; and whether the node may see what waits for
  // a name.
  may_overhear,
  may_look,
  // Answered by what the policy has refused since the refusal of some serial.
  audit,
};

enum class Told : std::uint8_t {
  answer = 1,
  event,
  lease_opened,
  all_told,  // what was known is told
  census,    // the number of the request, and what the service knows of itself
  policy,    // its version, and its text if nodes are to enforce it
  audit,     // the number of the request, and what was refused
  older,     // a directory that is older than this one: all nodes should meet there
};
// The version that says that there is no policy.
inline constexpr std::uint64_t no_policy = 0;

// What begins with this or a higher byte is no business of the directory: a service may have more
// to say to its nodes, and they to it.
inline constexpr std::byte first_besides{0x20};
inline bool is_besides(const net::Arrived& message) {
  if (message.header.empty()) return false;
  return message.header.front() >= first_besides && message.header.front() < first_piece;
}

// A service that has begun anew does not know which leases there were before, but its nodes do:
// that this one has ended says that all have of which the service has not told by then.
inline constexpr LeaseId all_missing = 0;

// Where the node of a lease is, and what the service knows of it.
struct NodeInfo {
  LeaseId lease = 0;
  std::string node;
  std::vector<std::string> endpoints;
  std::string certified{};  // what its certificate says, or nothing
  bool is_custodian = false;
};

// So many answers to what it joins and leaves a node may wait for at once.
inline constexpr std::size_t most_unanswered = 1024;
// The limits of what is read.
inline constexpr std::size_t max_endpoints = 16, max_properties = 4096;

// What a service answers: a number, or why not.
struct Answer {
  std::uint64_t value = 0;
  std::optional<Error> error;
};
Answer answer_of(const Result<void>& result);
Answer answer_of(const Result<Incarnation>& result);
Answer refusal(Error error);

void write(FrameWriter& out, const Properties& properties);
void write(FrameWriter& out, const MailboxOptions& mailbox);
void write(FrameWriter& out, const NodeInfo& info);
void write(FrameWriter& out, Incarnation life);
void write(FrameWriter& out, const Ending& ending);
// `entry` is of the name that arrived or changed; else nullptr.
void write(FrameWriter& out, const DirectoryEvent& event, const Entry* entry);
void write(FrameWriter& out, const Answer& answer);
void write(FrameWriter& out, const HeardOf& heard);

// What cannot be understood leaves `in` not ok().
Name read_name(FrameReader& in);
Incarnation read_life(FrameReader& in);
Properties read_properties(FrameReader& in);
MailboxOptions read_mailbox(FrameReader& in);
NodeInfo read_node_info(FrameReader& in);
Ending read_ending(FrameReader& in);
// `entry` is set when something arrived or changed.
DirectoryEvent read_event(FrameReader& in, std::optional<Entry>& entry);
Answer read_answer(FrameReader& in);
HeardOf read_heard_of(FrameReader& in);

inline std::uint64_t number_of(Incarnation life) {
  return std::uint64_t{life.epoch} << 32 | life.counter;
}
inline Incarnation life_of(std::uint64_t number) {
  return {static_cast<std::uint32_t>(number >> 32), static_cast<std::uint32_t>(number)};
}

}  // namespace coracle::society

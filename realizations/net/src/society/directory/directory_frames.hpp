// The messages between a directory service and its clients. A client sends requests, each a kind
// and a number. The service sends an answer to each, and every change as an event, in the order of
// the changes: so a client that has an answer has seen the change. docs/wire.md describes them in
// words.
#pragma once

#include "coracle/directory.hpp"
#include "coracle/support/bytes.hpp"
#include "coracle/support/directory_fields.hpp"
#include "realizations/net/src/society/beacon/beacon.hpp"
#include "realizations/net/src/society/frames/frame_channel.hpp"

#include <optional>
#include <string>
#include <vector>

namespace coracle::society {

using detail::FrameReader;
using detail::FrameWriter;
using detail::life_of_number;
using detail::number_of_life;
using detail::read_ending;
using detail::read_life;
using detail::read_name;
using detail::read_properties;
using detail::write;

enum class Request : std::uint8_t {
  // The node uses this service from now on: requests the policy and the leases, and from then on
  // their changes. Carries the latest generation of leases that the node has seen.
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
  // Not answered: the number of changes of groups that the client has seen since all_announced.
  seen,
  // Answered by a census.
  census,
  // Answered when everything that has been done was sent.
  catch_up,
  // Not answered: the node uses another service from now on.
  moved,
  // Answered by 1 if the node of a lease may send in a name, because it holds it, or held it
  // lately, or nobody does; else by 0.
  may_speak,
  // May an agent of the node overhear anybody; may the node look at the waiting messages of a name.
  may_overhear,
  may_look,
  // Answered by the refusals after the one of some serial.
  audit,
  // Not answered: what the node has refused by the policy since its last report.
  report_refusals,
  // May the node of a lease end and restart the agent of a name; if so, the audit notes it.
  may_operate,
  // Requests all names and groups within a prefix, and from then on their changes. Answered behind
  // them, unless the number is 0.
  follow_all,
  // Not answered: the node has requested anew what it followed at an earlier service.
  all_followed,
};

enum class Announcement : std::uint8_t {
  answer = 1,
  event,
  lease_opened,
  all_announced,  // everything was sent that the node followed at an earlier service
  census,         // the number of the request, and the service's counts
  policy,         // the version of the policy, and its text if nodes are to enforce it
  audit,          // the number of the request, and the refusals
  older,          // a directory that is older than this one: all nodes should meet there
};
// The version that means that there is no policy.
inline constexpr std::uint64_t no_policy = 0;

// Messages that begin with this or a higher byte are not the directory's: a service may have more
// to send to its nodes, and they to it.
inline constexpr std::byte first_besides{0x20};
inline bool is_besides(const net::Arrived& message) {
  if (message.header.empty()) return false;
  return message.header.front() >= first_besides && message.header.front() < first_piece;
}

// A service that has begun anew does not know which leases there were before, but its nodes do. The
// end of this lease means that all leases have ended that the service has not announced by then.
inline constexpr LeaseId all_missing = 0;

// The endpoints of the node of a lease, and its other properties in the directory.
struct NodeInfo {
  LeaseId lease = 0;
  std::string node;
  std::vector<std::string> endpoints;
  std::string certified{};  // the name in its certificate, or nothing
  bool is_message_store = false;
};

// The number of answers to joins and leaves that a node may wait for at once.
inline constexpr std::size_t most_unanswered = 1024;
// The limits of what is read.
inline constexpr std::size_t max_endpoints = 16;

// An answer of a service: a number, or the reason of a refusal.
struct Answer {
  std::uint64_t value = 0;
  std::optional<Error> error;
};
Answer answer_of(const Result<void>& result);
Answer answer_of(const Result<Incarnation>& result);
Answer refusal(Error error);
// Returns the announcement of the answer to a request.
Bytes frame_of_answer(std::uint64_t number, const Answer& answer);

void write(FrameWriter& out, const NodeInfo& info);
// `entry` is of the name that arrived or changed; else nullptr.
void write(FrameWriter& out, const DirectoryEvent& event, const Entry* entry);
void write(FrameWriter& out, const Answer& answer);
void write(FrameWriter& out, const DirectoryReport& report);

// Malformed input leaves `in` not ok().
NodeInfo read_node_info(FrameReader& in);
// `entry` is set when a name arrived or changed.
DirectoryEvent read_event(FrameReader& in, std::optional<Entry>& entry);
Answer read_answer(FrameReader& in);
DirectoryReport read_directory_report(FrameReader& in);

}  // namespace coracle::society

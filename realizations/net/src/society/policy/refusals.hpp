// The refusals of a policy, with their nodes and counts, for the operator. As many kinds are
// remembered as fit; further kinds are only counted. In a Distributed society nodes refuse by
// themselves, and report it to the directory.
#pragma once

#include "coracle/name.hpp"
#include "coracle/support/bytes.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace coracle::society {

struct Refusal {
  std::uint64_t serial = 0;  // grows whenever it happens again
  std::string node, certified;
  std::string right;  // the action, in the words of a policy
  Name from, to;      // the agent that would have acted, and on what
  std::uint64_t count = 1;
  std::string by{}, by_certified{};  // the node that refused it; empty: the service itself
};

class Refusals {
 public:
  static constexpr std::size_t most = 4096, most_reported = 256;

  // Adds the count of one kind. When there is no room, the kind that has not occurred for longest
  // is forgotten. A node that reports more than its share displaces only its own reports.
  void note(Refusal refusal);
  // Returns all refusals after the one of that serial, the oldest first.
  std::vector<Refusal> after(std::uint64_t serial) const;
  // Removes and returns the oldest kinds, as many as one report may have.
  std::vector<Refusal> take();

 private:
  Refusal remove(std::uint64_t serial);
  void make_room(const std::string& reporter);

  std::map<std::uint64_t, Refusal> by_serial_;
  std::unordered_map<std::string, std::uint64_t> serials_;      // by what happened
  std::map<std::string, std::set<std::uint64_t>> of_reporter_;  // the serials of its reports
  std::uint64_t last_serial_ = 0;
};

// A node's report to the directory: what it has refused since its last report.
struct RefusalReport {
  std::uint64_t count = 0;  // all refusals; not all kinds need to be in the list
  std::vector<Refusal> refusals;
};

// Writes an answer to the request `audit`.
void write(detail::FrameWriter& out, const std::vector<Refusal>& refusals);
void write(detail::FrameWriter& out, const RefusalReport& report);
// Malformed input leaves `in` not ok().
std::vector<Refusal> read_refusals(detail::FrameReader& in);
RefusalReport read_refusal_report(detail::FrameReader& in);

}  // namespace coracle::society

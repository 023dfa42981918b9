// The society's policy at a node of a Distributed society, where no server is in between: the
// directory hands it out, and the node asks it about every frame that comes and goes. What the
// policy needs to know of leases and names is what the directory tells.
// Everything is on the thread of the links.
#pragma once

#include "checkpoint.hpp"
#include "directory_frames.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace coracle::society {

class Replica;

class Gate {
 public:
  explicit Gate(Log log) : log_(std::move(log)) {}

  // What the directory says. Without a policy everybody may do everything. Returns whether the
  // text makes sense.
  bool on_policy(std::uint64_t version, std::string_view text, const Replica& known);
  void on_lease(const NodeInfo& info);
  void on_name(LeaseId lease, const Name& name);
  void on_lease_ended(LeaseId lease);
  // What the nodes of these leases have said to each other.
  void forget(const Leases& leases);

  // Whether there is a policy.
  bool is_set() const noexcept { return authority_ != nullptr; }
  // What becomes of a frame, as Checkpoint says it. Requires that there is a policy.
  Checkpoint::Ruling rule(const Leases& leases, ByteSpan frame) {
    return checkpoint_->rule_on_whole(leases, frame);
  }
  const Bytes& instead() const noexcept { return checkpoint_->instead(); }

 private:
  const Log log_;
  std::uint64_t version_ = 0;  // 0: none was told
  std::unique_ptr<Authority> authority_;
  std::unique_ptr<Checkpoint> checkpoint_;
};

}  // namespace coracle::society

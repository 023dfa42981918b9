// The society's policy at a node of a Distributed society, where no server is in between: the
// directory distributes it, and the node applies it to every frame that comes and goes. The
// directory's announcements provide the leases and names that the policy needs.
// Everything is on the thread of the links.
#pragma once

#include "checkpoint.hpp"
#include "realizations/net/src/society/directory/directory_frames.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace coracle::society {

class Replica;

class Gate {
 public:
  explicit Gate(Log log) : log_(std::move(log)) {}

  // Sets the policy that the directory has sent. Without a policy, everybody may do everything.
  // Returns whether the text is well-formed.
  bool on_policy(std::uint64_t version, std::string_view text, const Replica& known);
  void on_lease(const NodeInfo& info);
  void on_name(LeaseId lease, const Name& name);
  void on_lease_ended(LeaseId lease);
  // Forgets the numbered names between these leases.
  void forget(const Leases& leases);

  // Returns whether there is a policy.
  bool is_set() const noexcept { return authority_ != nullptr; }
  // Returns the decision of the Checkpoint about a frame. Requires that there is a policy.
  Checkpoint::Ruling rule(const Leases& leases, ByteSpan frame) {
    return checkpoint_->rule_on_whole(leases, frame);
  }
  const Bytes& instead() const noexcept { return checkpoint_->instead(); }

 private:
  const Log log_;
  std::uint64_t version_ = 0;  // 0: the directory has sent none
  std::unique_ptr<Authority> authority_;
  std::unique_ptr<Checkpoint> checkpoint_;
};

}  // namespace coracle::society

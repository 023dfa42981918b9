// The society's policy at a node of a Distributed society, where no server is in between: the
// directory distributes it, and the node applies it to every frame that comes and goes. The
// directory's announcements provide the leases and names that the policy needs.
// Everything is on the thread of the links.
#pragma once

#include "checkpoint.hpp"
#include "realizations/net/src/society/directory/directory_frames.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace coracle::society {

class Replica;

class Gate {
 public:
  // `on_refused` is called when a frame was refused.
  Gate(Log log, std::function<void()> on_refused)
      : log_(std::move(log)), on_refused_(std::move(on_refused)) {}

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
    const Checkpoint::Ruling ruling = checkpoint_->rule_on_whole(leases, frame);
    if (ruling != Checkpoint::Ruling::passes && has_refused()) on_refused_();
    return ruling;
  }
  const Bytes& instead() const noexcept { return checkpoint_->instead(); }
  // Returns whether something was refused that was not taken.
  bool has_refused() const noexcept { return authority_ != nullptr && authority_->has_refused(); }
  // Requires that there is a policy.
  RefusalReport take_refusals() { return authority_->take_refusals(); }

 private:
  const Log log_;
  const std::function<void()> on_refused_;
  std::uint64_t version_ = 0;  // 0: the directory has sent none
  std::unique_ptr<Authority> authority_;
  std::unique_ptr<Checkpoint> checkpoint_;
};

}  // namespace coracle::society

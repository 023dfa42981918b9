#include "gate.hpp"

#include "coracle/grants.hpp"
#include "realizations/net/src/society/directory/replica.hpp"

#include <utility>

namespace coracle::society {

bool Gate::on_policy(std::uint64_t version, std::string_view text, const Replica& known) {
  if (std::exchange(version_, version) == version) return true;
  if (version == no_policy) {
    checkpoint_.reset();
    authority_.reset();
    return true;
  }
  auto policy = parse_policy(text);
  if (!policy) return false;
  if (authority_) return authority_->replace(*std::move(policy)), true;
  authority_ = std::make_unique<Authority>(*std::move(policy), log_);
  checkpoint_ = std::make_unique<Checkpoint>(*authority_);
  known.each_node([this](const NodeInfo& info) { on_lease(info); });
  known.each_entry([this](const Entry& entry) { on_name(entry.lease, entry.name); });
  return true;
}

void Gate::on_lease(const NodeInfo& info) {
  if (authority_)
    authority_->opened(info.lease, {info.node, info.certified, info.is_message_store});
}

void Gate::on_name(LeaseId lease, const Name& name) {
  if (authority_) authority_->claimed(lease, name);
}

void Gate::on_lease_ended(LeaseId lease) {
  if (!authority_) return;
  authority_->ended(lease);
  checkpoint_->on_lease_ended(lease);
}

void Gate::forget(const Leases& leases) {
  if (checkpoint_) checkpoint_->forget(leases);
}

}  // namespace coracle::society

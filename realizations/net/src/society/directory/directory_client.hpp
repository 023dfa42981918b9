// A society's directory as a node sees it: the replica answers look-ups, and changes are requested
// from the service. A change is visible here when its answer is.
// Calls come from the node's workers; `net` in a comment means: on the thread of the links.
#pragma once

#include "service_attachment.hpp"
#include "service_channel.hpp"
#include "shared_replica.hpp"
#include "unanswered_requests.hpp"

#include <memory>
#include <string>
#include <vector>

namespace coracle::society {

// The state of its links that both sides of a node share.
class NodeConnectivity;

class DirectoryClient final : public Directory {
 public:
  // The references outlive this object.
  DirectoryClient(NodeConnectivity& connectivity, NodeEvents& events,
                  std::vector<std::string> own_endpoints);

  // net: the channel to the service.
  FrameChannel& channel() noexcept { return channel_; }
  // net: the choice of the service.
  ServiceAttachment& attachment() noexcept { return attachment_; }
  SharedReplica& replica() noexcept { return replica_; }

  // --- Directory ---
  Task<Result<LeaseId>> open_lease(std::string identity, Duration term) override;
  Task<Result<void>> renew(LeaseId lease) override;
  Task<Result<void>> close_lease(LeaseId lease, EndReason reason) override;
  Task<Result<Incarnation>> claim(Claim claim) override;
  Task<Result<Incarnation>> take_over(Claim claim) override;
  Task<Result<void>> leave(Name name, Incarnation incarnation, Ending ending) override;
  Task<Result<void>> describe(Name name, Incarnation incarnation, Properties properties) override;
  Task<std::optional<Entry>> look_up(Name name) override;
  std::optional<std::optional<Entry>> try_look_up(const Name& name) override;
  Task<std::vector<Entry>> search(Query query) override;
  Task<std::vector<LeaseId>> leases() override;
  bool may_speak_as(LeaseId lease, const Name& source) override;
  Task<bool> find_speaker(LeaseId lease, Name source) override;
  Task<Result<void>> may_overhear(LeaseId lease, Name eavesdropper) override;
  Task<Result<void>> may_look(LeaseId lease, Name name) override;
  Task<Result<void>> may_operate(LeaseId lease, Name name) override;
  Task<> catch_up() override;
  bool is_message_store(LeaseId lease) override;
  Task<Result<void>> join(Name group, Name member) override;
  Task<Result<void>> leave_group(Name group, Name member) override;
  Task<std::shared_ptr<const std::vector<Name>>> members(Name group) override;
  Task<std::uint64_t> watch(Name prefix, DirectoryWatcher& watcher) override;
  Task<void> unwatch(std::uint64_t watch) override;
  Task<Result<void>> delegate(Name prefix, std::shared_ptr<Directory> child) override;

 private:
  template <class Write>
  Task<Answer> ask(Request request, Write write);
  Task<Result<Incarnation>> hold(Request how, Claim claim);
  Task<Result<void>> belong(Request how, Name group, Name member);
  Task<Result<void>> may(Request what, LeaseId lease, Name name);
  Task<Answer> follow_all(Name prefix);

  NodeConnectivity& connectivity_;
  const std::vector<std::string> own_endpoints_;
  ServiceChannel channel_;
  UnansweredRequests requests_;
  SharedReplica replica_;
  ServiceAttachment attachment_;
};

}  // namespace coracle::society

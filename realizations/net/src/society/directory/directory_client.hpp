// A society's directory as a node sees it: the replica answers look-ups, and changes are requested
// from the service. A change is visible here when its answer is.
// Calls come from the node's workers; `net` in a comment means: on the thread of the links.
#pragma once

#include "candidates.hpp"
#include "coracle/support/signal.hpp"
#include "directory_frames.hpp"
#include "realizations/net/src/society/frames/frame_channel.hpp"
#include "realizations/net/src/society/policy/gate.hpp"
#include "replica.hpp"

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace coracle::society {

// The state of its links that both sides of a node share.
class NodeConnectivity;

class DirectoryClient final : public Directory, public Candidates::User {
 public:
  // Receives, net, events that concern other nodes.
  class NodeEvents {
   public:
    // Nodes have come or gone; nobody else knows it yet.
    virtual void on_nodes() = 0;
    // The service begins anew with this node, or there is none any more: frames that were sent
    // through it are lost.
    virtual void on_service() {}
    // Messages to the service have room again.
    virtual void on_room() {}
    // A message of the service that is not the directory's; returns false if it is malformed.
    virtual bool on_besides(const net::Arrived&) { return false; }

   protected:
    ~NodeEvents() = default;
  };

  DirectoryClient(NodeConnectivity& connectivity, NodeEvents& events,
                  std::vector<std::string> own_endpoints);
  ~DirectoryClient() override;

  // net: sets the endpoints where services may be, the best first; the first call begins to look
  // for a service.
  void look_at(const std::vector<net::Endpoint>& services) { candidates_.set(services); }
  // net: a service at that endpoint has replied to a beacon.
  void try_again(const net::Endpoint& service) { candidates_.try_again(service); }
  // net: sends a farewell.
  void leave();
  // net: returns the channel to the service.
  FrameChannel& channel() noexcept { return channel_; }
  // net: a connection of that link, if any, has failed. If no service was reached so far, that may
  // be the reason.
  void on_fault(const net::Closing& why, const net::Link* link);
  // net: returns whether there is no connection.
  bool is_silent() const { return candidates_.is_silent(); }
  // Returns the node of a lease, if it is known.
  std::optional<NodeInfo> node_of(LeaseId lease);
  // Returns whether the lease is known to have ended.
  bool has_ended(LeaseId lease);
  // net: the policy, if the directory has this node enforce one.
  Gate& gate() noexcept { return gate_; }
  // net: this node's lease is not valid any more; the node must open another.
  void renounce(LeaseId lease);

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
  Task<> catch_up() override;
  bool is_message_store(LeaseId lease) override;
  Task<Result<void>> join(Name group, Name member) override;
  Task<Result<void>> leave_group(Name group, Name member) override;
  Task<std::shared_ptr<const std::vector<Name>>> members(Name group) override;
  Task<std::uint64_t> watch(Name prefix, DirectoryWatcher& watcher) override;
  Task<void> unwatch(std::uint64_t watch) override;
  Task<Result<void>> delegate(Name prefix, std::shared_ptr<Directory> child) override;

  // --- Candidates::User: net ---
  void on_use(net::Link* link) override;
  void on_search() override;
  void on_arrived(const net::Arrived& message) override;
  void on_credit() override;
  void on_open(net::Opening how) override;
  void on_lost(const net::Closing&) override {}
  void on_restarted() override {}
  void on_suspected() override {}
  void on_trusted() override {}
  void on_gone(const net::Closing&) override { is_attached_ = false; }

 private:
  struct Call;
  using CallPtr = std::shared_ptr<Call>;

  template <class Write>
  Task<Answer> ask(Request request, Write write);
  Task<Answer> wait_for(CallPtr call);
  Task<Result<Incarnation>> hold(Request how, Claim claim);
  Task<Result<void>> belong(Request how, Name group, Name member);
  Task<Result<void>> may(Request what, LeaseId lease, Name name);
  void submit(CallPtr call);
  void submit_held();
  std::vector<CallPtr> take_calls();
  void answered(FrameReader& in);
  void undo(const Call& call, const Answer& answer);
  bool is_cut_off() const;
  void give_up(Call& call);
  void attach();
  void say_moved();
  void tell();
  void forget_missing();
  bool read(const net::Arrived& message);
  bool take(FrameReader& in);
  void say_seen();

  NodeConnectivity& connectivity_;
  NodeEvents& events_;
  const std::vector<std::string> own_endpoints_;

  // net
  FrameChannel channel_;
  Candidates candidates_;
  std::map<std::uint64_t, CallPtr> calls_;  // by number, so in the order in which they were made
  std::deque<CallPtr> held_;    // calls that wait for answers to other changes of groups
  std::size_t unanswered_ = 0;  // the number of unanswered changes of groups
  std::uint64_t last_call_ = 0;
  bool is_attached_ = false;  // this service has our `attach`
  bool was_attached_ = false;
  LeaseId own_ = 0;
  std::uint64_t last_generation_ = 0;    // the latest generation of the seen leases
  std::uint64_t groups_seen_ = 0;        // changes of groups since all_told
  bool is_told_ = false;                 // all that this service knew has come
  std::unique_ptr<net::Alarm> missing_;  // for entries that were not announced again

  Gate gate_;
  std::atomic<bool> has_policy_{false};  // this node or the service enforces it

  std::mutex mutex_;  // guards what follows
  Replica replica_;
};

}  // namespace coracle::society

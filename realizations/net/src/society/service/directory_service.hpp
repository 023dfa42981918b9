// The directory of a society as a service: it knows all names, and sends every change to the nodes
// that deal with what has changed. It ends the lease of a node that it can no longer reach.
// Everything is on the thread of its links.
#pragma once

#include "census.hpp"
#include "directory/book.hpp"
#include "group_confirmations.hpp"
#include "interests.hpp"
#include "realizations/net/src/society/directory/directory_frames.hpp"
#include "realizations/net/src/society/frames/frame_channel.hpp"
#include "realizations/net/src/society/home/fault_log.hpp"
#include "realizations/net/src/society/policy/authority.hpp"
#include "returned_names.hpp"
#include "succession.hpp"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace coracle::society {

// The other services for nodes that a realization adds to the directory.
class Besides {
 public:
  virtual ~Besides() = default;

  // The node at the other end of `channel` has that lease now. Both live as long as the service.
  virtual void on_lease(LeaseId lease, FrameChannel& channel) = 0;
  virtual void on_lease_ended(LeaseId lease) = 0;
  // Handles a message of a node that is not the directory's; returns why it is malformed, or
  // nullptr.
  virtual const char* on_message(FrameChannel& from, const net::Arrived& message) = 0;
  // Adds its own counts to a census.
  virtual void count(Census&) const {}
};

// Identifies one start of a service: `epoch` is greater than at earlier starts, and `salt` differs
// from that of services that are active at the same time.
struct Start {
  std::uint32_t epoch = 1;
  std::uint32_t salt = 0;  // below largest_salt
  static constexpr std::uint32_t largest_salt = 1u << 31;
};

class DirectoryService final : public net::LinksEvents, private DirectoryWatcher {
 public:
  DirectoryService(FlushQueue& flush_queue, net::Alarms& alarms, const Clock& clock, Start start,
                   DirectoryLimits limits, Log log, Besides* besides = nullptr,
                   Authority* authority = nullptr);
  ~DirectoryService() override;

  // The policy of the society; its nodes must enforce it unless messages pass the service itself.
  void set_policy(std::string text);
  // Sets which nodes may be the society's message store, besides one inside this process. A node
  // may choose any name: the check must use an identity that nobody else can know.
  using MayKeep = std::function<bool(const std::string& node, const std::string& identity)>;
  void let_keep(MayKeep may_keep) { may_keep_ = std::move(may_keep); }

  // Returns whether nodes find each other by this service.
  bool is_used() const;
  // An older directory is there as well: asks all nodes to move to it.
  void announce_older(const DirectoryReport& older);

  // Adds to each census the counts of other parts of the service's process.
  void count_more(std::function<void(Census&)> count) { count_more_ = std::move(count); }

  // Sets the links from which the links of nodes that are gone are removed, now and then.
  void tidy(net::Links& links);

  // --- LinksEvents ---
  net::SessionEvents* on_peer(const net::Greeting& peer) override;
  void on_link(net::Link& link) override;
  void on_fault(const std::string& peer, const net::Closing& why, const net::Link* link) override;

 private:
  class Client;

  // The maximum that is kept for a client that reads nothing.
  static constexpr std::size_t most_waiting = std::size_t{256} << 20;
  static constexpr const char* takes_nothing = "it reads nothing any more";

  void on_change(const DirectoryEvent& event) noexcept override;
  void obey(Client& client, FrameReader& in);
  Answer answer(Client& client, Request request, FrameReader& in);
  void answer_request(Client& client, Request request, std::uint64_t number, FrameReader& in);
  Answer claim(Client& client, FrameReader& in, bool take_over);
  bool must_wait(const Client& client, Request request, FrameReader in) const;
  void let_wait(Client& client, Request request, std::uint64_t number, FrameReader& in);
  void answer_waiting_claims();
  Answer open_lease(Client& client, FrameReader& in);
  std::optional<Error> against_takeover(const Client& client, LeaseId by, const Name& name) const;
  Answer belong(Client& client, FrameReader& in, bool joins);
  std::optional<Error> objection(const Client& client, LeaseId lease) const;
  void lose_leases(Client& client, const std::string& identity);
  void note_given_up(Client& client, LeaseId lease) const;
  Incarnation own_life(const Client& client, const Name& name, FrameReader& in);
  void announce(ByteSpan frame);
  void begin(Client& client);
  Answer follow_all(Client& client, FrameReader& in);
  void announce_within(Client& client, const Name& prefix);
  void announce_end(Client& client);
  Bytes policy_frame() const;
  Answer may_operate(const Client& client, FrameReader& in);
  Answer may(Client& client, Request what, FrameReader& in);
  std::set<LeaseId> moved_leases() const;
  void lose(Client& client);
  void look_for_missing();
  void tidy_soon();
  void remove_gone();
  void send_census(FrameChannel& asker, std::uint64_t number);
  void send_refusals(Client& asker, std::uint64_t number, std::uint64_t after);
  void note_refusals(const Client& client, FrameReader& in);
  // Returns whether each node applies the policy to its own frames.
  bool lets_nodes_refuse() const { return authority_ != nullptr && besides_ == nullptr; }
  // A change of the book is complete: announces the changes, and sets the next alarm.
  void settle();

  struct Opened {
    Time when;
    std::string certified, identity;
    bool lets_take_over = false;  // nodes without a proof of the same owner may take over its names
  };

  FlushQueue& flush_queue_;
  const Clock& clock_;
  Log log_;
  FaultLog faults_;
  Besides* const besides_;
  Authority* const authority_;  // nullptr: everybody may do everything
  std::uint64_t refused_ = 0;   // the refusals that nodes have reported
  MayKeep may_keep_;
  std::function<void(Census&)> count_more_;
  std::string policy_;
  std::uint64_t policy_version_ = no_policy;
  const std::uint32_t latest_generation_;  // the latest that a node may have seen
  detail::Watches watches_;
  std::mutex mutex_;  // watches want one
  detail::Book book_;
  std::map<LeaseId, NodeInfo> nodes_;
  ReturnedNames returned_names_;
  std::map<LeaseId, Opened> opened_;
  std::map<std::string, std::unique_ptr<Client>> clients_;
  std::unique_ptr<net::Alarm> expiry_;
  net::Links* links_ = nullptr;
  std::unique_ptr<net::Alarm> tidy_;
  bool is_untidy_ = false;  // some node is gone, and tidy_ is set
  Interests interests_;
  GroupConfirmations confirmations_;
  Succession succession_;
  std::unique_ptr<net::Alarm> missing_;  // looks for nodes that have not come back
  // A registration request for a new name, held back while earlier holders come back.
  struct WaitingClaim {
    Client* client;
    Request request;
    std::uint64_t number;
    Bytes arguments;
  };
  std::vector<WaitingClaim> waiting_claims_;
};

}  // namespace coracle::society

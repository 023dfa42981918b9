// A node's attachment to one of several directory services: it chooses the service, attaches to it,
// and receives its frames. Everything is on the thread of the links.
#pragma once

#include "candidates.hpp"
#include "node_events.hpp"
#include "service_channel.hpp"

namespace coracle::society {

class NodeConnectivity;
class SharedReplica;
class UnansweredRequests;

class ServiceAttachment final : private Candidates::User {
 public:
  // The references outlive this object.
  ServiceAttachment(NodeConnectivity& connectivity, NodeEvents& events, ServiceChannel& channel,
                    UnansweredRequests& requests, SharedReplica& replica)
      : connectivity_(connectivity),
        events_(events),
        channel_(channel),
        requests_(requests),
        replica_(replica),
        candidates_(connectivity, *this) {}

  // The places where services may be. Candidates::set() begins the search.
  Candidates& candidates() noexcept { return candidates_; }
  // A connection of that link, if any, has failed. If no service was reached so far, that may be
  // the reason.
  void on_fault(const net::Closing& why, const net::Link* link);

 private:
  // --- Candidates::User ---
  void on_use(net::Link* link) override;
  void on_search() override;
  void on_arrived(const net::Arrived& message) override;
  void on_credit() override;
  void on_open(net::Opening how) override;
  void on_lost(const net::Closing&) override {}
  void on_restarted() override {}
  void on_suspected() override {}
  void on_trusted() override {}
  void on_gone(const net::Closing&) override { channel_.is_attached = false; }

  void attach();
  bool read(const net::Arrived& message);
  bool read(FrameReader& in);

  NodeConnectivity& connectivity_;
  NodeEvents& events_;
  ServiceChannel& channel_;
  UnansweredRequests& requests_;
  SharedReplica& replica_;
  Candidates candidates_;
};

}  // namespace coracle::society

// A node's links to the other nodes of its society: one for each, made when it is first needed.
// On each, both say first under which lease they speak, and to which. What comes before the
// directory has told of these waits until it has; what is for an earlier lease is left out.
#pragma once

#include "coracle/links.hpp"
#include "directory_client.hpp"
#include "way.hpp"

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace coracle::distributed {

class Peers final : public Links, public DirectoryClient::NodeEvents {
 public:
  Peers(Station& station, std::uint64_t largest_frame);
  ~Peers();

  // net: a node that has proved its name is to have a link.
  net::SessionEvents* let_in(const net::Greeting& greeting);
  void on_link(net::Link& link);
  // net: says farewell to all.
  void leave();
  bool is_silent() const;

  // --- Links ---
  void bind(LinkUser& user, LeaseId self) override;
  void unbind() noexcept override;
  bool send(LeaseId self, LeaseId to, std::span<const std::byte> frame,
            const Content& content) override;
  bool is_heard() override;
  void refuse(LeaseId peer, std::string_view reason) override;

  // --- NodeEvents ---
  void on_nodes() override;

 private:
  class Peer;
  // Of whom a frame is, and for whom.
  struct Leases {
    LeaseId from = 0;
    LeaseId to = 0;
    bool operator==(const Leases&) const = default;
  };
  // What another worker sends.
  struct Outgoing {
    Leases leases;
    Bytes frame;
    Content content;
  };

  static constexpr std::size_t most_outgoing = 4096;

  Peer& peer(const std::string& node);
  Peer* reach(LeaseId lease);
  bool send_now(const Leases& leases, ByteSpan frame, const Content& content);
  void send_outgoing();
  void tell_gone(LeaseId lease);
  void tidy();

  Station& station_;
  const std::uint64_t largest_frame_;
  LinkUser* user_ = nullptr;
  LeaseId self_ = 0;
  std::unordered_set<LeaseId> earlier_;  // leases of this node
  std::map<std::string, std::unique_ptr<Peer>> peers_;
  std::unordered_map<LeaseId, Peer*> by_lease_;  // to which something was sent
  std::unique_ptr<net::Alarm> tidy_;

  std::mutex mutex_;  // guards what follows
  std::vector<Outgoing> outgoing_;
  std::vector<LeaseId> wanting_;  // senders on other workers wait for room there
};

}  // namespace coracle::distributed

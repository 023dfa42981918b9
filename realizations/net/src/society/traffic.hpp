// What carries the frames of the core between a node and others: what is the same for all ways to
// do it. Frames that other workers send are handed to the thread of the links.
// `net` in a comment means: on that thread.
#pragma once

#include "coracle/links.hpp"
#include "directory_client.hpp"
#include "leases_of.hpp"
#include "way.hpp"

#include <atomic>
#include <mutex>
#include <optional>
#include <unordered_set>
#include <vector>

namespace coracle::society {

class Traffic : public Links, public DirectoryClient::NodeEvents {
 public:
  ~Traffic() override = default;

  // net: a node that has proved its name is to have a link; nullptr when it is not let in.
  virtual net::SessionEvents* let_in(const net::Greeting&) { return nullptr; }
  virtual void on_link(net::Link&) {}
  // net: says farewell to all.
  virtual void leave() {}
  virtual bool is_silent() const { return true; }

  // --- Links ---
  void bind(LinkUser& user, LeaseId self) override;
  void unbind() noexcept override;
  bool send(LeaseId self, LeaseId to, std::span<const std::byte> frame,
            const Content& content) override;
  bool send_apart(LeaseId self, LeaseId to, std::span<const std::byte> frame,
                  const Content& content, const Apart& apart) override;
  bool takes_turns() const noexcept override { return true; }
  void meet(LeaseId self, LeaseId peer) override;

 protected:
  explicit Traffic(Station& station) : station_(station) {}

  // net: sends it, apart or (nullptr) in its order; false when there is no room for more.
  virtual bool send_now(const Leases& leases, ByteSpan frame, const Content& content,
                        const Apart* apart) = 0;
  // net: nothing of what was sent apart waits any more, if that is news.
  void tell_apart_gone(LeaseId to, Way& way) {
    if (!way.is_apart_told()) [[unlikely]]
      look_for_apart_gone(to, way);
  }
  // net: what comes behind is of a node that has forgotten what it had said to that peer.
  virtual void on_met(const Leases&) {}
  // net: the node has another lease.
  virtual void on_bound() = 0;
  // The largest frame that the node takes; what is behind the head of a larger one is thrown away.
  std::uint64_t largest_taken() const noexcept {
    return (user_ != nullptr ? user_->content_limit() : max_content_bytes) + largest_piece;
  }
  // Whether nothing of other workers waits.
  bool is_handed_over();
  // net: whether the other side has acknowledged all that was said by that link; else asks it to.
  static bool is_acknowledged(net::Link& link);

  Station& station_;
  LinkUser* user_ = nullptr;
  LeaseId self_ = 0;
  std::unordered_set<LeaseId> earlier_;  // leases of this node

 private:
  // What another worker sends; without a frame, that it meets that peer.
  struct Outgoing {
    Leases leases;
    Bytes frame;
    Content content;
    std::optional<Apart> apart = {};
  };

  static constexpr std::size_t most_outgoing = 4096;

  bool pass(const Leases& leases, ByteSpan frame, const Content& content, const Apart* apart);
  void look_for_apart_gone(LeaseId to, Way& way);
  std::size_t add(Outgoing outgoing);
  void send_outgoing();

  std::mutex mutex_;  // guards what follows
  std::vector<Outgoing> outgoing_;
  std::atomic<bool> has_outgoing_{false};
  std::vector<LeaseId> wanting_;  // senders on other workers wait for room there
};

}  // namespace coracle::society

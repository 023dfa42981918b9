// The connectivity of a node: its links, its view of the directory, and the thread on which
// everything of them happens.
#pragma once

#include "fault_log.hpp"
#include "realizations/net/src/link.hpp"
#include "realizations/net/src/society/directory/directory_client.hpp"
#include "realizations/net/src/society/frames/frame_channel.hpp"
#include "realizations/net/src/society/frames/frame_transport.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace coracle::society {

class NodeConnectivity final : private net::LinksEvents {
 public:
  // The surroundings of the connectivity. The references outlive it.
  struct Environment {
    net::Network& network;
    net::Alarms& alarms;
    const Clock& clock;
    Random& random;
    // Runs a function on the thread of the links, soon; may be called from any thread.
    std::function<void(std::function<void()>)> post;
    // The node has ended: sends a farewell to all.
    std::function<void()> end;
    // Called before the search for a service; may be empty.
    std::function<void()> look;
    // The service that is used has reported an older one; may be empty.
    std::function<void(const DirectoryReport&)> on_older{};
    // The kind of the service by which nodes find each other, for error texts.
    std::string service;
    // Makes the transport for the frames of the core.
    std::function<std::unique_ptr<FrameTransport>(NodeConnectivity&)> frame_transport;
    Log log;
    // Returns whether the caller is on the thread of the links; empty: that is the thread of
    // settle_here().
    std::function<bool()> is_here;
    // The maximum bytes of small frames in one frame batch.
    std::size_t batch_bytes = batch_limit;
    // True if nodes without a proof of the same owner may take over names of this node.
    bool lets_take_over = false;
  };

  NodeConnectivity(Environment environment, net::Identity self, net::LinkOptions options,
                   const std::vector<net::Endpoint>& listen_at);

  // net: begins to look for the directory at these endpoints.
  void begin(const std::vector<net::Endpoint>& services) {
    directory_.attachment().candidates().set(services);
  }
  void before_look() {
    if (environment_.look) environment_.look();
  }
  void on_older(const DirectoryReport& older) {
    if (environment_.on_older) environment_.on_older(older);
  }
  // net: the node has ended.
  void end() noexcept { environment_.end(); }
  // net: sends a farewell to everybody.
  void leave();
  // net: returns whether no link has a connection any more.
  bool is_silent() {
    return frame_transport_->is_silent() && directory_.attachment().candidates().is_silent();
  }
  // net: sends everything that is queued.
  void flush() { flush_queue_.flush(); }

  // From now on the calling thread is that of the links.
  void settle_here() noexcept {
    here_.store(std::this_thread::get_id(), std::memory_order_relaxed);
  }
  bool is_here() const noexcept {
    if (environment_.is_here) return environment_.is_here();
    return here_.load(std::memory_order_relaxed) == std::this_thread::get_id();
  }
  // Runs `what` on that thread: at once if the caller is on it.
  void run(std::function<void()> what);
  // Runs `what` on that thread, and not within this call.
  void soon(std::function<void()> what) { environment_.post(std::move(what)); }

  DirectoryClient& directory() noexcept { return directory_; }
  FrameTransport& frame_transport() noexcept { return *frame_transport_; }
  const std::string& service() const noexcept { return environment_.service; }
  net::Links& links() noexcept { return links_; }
  net::Alarms& alarms() noexcept { return environment_.alarms; }
  const Clock& clock() const noexcept { return environment_.clock; }
  const Log& log() const noexcept { return environment_.log; }
  bool lets_take_over() const noexcept { return environment_.lets_take_over; }
  FlushQueue& flush_queue() noexcept { return flush_queue_; }

 private:
  net::SessionEvents* on_peer(const net::Greeting& peer) override {
    return frame_transport_->let_in(peer);
  }
  void on_link(net::Link& link) override { frame_transport_->on_link(link); }
  void on_fault(const std::string& peer, const net::Closing& why, const net::Link* link) override;

  Environment environment_;
  FaultLog faults_;
  std::atomic<std::thread::id> here_{};
  FlushQueue flush_queue_;
  net::Links links_;
  const std::unique_ptr<FrameTransport> frame_transport_;
  DirectoryClient directory_;
};

}  // namespace coracle::society

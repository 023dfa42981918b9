// A node's place among others: its links, the directory as it sees it, and the thread on which all
// of that happens.
#pragma once

#include "directory_client.hpp"
#include "fault_log.hpp"
#include "realizations/net/src/link.hpp"
#include "traffic.hpp"
#include "way.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace coracle::society {

class Station final : private net::LinksEvents {
 public:
  // What it is made of. The references outlive it.
  struct Parts {
    net::Network& network;
    net::Alarms& alarms;
    const Clock& clock;
    Random& random;
    // Has something done on the thread of the links, soon; from any thread.
    std::function<void(std::function<void()>)> post;
    // The node needs nothing any more: says farewell to all.
    std::function<void()> end;
    // Called before a service is looked for; may be empty.
    std::function<void()> look;
    // The service that is used knows of an older one; may be empty.
    std::function<void(const HeardOf&)> heard{};
    // What the service is called by which nodes find each other.
    std::string service;
    // Makes what carries the frames of the core.
    std::function<std::unique_ptr<Traffic>(Station&)> traffic;
    Log log;
    // Whether whoever calls is on the thread of the links; empty: that is the one of settle_here().
    std::function<bool()> is_here;
    // Of small frames so many bytes go together.
    std::size_t together = most_together;
    // Whether nodes that nothing proves to be its owner's may take over what it holds.
    bool lets_take_over = false;
  };

  Station(Parts parts, net::Identity self, net::LinkOptions options,
          const std::vector<net::Endpoint>& listen_at);

  // net: begins to look for the directory, at these places.
  void begin(const std::vector<net::Endpoint>& services) { directory_.look_at(services); }
  void before_look() {
    if (parts_.look) parts_.look();
  }
  void heard_of(const HeardOf& older) {
    if (parts_.heard) parts_.heard(older);
  }
  // net: the node has ended.
  void end() noexcept { parts_.end(); }
  // net: says farewell to everybody.
  void leave();
  // net: whether no link has a connection any more.
  bool is_silent() const { return traffic_->is_silent() && directory_.is_silent(); }
  // net: lets go out what was sent.
  void flush() { turn_.flush(); }

  // The calling thread is that of the links, from now on.
  void settle_here() noexcept {
    here_.store(std::this_thread::get_id(), std::memory_order_relaxed);
  }
  bool is_here() const noexcept {
    if (parts_.is_here) return parts_.is_here();
    return here_.load(std::memory_order_relaxed) == std::this_thread::get_id();
  }
  // Does `what` on that thread: at once if this is it.
  void run(std::function<void()> what);
  // Does `what` on that thread, and not within this call.
  void soon(std::function<void()> what) { parts_.post(std::move(what)); }

  DirectoryClient& directory() noexcept { return directory_; }
  Traffic& traffic() noexcept { return *traffic_; }
  const std::string& service() const noexcept { return parts_.service; }
  net::Links& links() noexcept { return links_; }
  net::Alarms& alarms() noexcept { return parts_.alarms; }
  const Clock& clock() const noexcept { return parts_.clock; }
  const Log& log() const noexcept { return parts_.log; }
  bool lets_take_over() const noexcept { return parts_.lets_take_over; }
  Turn& turn() noexcept { return turn_; }

 private:
  net::SessionEvents* on_peer(const net::Greeting& peer) override { return traffic_->let_in(peer); }
  void on_link(net::Link& link) override { traffic_->on_link(link); }
  void on_fault(const std::string& peer, const net::Closing& why, const net::Link* link) override;

  Parts parts_;
  FaultLog faults_;
  std::atomic<std::thread::id> here_{};
  Turn turn_;
  net::Links links_;
  const std::unique_ptr<Traffic> traffic_;
  DirectoryClient directory_;
};

}  // namespace coracle::society

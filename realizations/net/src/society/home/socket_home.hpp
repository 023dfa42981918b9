// A node over sockets: its connectivity, and the reactor in which the node's first worker waits.
#pragma once

#include "connectivity.hpp"
#include "coracle/reactor.hpp"
#include "coracle/realization.hpp"
#include "realizations/net/src/asio/alarms.hpp"
#include "realizations/net/src/asio/asio_network.hpp"
#include "realizations/net/src/asio/busy_poller.hpp"
#include "realizations/net/src/asio/doorway.hpp"
#include "realizations/net/src/society/beacon/beacon_socket.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coracle::society {

// The settings of a node.
struct HomeSettings {
  net::Identity self;
  net::AsioOptions sockets;
  // Connects to a service of this process, instead of by sockets; it outlives the node.
  const net::Doorway* doorway = nullptr;
  net::LinkOptions links;
  // The endpoints of the service, and its kind.
  std::vector<net::Endpoint> services;
  std::string service;
  // The endpoints at which other nodes may connect.
  std::vector<net::Endpoint> listen_at;
  // As in NodeConnectivity::Environment.
  std::function<std::unique_ptr<FrameTransport>(NodeConnectivity&)> frame_transport;
  std::function<void()> look;
  bool lets_take_over = false;
  // A beacon as a further way to find services; `services` may be empty then.
  std::optional<BeaconSeeker::Settings> beacon;
};

class SocketHome final : public Reactor {
 public:
  explicit SocketHome(HomeSettings settings);
  ~SocketHome() override;

  NodeConnectivity& connectivity() noexcept { return connectivity_; }

  // --- Reactor ---
  bool poll() override;
  void wait(Duration longest) override;
  void wake() override;
  void flush() override;
  int descriptor() const noexcept override { return descriptor_; }
  bool settle() override;

 private:
  NodeConnectivity::Environment environment();
  void end() noexcept;
  void look();

  HomeSettings settings_;
  boost::asio::io_context context_{1};
  const int descriptor_ = net::descriptor_of(context_);
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_ =
      boost::asio::make_work_guard(context_);
  const std::unique_ptr<net::Network> network_;
  net::BusyPoller busy_poller_{context_, *network_};
  const std::unique_ptr<net::Alarms> alarms_;
  NodeConnectivity connectivity_;
  std::unique_ptr<BeaconSeeker> seeker_;
  bool begun_ = false;
};

// The parts of a realization whose node is at `home`. The caller must still set its name.
Realization realization_at(std::shared_ptr<SocketHome> home, std::shared_ptr<Clock> clock);

}  // namespace coracle::society

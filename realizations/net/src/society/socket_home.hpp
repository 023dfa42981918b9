// A node over sockets: its station, and the reactor in which the node's first worker waits.
#pragma once

#include "beacon_socket.hpp"
#include "coracle/reactor.hpp"
#include "coracle/realization.hpp"
#include "realizations/net/src/asio/alarms.hpp"
#include "realizations/net/src/asio/doorway.hpp"
#include "realizations/net/src/asio/lookout.hpp"
#include "realizations/net/src/asio/network.hpp"
#include "station.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coracle::society {

// What a node is to be.
struct HomeSettings {
  net::Identity self;
  net::AsioOptions sockets;
  // Into a service of this process, instead of by sockets; it outlives the node.
  const net::Doorway* doorway = nullptr;
  net::LinkOptions links;
  // Where the service is, and what it is called.
  std::vector<net::Endpoint> services;
  std::string service;
  // Where other nodes may connect.
  std::vector<net::Endpoint> listen_at;
  // As Station::Parts has them.
  std::function<std::unique_ptr<Traffic>(Station&)> traffic;
  std::function<void()> look;
  bool lets_take_over = false;
  // How services are found besides; `services` may be empty then.
  std::optional<BeaconSeeker::Settings> beacon;
};

class SocketHome final : public Reactor {
 public:
  explicit SocketHome(HomeSettings settings);
  ~SocketHome() override;

  Station& station() noexcept { return station_; }

  // --- Reactor ---
  bool poll() override;
  void wait(Duration longest) override;
  void wake() override;
  void flush() override;

 private:
  Station::Parts parts();
  void end() noexcept;
  void look();

  HomeSettings settings_;
  boost::asio::io_context context_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_ =
      boost::asio::make_work_guard(context_);
  const std::unique_ptr<net::Network> network_;
  net::Lookout lookout_{context_, *network_};
  const std::unique_ptr<net::Alarms> alarms_;
  Station station_;
  std::unique_ptr<BeaconSeeker> seeker_;
  bool begun_ = false;
};

// The parts of a realization whose node is at `home`. Its name is still to be set.
Realization realization_at(std::shared_ptr<SocketHome> home, std::shared_ptr<Clock> clock);

}  // namespace coracle::society

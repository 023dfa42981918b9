// A node of a Distributed society over sockets: its station, and the reactor in which the node's
// first worker waits.
#pragma once

#include "carried.hpp"
#include "coracle/reactor.hpp"
#include "realizations/net/src/asio/alarms.hpp"
#include "realizations/net/src/asio/network.hpp"
#include "station.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <memory>

namespace coracle::distributed {

class SocketHome final : public Reactor {
 public:
  // `carried` serves the society's directory if nobody else does; it may be nullptr.
  SocketHome(const Options& options, net::Identity self, std::vector<net::Endpoint> services,
             const std::vector<net::Endpoint>& listen_at, std::unique_ptr<Carried> carried);
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

  boost::asio::io_context context_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_ =
      boost::asio::make_work_guard(context_);
  const std::unique_ptr<net::Network> network_;
  const std::unique_ptr<net::Alarms> alarms_;
  const std::unique_ptr<Carried> carried_;
  Station station_;
  std::vector<net::Endpoint> services_;
  bool begun_ = false;
};

}  // namespace coracle::distributed

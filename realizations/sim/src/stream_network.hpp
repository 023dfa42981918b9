// Carries bytes between the hosts of a World: the simulated network of realizations/net, in the
// world's time and with its faults. Programs that use connections run on it as they do on sockets.
#pragma once

#include "core.hpp"
#include "realizations/net/src/simulated/alarms.hpp"
#include "realizations/net/src/simulated/simulated_network.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace coracle::sim::detail {

class StreamNetwork final : public Driven {
 public:
  explicit StreamNetwork(Core& core);

  net::SimNetwork& network() noexcept { return network_; }
  net::EventQueue& events() noexcept { return events_; }

  // --- faults; see World ---
  void cut(unsigned from, unsigned to, bool is_cut);
  void reset(unsigned host, unsigned other) { network_.reset_connections(host, other); }
  void pause(unsigned host, Duration span);
  void crash(unsigned host) { network_.crash(host, net::Crash::power); }

  // --- Driven: one part, which does what is due next ---
  unsigned parts() const noexcept override { return 1; }
  bool ready(unsigned) override { return events_.next_event_time() <= core_.now(); }
  Time alarm(unsigned) override { return events_.next_event_time(); }
  void add_ready(std::vector<unsigned>& numbers) override {
    if (ready(0)) numbers.push_back(0);
  }
  bool only_renews() override { return events_.next_event_time() == Time::max(); }
  void step(unsigned) override { events_.run_one(); }
  std::string waits() override { return {}; }

 private:
  friend class Program;

  // The state of a host.
  struct Host {
    bool has_program = false;
    bool performs_itself = false;  // so it rests whenever its node rests
    Time rests_until{};
  };

  Core& core_;
  Dice dice_;  // its own randomness, so that it does not change worlds that do not use it
  net::EventQueue events_;
  net::SimNetwork network_;
  std::vector<Host> hosts_;
};

// A program on a host that uses connections, until it ends or the host loses its power.
class Program {
 public:
  // Performs, soon, an event of a program.
  using Perform = std::function<void(std::function<void()> what)>;

  // `perform` is the program's own way to perform events; without it they are performed when they
  // happen. Fails with Errc::bad_realization when there is no such host, or when it has a program.
  Program(World& world, unsigned host, Perform perform = {});
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // The program's network; the endpoints of its host are sim://node3:PORT.
  net::Network& network() noexcept { return network_; }
  net::Alarms& alarms() noexcept { return *alarms_; }
  const Clock& clock() const noexcept { return core_->clock(); }
  Random& random() noexcept { return dice_; }
  // The number of programs that this host had before this one.
  std::uint64_t life() const noexcept { return life_; }
  bool has_power() const;
  // Writes a line into the world's trace.
  void note(std::string_view line) noexcept { core_->note("wire", line); }
  // Makes the program perform `what` soon, if the host has power then.
  void tell(std::function<void()> what);

 private:
  const std::shared_ptr<Core> core_;
  StreamNetwork& streams_;
  const unsigned host_;
  net::Network& network_;
  const std::uint64_t life_;
  Dice dice_;
  const std::unique_ptr<net::Alarms> alarms_;
};

}  // namespace coracle::sim::detail

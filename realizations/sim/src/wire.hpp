// Bytes between the hosts of a World: the simulated network of realizations/net, in the world's
// time and with its faults. Programs that speak over connections run on it as they do over sockets.
#pragma once

#include "core.hpp"
#include "realizations/net/src/sim/alarms.hpp"
#include "realizations/net/src/sim/network.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace coracle::sim::detail {

class Wire final : public Driven {
 public:
  explicit Wire(Core& core);

  net::SimNetwork& network() noexcept { return network_; }
  net::EventQueue& events() noexcept { return events_; }

  // --- what befalls it; see World ---
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

  // What is on a host.
  struct Host {
    bool has_program = false;
    bool performs_itself = false;  // so it rests whenever its node does
    Time rests_until{};
  };

  Core& core_;
  Dice dice_;  // of its own, so that other worlds are as they were without it
  net::EventQueue events_;
  net::SimNetwork network_;
  std::vector<Host> hosts_;
};

// Something on a host that speaks over connections, until it ends or the host loses its power.
class Program {
 public:
  // Does, soon, what happens to a program.
  using Perform = std::function<void(std::function<void()> what)>;

  // `perform` is the program's own way to get things done; without one they are done when they
  // happen. Fails with Errc::bad_realization when there is no such host, or it has a program.
  Program(World& world, unsigned host, Perform perform = {});
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // What it is given; the endpoints of its host are sim://node3:PORT.
  net::Network& network() noexcept { return network_; }
  net::Alarms& alarms() noexcept { return *alarms_; }
  const Clock& clock() const noexcept { return core_->clock(); }
  Random& random() noexcept { return dice_; }
  // How many there were on this host before it.
  std::uint64_t life() const noexcept { return life_; }
  bool has_power() const;
  // Writes a line into the world's trace.
  void note(std::string_view line) noexcept { core_->note("wire", line); }
  // Has something done by the program, soon, if the host has power then.
  void tell(std::function<void()> what);

 private:
  const std::shared_ptr<Core> core_;
  Wire& wire_;
  const unsigned host_;
  net::Network& network_;
  const std::uint64_t life_;
  Dice dice_;
  const std::unique_ptr<net::Alarms> alarms_;
};

}  // namespace coracle::sim::detail

// The inside of a World: the driver of its nodes, its clock, and its trace.
#pragma once

#include "coracle/realizations/sim.hpp"
#include "dice.hpp"
#include "driven_nodes.hpp"
#include "trace.hpp"

#include <map>

namespace coracle::sim::detail {

// Is notified of every step of a world.
class Witness {
 public:
  // These functions are those of Driver.
  virtual void offers(std::span<void* const> tasks) noexcept = 0;
  virtual void touches(std::string_view name) noexcept = 0;
  virtual void rests(std::string_view agent) noexcept = 0;
  virtual void touches_all() noexcept = 0;
  // Like touches(), but steps that only look are independent of each other.
  virtual void looks_at(std::string_view name) noexcept = 0;
  // A step has ended.
  virtual void step_over() noexcept = 0;

 protected:
  ~Witness() = default;
};

class Core final : public Driver {
 public:
  Core(Options options, std::unique_ptr<Chooser> chooser);
  ~Core() override;

  unsigned workers() const noexcept override { return options_.workers; }
  void drive(Driven& node) override { drive(node, 0); }
  void release(Driven& node) noexcept override;
  std::size_t choose(Choice what, std::size_t count) noexcept override;
  void offers(std::span<void* const> tasks) noexcept override;
  void touches(std::string_view name) noexcept override;
  void rests(std::string_view agent) noexcept override;
  void touches_all() noexcept override;
  void looks_at(std::string_view name) noexcept;
  void note(std::string_view who, std::string_view what) noexcept override;
  bool run_until(const std::function<bool()>& done, Time until, std::string_view wanted) override;
  std::string how_to_repeat() const override;

  // `witness` lives as long as the world is run.
  void show_to(Witness& witness) noexcept { witness_ = &witness; }
  // The network between the nodes, and the directory that they share; made on first use.
  class Network& network();
  std::shared_ptr<Directory> directory();
  class Disks& disks();
  // The network between programs on hosts; made on first use. streams_if_any() returns nullptr
  // before that.
  class StreamNetwork& streams();
  StreamNetwork* streams_if_any() noexcept { return streams_.get(); }
  void pause(unsigned host, Duration span);
  // Nothing on the host has an effect any more.
  void power_off(unsigned host);
  void drive(Driven& node, unsigned host);
  DrivenNodes& driven() noexcept { return driven_; }

  const Options& options() const noexcept { return options_; }
  Clock& clock() noexcept { return clock_; }
  Random& random() noexcept { return random_; }
  Time now() const noexcept { return clock_.present; }
  void jump(Duration forward);
  void at(Time when, std::function<void()> act) { plans_.emplace(when, std::move(act)); }
  const Trace& trace() const noexcept { return trace_; }
  const std::vector<unsigned>& choices() const noexcept { return choices_; }
  std::uint64_t things() const noexcept { return things_; }

 private:
  struct WorldClock final : Clock {
    Time now() const override { return present; }
    Time present{std::chrono::seconds(1)};
  };

  bool do_something(Time until, bool only_renewals_count);
  void do_part(const std::vector<DrivenNodes::Part>& ready);
  Time next_alarm(bool only_renewals_count);
  bool time_passes();
  bool do_what_is_planned();
  [[noreturn]] void stuck(std::string_view wanted);

  const Options options_;
  const std::unique_ptr<Chooser> chooser_;
  Dice random_;
  WorldClock clock_;
  DrivenNodes driven_;
  std::multimap<Time, std::function<void()>> plans_;  // planned actions by time
  std::shared_ptr<Directory> directory_;
  std::unique_ptr<Network> network_;
  std::unique_ptr<Disks> disks_;
  std::unique_ptr<StreamNetwork> streams_;
  unsigned nodes_made_ = 0;
  Witness* witness_ = nullptr;
  int acting_ = -1;  // the part that takes a step at this moment
  bool running_ = false;
  std::uint64_t things_ = 0;
  std::uint64_t things_limit_;

  Trace trace_;
  std::vector<unsigned> choices_;
};

// Returns parts that work like `parts` and write what they do into the trace.
Realization traced(Realization parts, const std::shared_ptr<Core>& core);

}  // namespace coracle::sim::detail

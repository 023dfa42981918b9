#include "core.hpp"

#include "disks.hpp"
#include "frame_network.hpp"
#include "stream_network.hpp"

#include <algorithm>
#include <utility>

namespace coracle::sim::detail {

namespace {

// The step limit for stopping a node, after its society has been found to be endless.
constexpr std::uint64_t things_to_stop = 10'000'000;

[[noreturn]] void refuse(const std::string& sentence) { throw Error(Errc::bad_options, sentence); }

Options checked(Options options) {
  if (options.nodes == 0 || options.nodes > 256) {
    refuse("sim::Options::nodes is " + std::to_string(options.nodes) + "; give 1 to 256");
  }
  if (options.delay_least < Duration::zero() || options.delay_most < options.delay_least) {
    refuse(
        "sim::Options::delay_least and delay_most are no delays; give 0 or more, the least first");
  }
  if (options.workers > 256) {
    refuse("sim::Options::workers is " + std::to_string(options.workers) + "; give 0 to 256");
  }
  if (options.turn < Duration::zero()) refuse("sim::Options::turn is negative; give 0 or more");
  check(options.disk);
  if (options.things_limit == 0) refuse("sim::Options::things_limit is 0; give at least 1");
  return options;
}

}  // namespace

Core::Core(Options options, std::unique_ptr<Chooser> chooser)
    : options_(checked(std::move(options))),
      chooser_(std::move(chooser)),
      random_(~options_.seed),
      things_limit_(options_.things_limit),
      trace_(options_.record) {}

Core::~Core() = default;

void Core::drive(Driven& node, unsigned host) {
  if (options_.nodes == 1 && nodes_made_ == 1) {
    throw Error(Errc::bad_realization,
                "a simulated world serves one node; raise sim::Options::nodes, or make another "
                "World for the second node");
  }
  ++nodes_made_;
  driven_.add(node, host);
}

void Core::release(Driven& node) noexcept { driven_.remove(node); }

Network& Core::network() {
  if (!network_) {
    network_ = std::make_unique<Network>(*this);
    driven_.add(*network_, DrivenNodes::no_host);
  }
  return *network_;
}

Disks& Core::disks() {
  if (!disks_) disks_ = std::make_unique<Disks>(*this);
  return *disks_;
}

StreamNetwork& Core::streams() {
  if (!streams_) {
    streams_ = std::make_unique<StreamNetwork>(*this);
    driven_.add(*streams_, DrivenNodes::no_host);
  }
  return *streams_;
}

std::shared_ptr<Directory> Core::directory() {
  if (!directory_) directory_ = local_directory(clock_, 1, options_.directory);
  return directory_;
}

void Core::pause(unsigned host, Duration span) {
  note({}, "host " + std::to_string(host) + " pauses");
  if (streams_) streams_->pause(host, span);
  driven_.pause(host, clock_.present + span);
}

void Core::power_off(unsigned host) {
  network().power_off(host);
  if (streams_) streams_->crash(host);
  driven_.freeze(host);
}

void Core::note(std::string_view who, std::string_view what) noexcept {
  trace_.begin(clock_.present, acting_, who);
  trace_.write(what);
  trace_.write("\n");
}

std::size_t Core::choose(Choice what, std::size_t count) noexcept {
  // When time may pass at any moment, it passes so that the alarm can ring.
  if (options_.slow && what == Choice::alarms && acting_ >= 0) return 1;
  const std::size_t choice = chooser_->choose(what, count);
  if (options_.record) choices_.push_back(static_cast<unsigned>(choice));
  trace_.begin(clock_.present, acting_, {});
  trace_.write(to_string(what));
  trace_.write(" ");
  trace_.write(choice);
  trace_.write("/");
  trace_.write(count);
  trace_.write("\n");
  return choice;
}

bool Core::do_what_is_planned() {
  if (plans_.empty() || plans_.begin()->first > clock_.present) return false;
  const auto plan = plans_.extract(plans_.begin());
  plan.mapped()();
  return true;
}

// Makes one of the ready parts take a step.
void Core::do_part(const std::vector<DrivenNodes::Part>& ready) {
  const std::size_t which = ready.size() < 2 ? 0 : choose(Choice::part, ready.size());
  const DrivenNodes::Part part = ready[which];
  driven_.note_step(part);
  acting_ = static_cast<int>(part.place);
  // Only for the tasks of one worker is it known what they touch.
  if (nodes_made_ > 1 || part.node->parts() > 2 || part.number != 0) touches_all();
  part.node->step(part.number);
  acting_ = -1;
  clock_.present += options_.turn;
}

// The time of the next event when no part is ready; Time::max() if there is none.
Time Core::next_alarm(bool only_renewals_count) {
  const DrivenNodes::Alarm next = driven_.next_alarm(clock_.present);
  if (!plans_.empty()) return std::min(next.when, plans_.begin()->first);
  return next.only_renews && !only_renewals_count ? Time::max() : next.when;
}

// Decides whether every part is so slow that the next alarm comes first.
bool Core::time_passes() {
  if (!options_.slow) return false;
  const Time next = next_alarm(false);
  if (next == Time::max() || next <= clock_.present) return false;
  if (choose(Choice::alarms, 2) == 0) return false;
  clock_.present = next;
  return true;
}

bool Core::do_something(Time until, bool only_renewals_count) {
  if (do_what_is_planned()) {
    touches_all();
    return true;
  }
  if (const auto& ready = driven_.find_ready(clock_.present); !ready.empty()) {
    if (!time_passes()) {
      do_part(ready);
    } else {
      touches_all();
    }
    return true;
  }
  const Time next = next_alarm(only_renewals_count);
  if (next > until || next == Time::max()) return false;
  clock_.present = std::max(clock_.present, next);
  touches_all();
  return true;
}

void Core::offers(std::span<void* const> tasks) noexcept {
  if (witness_ != nullptr) witness_->offers(tasks);
}

void Core::touches(std::string_view name) noexcept {
  if (witness_ != nullptr) witness_->touches(name);
}

void Core::looks_at(std::string_view name) noexcept {
  if (witness_ != nullptr) witness_->looks_at(name);
}

void Core::rests(std::string_view agent) noexcept {
  if (witness_ != nullptr) witness_->rests(agent);
}

void Core::touches_all() noexcept {
  if (witness_ != nullptr) witness_->touches_all();
}

bool Core::run_until(const std::function<bool()>& done, Time until, std::string_view wanted) {
  if (running_) {
    throw Error(Errc::wrong_thread,
                "a simulated world was run from within itself; an agent waits "
                "with its own operations, such as pause()");
  }
  struct Running {
    explicit Running(bool& which) : flag(which) { flag = true; }
    ~Running() { flag = false; }
    bool& flag;
  } running(running_);
  const bool endless = until == Time::max();
  for (;;) {
    // An observation from outside may depend on everything.
    if (done()) return touches_all(), true;
    if (clock_.present >= until) return touches_all(), false;
    if (witness_ != nullptr) witness_->step_over();
    if (++things_ > things_limit_) {
      things_limit_ = things_ + things_to_stop;
      throw Error(Errc::limit_reached,
                  "the simulated society did " + std::to_string(options_.things_limit) +
                      " things without an end (" + how_to_repeat() +
                      "); look for a task that polls, or raise sim::Options::things_limit");
    }
    if (do_something(until, !endless)) {
      if (options_.halt && options_.halt()) {
        throw Error(Errc::cancelled, "the simulated world was halted, as the program requested");
      }
      continue;
    }
    if (endless) stuck(wanted);
    clock_.present = until;
  }
}

void Core::stuck(std::string_view wanted) {
  std::string sentence = "the simulation is stuck: nothing can happen any more, and " +
                         std::string(wanted) + " has not come (" + how_to_repeat() +
                         "). Have somebody send, or give a wait a deadline.";
  throw Error(Errc::deadlock, sentence + driven_.waits());
}

std::string Core::how_to_repeat() const {
  return "seed " + std::to_string(options_.seed) +
         "; repeat it with CORACLE_SEED=" + std::to_string(options_.seed);
}

void Core::jump(Duration forward) {
  if (forward < Duration::zero()) {
    refuse("World::jump() was asked to go back in time; a clock never does, so give 0 or more");
  }
  clock_.present += forward;
  note({}, "the clock jumps");
}

}  // namespace coracle::sim::detail

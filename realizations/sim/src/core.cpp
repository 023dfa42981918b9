#include "core.hpp"

#include "disks.hpp"
#include "frame_network.hpp"
#include "wire.hpp"

#include <algorithm>
#include <charconv>
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
      things_limit_(options_.things_limit) {}

Core::~Core() = default;

void Core::drive(Driven& node, unsigned host) {
  if (options_.nodes == 1 && nodes_made_ == 1) {
    throw Error(Errc::bad_realization,
                "a simulated world serves one node; raise sim::Options::nodes, or make another "
                "World for the second node");
  }
  ++nodes_made_;
  nodes_.push_back({&node, host});
}

void Core::release(Driven& node) noexcept {
  std::erase_if(nodes_, [&node](const Driving& each) { return each.node == &node; });
}

Network& Core::network() {
  if (!network_) {
    network_ = std::make_unique<Network>(*this);
    nodes_.push_back({network_.get(), no_host});
  }
  return *network_;
}

Disks& Core::disks() {
  if (!disks_) disks_ = std::make_unique<Disks>(*this);
  return *disks_;
}

Wire& Core::wire() {
  if (!wire_) {
    wire_ = std::make_unique<Wire>(*this);
    nodes_.push_back({wire_.get(), no_host});
  }
  return *wire_;
}

std::shared_ptr<Directory> Core::directory() {
  if (!directory_) directory_ = local_directory(clock_, 1, options_.directory);
  return directory_;
}

void Core::pause(unsigned host, Duration span) {
  note({}, "host " + std::to_string(host) + " pauses");
  if (wire_) wire_->pause(host, span);
  for (Driving& each : nodes_) {
    if (each.host != host || each.rests_until == frozen) continue;
    each.rests_until = clock_.present + span;
  }
}

void Core::occupy(unsigned host, Duration span) noexcept {
  for (Driving& each : nodes_) {
    if (each.host != host || each.rests_until == frozen) continue;
    each.rests_until = std::max(each.rests_until, clock_.present) + span;
  }
}

void Core::freeze(unsigned host) noexcept {
  for (Driving& each : nodes_) {
    if (each.host == host) each.rests_until = frozen;
  }
}

void Core::power_off(unsigned host) {
  network().power_off(host);
  if (wire_) wire_->crash(host);
  freeze(host);
}

void Core::thaw(Driven* node) noexcept {
  for (Driving& each : nodes_) {
    if (each.node == node && each.rests_until == frozen) each.rests_until = Time();
  }
}

void Core::write(std::string_view text) noexcept {
  std::uint64_t hash = hash_;
  for (const char letter : text) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  }
  hash_ = hash;
  if (options_.record) trace_ += text;
}

void Core::write(std::uint64_t number) noexcept {
  char digits[20];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number);
  write(std::string_view(digits, end));
}

// Writes the time, the worker and the agent.
void Core::begin_note(std::string_view who) noexcept {
  write(static_cast<std::uint64_t>(clock_.present.time_since_epoch().count()));
  write(acting_ < 0 ? " - " : " w");
  if (acting_ >= 0) {
    write(static_cast<std::uint64_t>(acting_));
    write(" ");
  }
  write(who.empty() ? "-" : who);
  write(" ");
}

void Core::note(std::string_view who, std::string_view what) noexcept {
  begin_note(who);
  write(what);
  write("\n");
}

std::size_t Core::choose(Choice what, std::size_t count) noexcept {
  // When time may pass at any moment, it passes so that the alarm can ring.
  if (options_.slow && what == Choice::alarms && acting_ >= 0) return 1;
  const std::size_t choice = chooser_->choose(what, count);
  if (options_.record) choices_.push_back(static_cast<unsigned>(choice));
  begin_note({});
  write(to_string(what));
  write(" ");
  write(choice);
  write("/");
  write(count);
  write("\n");
  return choice;
}

// Finds all parts that can take a step, beginning after the part that took the last one.
bool Core::find_ready() {
  ready_.clear();
  std::size_t after_last = 0;
  unsigned first = 0;
  for (const Driving& each : nodes_) {
    numbers_.clear();
    if (each.rests_until <= clock_.present) each.node->add_ready(numbers_);
    for (const unsigned number : numbers_) {
      if (first + number <= last_part_) ++after_last;
      ready_.push_back({each.node, number, first + number});
    }
    first += each.node->parts();
  }
  std::rotate(ready_.begin(), ready_.begin() + static_cast<std::ptrdiff_t>(after_last),
              ready_.end());
  return !ready_.empty();
}

bool Core::do_what_is_planned() {
  if (plans_.empty() || plans_.begin()->first > clock_.present) return false;
  const auto plan = plans_.extract(plans_.begin());
  plan.mapped()();
  return true;
}

// Makes one of the ready parts take a step.
void Core::do_part() {
  const std::size_t which = ready_.size() < 2 ? 0 : choose(Choice::part, ready_.size());
  const Part part = ready_[which];
  last_part_ = part.place;
  acting_ = static_cast<int>(part.place);
  // Only for the tasks of one worker is it known what they touch.
  if (nodes_made_ > 1 || part.node->parts() > 2 || part.number != 0) touches_all();
  part.node->step(part.number);
  acting_ = -1;
  clock_.present += options_.turn;
}

// The time of the next event when no part is ready; Time::max() if there is none.
Time Core::next_alarm(bool only_renewals_count) {
  Time next = plans_.empty() ? Time::max() : plans_.begin()->first;
  bool only_renews = plans_.empty();
  for (const Driving& each : nodes_) {
    const Time rest = each.rests_until;
    if (rest == frozen) continue;
    numbers_.clear();
    if (rest > clock_.present) each.node->add_ready(numbers_);
    if (!numbers_.empty()) {  // it goes on after its rest
      next = std::min(next, rest);
      only_renews = false;
    }
    next = std::min(next, std::max(each.node->next_alarm(), rest));
    only_renews = only_renews && each.node->only_renews();
  }
  return only_renews && !only_renewals_count ? Time::max() : next;
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
  if (find_ready()) {
    if (!time_passes()) {
      do_part();
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
  throw Error(Errc::deadlock, sentence + waits());
}

std::string Core::waits() const {
  std::string lines;
  for (const Driving& each : nodes_) lines += each.node->waits();
  return lines;
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

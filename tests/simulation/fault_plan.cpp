#include "fault_plan.hpp"

#include <algorithm>
#include <deque>
#include <set>

namespace coracle::contract {

namespace {

using namespace std::chrono_literals;

// What was added later leaves what a seed meant before as it was.
constexpr std::uint64_t crashes_apart = 0x5bd1e9955bd1e995;

unsigned below(Random& random, unsigned count) {
  return static_cast<unsigned>((random.next() >> 32) * count >> 32);
}

sim::World source(std::uint64_t seed) {
  sim::Options options;
  options.seed = seed;
  return sim::World(options);
}

void add_cuts_and_pauses(std::uint64_t seed, unsigned hosts, Faults& faults) {
  sim::World world = source(seed);
  Random& random = world.random();
  Duration when{};
  for (unsigned left = below(random, 12); left > 0; --left) {
    Fault fault;
    when += std::chrono::microseconds(below(random, 20'000));
    fault.when = when;
    fault.span = std::chrono::microseconds(below(random, 30'000));
    fault.host = below(random, hosts);
    fault.other = (fault.host + 1 + below(random, hosts - 1)) % hosts;
    const unsigned kind = below(random, 4);
    fault.kind = kind == 3 ? Fault::Kind::pause : kind == 0 ? Fault::Kind::cut : Fault::Kind::part;
    faults.push_back(fault);
  }
}

void add_crashes(std::uint64_t seed, unsigned hosts, Faults& faults) {
  sim::World world = source(seed ^ crashes_apart);
  Random& random = world.random();
  for (unsigned left = below(random, 4); left > 0; --left) {
    Fault fault;
    fault.kind = Fault::Kind::crash;
    // Before the longest lease has ended, or after that.
    const unsigned latest = below(random, 3) == 0 ? 10'000 : 200'000;
    fault.when = std::chrono::microseconds(below(random, latest));
    const unsigned longest = below(random, 4) == 0 ? 60'000'000 : 50'000;
    fault.span = std::chrono::microseconds(below(random, longest));
    fault.host = 1 + below(random, hosts - 1);
    faults.push_back(fault);
  }
}

}  // namespace

std::string to_string(const Fault& fault) {
  const auto shown = [](Duration span) {
    return std::to_string(std::chrono::duration_cast<std::chrono::microseconds>(span).count()) +
           " us";
  };
  const std::string host = "host " + std::to_string(fault.host);
  const std::string other = "host " + std::to_string(fault.other);
  std::string text = "after " + shown(fault.when) + ", for " + shown(fault.span) + ": ";
  switch (fault.kind) {
    case Fault::Kind::cut:
      return text + "the way is cut from " + host + " to " + other;
    case Fault::Kind::part:
      return text + "the ways are cut between " + host + " and " + other;
    case Fault::Kind::pause:
      return text + host + " pauses";
    case Fault::Kind::crash:
      return text + host + " has no power";
  }
  return text;
}

Faults faults_of(std::uint64_t seed, unsigned hosts) {
  Faults faults;
  if (hosts < 2) return faults;
  add_cuts_and_pauses(seed, hosts, faults);
  add_crashes(seed, hosts, faults);
  return faults;
}

Faults only(const Faults& faults, const std::vector<std::size_t>& places) {
  Faults some;
  for (const std::size_t place : places) some.push_back(faults.at(place));
  return some;
}

// Ever smaller pieces are left out, until none can be.
std::vector<std::size_t> shrink(const Faults& faults,
                                const std::function<bool(const Faults& fewer)>& fails,
                                unsigned most) {
  std::vector<std::size_t> left;
  for (std::size_t place = 0; place < faults.size(); ++place) left.push_back(place);
  for (std::size_t piece = std::max<std::size_t>(left.size(), 1); piece > 0;) {
    bool smaller = false;
    for (std::size_t begin = 0; begin < left.size();) {
      if (most-- == 0) return left;
      std::vector<std::size_t> fewer = left;
      const auto first = fewer.begin() + static_cast<std::ptrdiff_t>(begin);
      const std::size_t count = std::min(piece, left.size() - begin);
      fewer.erase(first, first + static_cast<std::ptrdiff_t>(count));
      if (fails(only(faults, fewer))) {
        left = std::move(fewer);
        smaller = true;
      } else {
        begin += piece;
      }
    }
    if (piece > 1) piece = (piece + 1) / 2;
    else if (!smaller) break;
  }
  return left;
}

struct Trouble::State {
  // A node that is being made, by whoever asks for changes, does not crash meanwhile.
  bool may_crash(unsigned host) const { return is_made && !is_dark.contains(host); }

  std::deque<Change> changes;
  std::set<unsigned> is_dark;  // hosts without power, or whose node begins
  std::optional<unsigned> begins;
  bool is_made = false;
  bool is_off = false;
};

Trouble::Trouble(sim::World& world, const Faults& faults)
    : world_(world), state_(std::make_shared<State>()) {
  const auto plan = [&world, state = state_](Time at, std::function<void()> act) {
    world.at(at, [state, act = std::move(act)] {
      if (!state->is_off) act();
    });
  };
  for (const Fault& fault : faults) {
    const Time when = world.now() + fault.when;
    const Time end = when + fault.span;
    const auto [host, other] = std::pair(fault.host, fault.other);
    switch (fault.kind) {
      case Fault::Kind::pause:
        plan(when, [&world, host = host, span = fault.span] { world.pause(host, span); });
        break;
      case Fault::Kind::crash:
        plan(when, [&world, state = state_, host = host, span = fault.span, plan] {
          if (!state->may_crash(host)) return;
          state->is_dark.insert(host);
          world.crash(host);
          state->changes.push_back({host, false});
          plan(world.now() + span, [state, host] { state->changes.push_back({host, true}); });
        });
        break;
      default:
        plan(when, [&world, host = host, other = other, kind = fault.kind] {
          world.cut(host, other);
          if (kind == Fault::Kind::part) world.cut(other, host);
        });
        plan(end, [&world, host = host, other = other] {
          world.mend(host, other);
          world.mend(other, host);
        });
    }
  }
}

void Trouble::call_off() {
  state_->is_off = true;
  world_.mend_all();
}

std::optional<Power::Change> Trouble::next() {
  state_->is_made = true;
  if (state_->begins) state_->is_dark.erase(*std::exchange(state_->begins, std::nullopt));
  if (state_->changes.empty()) return std::nullopt;
  const Change change = state_->changes.front();
  state_->changes.pop_front();
  return change;
}

Realization Trouble::parts(unsigned host) {
  state_->begins = host;
  return world_.realization(host);
}

}  // namespace coracle::contract

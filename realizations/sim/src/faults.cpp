#include "coracle/realizations/sim.hpp"
#include "coracle/realizations/sim_faults.hpp"
#include "dice.hpp"

#include <algorithm>
#include <deque>
#include <set>
#include <utility>

namespace coracle::sim {

namespace {

using namespace std::chrono_literals;
using detail::Dice;

// Kinds of faults that were added later do not change what a seed meant before.
constexpr std::uint64_t crashes_apart = 0x5bd1e9955bd1e995, resets_apart = 0x2127599bf4325c37;

unsigned below(Dice& dice, unsigned count) { return static_cast<unsigned>(dice.below(count)); }

void add_cuts_and_pauses(Dice dice, unsigned hosts, Faults& faults) {
  Duration when{};
  for (unsigned left = below(dice, 12); left > 0; --left) {
    Fault fault;
    when += std::chrono::microseconds(below(dice, 20'000));
    fault.when = when;
    fault.span = std::chrono::microseconds(below(dice, 30'000));
    fault.host = below(dice, hosts);
    fault.other = (fault.host + 1 + below(dice, hosts - 1)) % hosts;
    const unsigned kind = below(dice, 4);
    fault.kind = kind == 3 ? Fault::Kind::pause : kind == 0 ? Fault::Kind::cut : Fault::Kind::part;
    faults.push_back(fault);
  }
}

void add_crashes(Dice dice, unsigned hosts, Faults& faults) {
  for (unsigned left = below(dice, 4); left > 0; --left) {
    Fault fault;
    fault.kind = Fault::Kind::crash;
    // The crash comes before the longest lease has ended, or after that.
    const unsigned latest = below(dice, 3) == 0 ? 10'000 : 200'000;
    fault.when = std::chrono::microseconds(below(dice, latest));
    const unsigned longest = below(dice, 4) == 0 ? 60'000'000 : 50'000;
    fault.span = std::chrono::microseconds(below(dice, longest));
    fault.host = 1 + below(dice, hosts - 1);
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
      return text + "the link is cut from " + host + " to " + other;
    case Fault::Kind::part:
      return text + "the links are cut between " + host + " and " + other;
    case Fault::Kind::pause:
      return text + host + " pauses";
    case Fault::Kind::crash:
      return text + host + " has no power";
    case Fault::Kind::reset:
      return text + "the connections are reset between " + host + " and " + other;
  }
  return text;
}

Faults random_faults(std::uint64_t seed, unsigned hosts) {
  Faults faults;
  if (hosts < 2) return faults;
  add_cuts_and_pauses(Dice(~seed), hosts, faults);
  add_crashes(Dice(~(seed ^ crashes_apart)), hosts, faults);
  return faults;
}

Faults random_resets(std::uint64_t seed, unsigned hosts) {
  Faults faults;
  if (hosts < 2) return faults;
  Dice dice(~(seed ^ resets_apart));
  for (unsigned left = below(dice, 8); left > 0; --left) {
    Fault fault;
    fault.kind = Fault::Kind::reset;
    fault.when = std::chrono::microseconds(below(dice, 200'000));
    fault.host = below(dice, hosts);
    fault.other = (fault.host + 1 + below(dice, hosts - 1)) % hosts;
    faults.push_back(fault);
  }
  return faults;
}

Faults only(const Faults& faults, const std::vector<std::size_t>& places) {
  Faults some;
  for (const std::size_t place : places) some.push_back(faults.at(place));
  return some;
}

// Leaves out ever smaller pieces, until none can be left out.
std::vector<std::size_t> needed(const Faults& faults,
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
  // A host whose node the caller is making does not crash meanwhile.
  bool may_crash(unsigned host) const { return is_made && !is_dark.contains(host); }

  std::deque<Change> changes;
  std::set<unsigned> is_dark;  // hosts without power, or whose node is starting
  std::optional<unsigned> begins;
  bool is_made = false;
  bool is_off = false;
};

Trouble::Trouble(World& world, const Faults& faults)
    : world_(world), state_(std::make_shared<State>()) {
  for (const Fault& fault : faults) {
    const bool has_two = fault.kind != Fault::Kind::pause && fault.kind != Fault::Kind::crash;
    const unsigned host = has_two ? std::max(fault.host, fault.other) : fault.host;
    if (host >= world.hosts()) {
      throw Error(Errc::bad_options, "a fault (" + to_string(fault) + ") names host " +
                                         std::to_string(host) + ", but the world has " +
                                         std::to_string(world.hosts()) + ", counted from 0");
    }
  }
  for (const Fault& fault : faults) plan(fault);
}

Trouble::~Trouble() { state_->is_off = true; }

void Trouble::at(Time when, std::function<void()> act) {
  world_.at(when, [state = state_, act = std::move(act)] {
    if (!state->is_off) act();
  });
}

void Trouble::plan(const Fault& fault) {
  const Time when = world_.now() + fault.when;
  switch (fault.kind) {
    case Fault::Kind::pause:
      return at(when, [this, fault] { world_.pause(fault.host, fault.span); });
    case Fault::Kind::crash:
      return at(when, [this, fault] {
        const unsigned host = fault.host;
        if (!state_->may_crash(host)) return;
        state_->is_dark.insert(host);
        world_.crash(host);
        state_->changes.push_back({host, false});
        at(world_.now() + fault.span, [this, host] { state_->changes.push_back({host, true}); });
      });
    case Fault::Kind::reset:
      return at(when, [this, fault] { world_.reset(fault.host, fault.other); });
    case Fault::Kind::cut:
    case Fault::Kind::part:
      at(when, [this, fault] {
        world_.cut(fault.host, fault.other);
        if (fault.kind == Fault::Kind::part) world_.cut(fault.other, fault.host);
      });
      at(when + fault.span, [this, fault] {
        world_.mend(fault.host, fault.other);
        world_.mend(fault.other, fault.host);
      });
  }
}

void Trouble::call_off() {
  state_->is_off = true;
  world_.mend_all();
}

std::optional<Trouble::Change> Trouble::next() {
  state_->is_made = true;
  if (state_->begins) state_->is_dark.erase(*std::exchange(state_->begins, std::nullopt));
  if (state_->changes.empty()) return std::nullopt;
  const Change change = state_->changes.front();
  state_->changes.pop_front();
  return change;
}

void Trouble::begin(unsigned host) { state_->begins = host; }

Realization Trouble::parts(unsigned host) {
  begin(host);
  return world_.realization(host);
}

}  // namespace coracle::sim

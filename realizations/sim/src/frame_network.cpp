#include "frame_network.hpp"

#include "host.hpp"

#include <algorithm>
#include <string>

namespace coracle::sim::detail {

namespace {

constexpr std::size_t frames_at_once = 4096;  // in one direction, before senders must wait
constexpr std::size_t delay_steps = 8;

}  // namespace

Network::Network(Core& core)
    : core_(core), hosts_(core.options().nodes), directions_(hosts_.size() * hosts_.size()) {}

Network::~Network() = default;

Realization Network::join(unsigned number, Realization parts) {
  if (number >= size() || hosts_[number] != nullptr) {
    throw Error(Errc::bad_realization, "host " + std::to_string(number) +
                                           " does not exist, or has a node already; there are " +
                                           std::to_string(size()) + ", counted from 0");
  }
  auto host = std::make_shared<Host>(*this, number, parts.directory);
  parts.transport = host;
  parts.directory = std::shared_ptr<Directory>(host, host.get());
  hosts_[number] = std::move(host);
  return parts;
}

unsigned Network::first_free() const {
  const auto free = std::find(hosts_.begin(), hosts_.end(), nullptr);
  if (free != hosts_.end()) return static_cast<unsigned>(free - hosts_.begin());
  throw Error(Errc::bad_realization,
              "the simulated society has " + std::to_string(size()) +
                  " hosts, and each has its node; raise sim::Options::nodes, or crash() one");
}

void Network::cut(unsigned from, unsigned to, bool is_cut) {
  Direction& direction = directions_.at(number_of(from, to));
  direction.is_cut = is_cut;
  core_.note({}, (is_cut ? "the link is cut from " : "the link is restored from ") +
                     std::to_string(from) + " to " + std::to_string(to));
  // The frames that waited leave now.
  if (is_cut) return;
  for (Frame& frame : direction.frames) frame.due = std::max(frame.due, core_.now());
}

void Network::power_off(unsigned number) {
  const std::shared_ptr<Host> host = std::exchange(hosts_.at(number), nullptr);
  if (host == nullptr) return;
  core_.note({}, "host " + std::to_string(number) + " loses its power");
  host->power_off();
  std::erase_if(by_lease_, [&](const auto& entry) { return entry.second == host.get(); });
  for (unsigned other = 0; other < size(); ++other) {
    for (Direction* const direction :
         {&directions_[number_of(number, other)], &directions_[number_of(other, number)]}) {
      direction->frames.clear();
      direction->was_full = false;
    }
  }
  std::erase_if(busy_, [this](unsigned each) { return directions_[each].frames.empty(); });
  dark_.push_back(host);
}

bool Network::send(unsigned from, LeaseId to, std::span<const std::byte> frame,
                   const Content& content) {
  const auto found = by_lease_.find(to);
  if (found == by_lease_.end()) return true;
  const auto number = static_cast<unsigned>(number_of(from, found->second->number()));
  Direction& direction = directions_[number];
  const Options& options = core_.options();
  Duration takes = options.delay_least;
  if (options.delay_most > options.delay_least) {
    const auto steps = static_cast<Duration::rep>(core_.choose(Choice::delay, delay_steps));
    takes += (options.delay_most - options.delay_least) * steps / (delay_steps - 1);
  }
  direction.free = std::max(direction.free, core_.now());
  if (options.bandwidth != 0) {
    const double seconds =
        static_cast<double>(frame.size() + content.size()) / static_cast<double>(options.bandwidth);
    direction.free += std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
  }
  Time due = direction.free + takes;
  if (direction.frames.empty()) {
    busy_.insert(std::lower_bound(busy_.begin(), busy_.end(), number), number);
  } else {
    due = std::max(due, direction.frames.back().due);
  }
  direction.frames.push_back(
      {hosts_[from]->lease(), to, due, {frame.begin(), frame.end()}, content});
  direction.was_full = direction.was_full || direction.frames.size() >= frames_at_once;
  return !direction.was_full;
}

void Network::refuse(unsigned host, LeaseId peer, std::string_view reason) {
  core_.note({}, "host " + std::to_string(host) + " refuses lease " + std::to_string(peer) + ": " +
                     std::string(reason));
}

bool Network::all_acknowledged(unsigned from) const {
  for (unsigned to = 0; to < size(); ++to) {
    if (!between(from, to).frames.empty()) return false;
  }
  return true;
}

bool Network::ready(unsigned part) {
  const Direction& direction = directions_[part];
  return !direction.is_cut && !direction.frames.empty() &&
         direction.frames.front().due <= core_.now();
}

Time Network::alarm(unsigned part) {
  const Direction& direction = directions_[part];
  return direction.is_cut || direction.frames.empty() ? Time::max() : direction.frames.front().due;
}

void Network::add_ready(std::vector<unsigned>& numbers) {
  for (const unsigned number : busy_) {
    if (ready(number)) numbers.push_back(number);
  }
}

Time Network::next_alarm() {
  Time next = Time::max();
  for (const unsigned number : busy_) next = std::min(next, alarm(number));
  return next;
}

bool Network::only_renews() {
  return std::all_of(busy_.begin(), busy_.end(),
                     [this](unsigned number) { return directions_[number].is_cut; });
}

void Network::step(unsigned part) {
  Direction& direction = directions_[part];
  const Frame frame = std::move(direction.frames.front());
  direction.frames.pop_front();
  if (direction.frames.empty()) std::erase(busy_, part);
  const auto hosts = hosts_.size();
  core_.note({}, "a frame of " + std::to_string(frame.head.size() + frame.content.size()) +
                     " bytes from " + std::to_string(part / hosts) + " to " +
                     std::to_string(part % hosts));
  const auto target = by_lease_.find(frame.to);
  if (target != by_lease_.end()) target->second->on_frame(frame.from, frame.head, frame.content);
  if (!direction.was_full || direction.frames.size() > frames_at_once / 2) return;
  direction.was_full = false;
  if (Host* const sender = hosts_[part / hosts].get()) sender->on_room(frame.to);
}

}  // namespace coracle::sim::detail

#include "disks.hpp"
#include "host.hpp"
#include "stream_network.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace coracle::sim {

World::World(Options options) : World(options, seeded(options.seed)) {}

World::World(Options options, std::unique_ptr<Chooser> chooser)
    : core_(std::make_shared<detail::Core>(options, std::move(chooser))) {}

Realization World::realization() {
  if (core_->options().nodes > 1) return realization(core_->network().first_free());
  Realization parts;
  parts.name = "sim:seed=" + std::to_string(core_->options().seed);
  parts.transport = std::make_shared<LocalTransport>();
  parts.directory = local_directory(core_->clock(), 1, core_->options().directory);
  parts.queue = mail_queues();
  return simulate(std::move(parts));
}

Realization World::realization(unsigned host) {
  detail::Network& network = core_->network();
  Realization parts;
  parts.name = "sim:seed=" + std::to_string(core_->options().seed);
  parts.directory = core_->directory();
  parts.queue = mail_queues();
  return simulate(network.join(host, std::move(parts)), host);
}

Realization World::simulate(Realization parts, unsigned host) {
  parts = simulate(std::move(parts));
  parts.driver = std::make_shared<detail::HostDriver>(core_, host);
  return parts;
}

void World::cut(unsigned from, unsigned to) {
  core_->network().cut(from, to, true);
  if (detail::StreamNetwork* const streams = core_->streams_if_any()) streams->cut(from, to, true);
}

void World::mend(unsigned from, unsigned to) {
  core_->network().cut(from, to, false);
  if (detail::StreamNetwork* const streams = core_->streams_if_any()) streams->cut(from, to, false);
}

void World::reset(unsigned host, unsigned other) {
  if (detail::StreamNetwork* const streams = core_->streams_if_any()) streams->reset(host, other);
}

void World::part(const std::vector<unsigned>& hosts) {
  const auto is_in = [&hosts](unsigned host) {
    return std::find(hosts.begin(), hosts.end(), host) != hosts.end();
  };
  for (unsigned from = 0; from < core_->network().size(); ++from) {
    for (unsigned to = 0; to < core_->network().size(); ++to) {
      if (is_in(from) != is_in(to)) cut(from, to);
    }
  }
}

void World::mend_all() {
  for (unsigned from = 0; from < core_->network().size(); ++from) {
    for (unsigned to = 0; to < core_->network().size(); ++to) {
      if (core_->network().is_cut(from, to)) mend(from, to);
    }
  }
}

void World::pause(unsigned host, Duration span) { core_->pause(host, span); }

void World::crash(unsigned host) {
  core_->power_off(host);
  core_->disks().crash(host);
}

void World::crash(unsigned host, CrashDisk how) {
  core_->power_off(host);
  core_->disks().crash(host, how);
}

Disk& World::disk(unsigned host) { return core_->disks().of(host).disk(); }

void World::fail_next_sync(unsigned host) { core_->disks().of(host).fail_next_sync(); }

void World::set_capacity(unsigned host, std::uint64_t bytes) {
  core_->disks().of(host).set_capacity(bytes);
}

bool World::flip_bit(unsigned host, std::string_view path, std::uint64_t bit) {
  return core_->disks().of(host).flip_bit(path, bit);
}

Realization World::simulate(Realization parts) {
  if (core_->options().trace_messages) parts = detail::traced(std::move(parts), core_);
  parts.clock = clock();
  parts.driver = core_;
  if (core_->options().adapt) parts = core_->options().adapt(std::move(parts));
  return parts;
}

unsigned World::hosts() const noexcept { return core_->options().nodes; }

std::shared_ptr<Clock> World::clock() { return {core_, &core_->clock()}; }

Time World::now() const noexcept { return core_->now(); }

Random& World::random() noexcept { return core_->random(); }

void World::run_for(Duration span) {
  core_->run_until([] { return false; }, Deadline(span).at(now()), "that time");
}

bool World::run_until(const std::function<bool()>& done, Deadline deadline) {
  return core_->run_until(done, deadline.at(now()), "what was waited for");
}

void World::at(Time when, std::function<void()> act) { core_->at(when, std::move(act)); }

std::string World::waits() const { return core_->driven().waits(); }

void World::touches(std::string_view what) noexcept {
  core_->touches("\n" + std::string(what));  // no agent has such a name
}

void World::jump(Duration forward) { core_->jump(forward); }

const std::string& World::trace() const noexcept { return core_->trace().text(); }

std::uint64_t World::trace_hash() const noexcept { return core_->trace().hash(); }

const std::vector<unsigned>& World::choices() const noexcept { return core_->choices(); }

std::uint64_t World::things() const noexcept { return core_->things(); }

Realization realization(Options options) { return World(options).realization(); }

std::uint64_t seed_from_environment(std::uint64_t otherwise) {
  const char* const text = std::getenv("CORACLE_SEED");
  if (text == nullptr || *text == '\0') return otherwise;
  std::uint64_t seed = 0;
  const char* const end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, seed);
  if (error == std::errc() && stop == end) return seed;
  throw Error(Errc::bad_options, "CORACLE_SEED is '" + std::string(text) +
                                     "'; give a number from 0 to 18446744073709551615");
}

}  // namespace coracle::sim

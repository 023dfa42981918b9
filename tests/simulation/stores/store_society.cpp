#include "store_society.hpp"

#include "store/journal_backend.hpp"

#include <algorithm>
#include <utility>

namespace coracle::test {

namespace {

constexpr unsigned server = StoreSociety::server;

sim::Options world_of(std::uint64_t seed) {
  sim::Options options;
  options.seed = sim::seed_from_environment(seed);
  options.nodes = 4;
  return options;
}

NodeOptions patient(NodeOptions options) {
  options.redelivery_limit = 1000;
  return options;
}

std::unique_ptr<LinkedDirectory> clearinghouse(sim::World& world) {
  auto service = std::make_unique<LinkedDirectory>(world, server, Linked::central);
  service->let_keep(StoreSociety::store);
  return service;
}

}  // namespace

Realization StoreSociety::node_of(Parts& parts, const Settings& given, sim::World& world,
                                  unsigned host) {
  if (!parts.directory) parts.directory = clearinghouse(world);
  Realization made = linked_node(world, host, {server}, Linked::central);
  made.stores = given.stores && host == writer;
  if (host != store) return made;
  coracle::store::JournalBackend::Settings settings;
  settings.own_thread = false;
  settings.store.journal.segment_bytes = 64u << 10;
  settings.store.journal.reserve_bytes = 16u << 10;
  settings.log = [](const std::string&) {};
  made.backend = parts.backend = std::make_shared<FaultyBackend>(
      std::make_shared<coracle::store::JournalBackend>(world.disk(host), world.random(),
                                                       std::move(settings), world.now()),
      given.fault);
  return made;
}

StoreSociety::StoreSociety(const Settings& settings)
    : StoreSociety(settings, std::make_shared<Parts>()) {}

StoreSociety::StoreSociety(const Settings& settings, const std::shared_ptr<Parts>& parts)
    : Nodes(
          world_of(settings.seed), 3,
          [parts, settings](sim::World& world, unsigned host) {
            return node_of(*parts, settings, world, host);
          },
          patient(settings.nodes)),
      group_(settings.group),
      soon_(settings.soon),
      parts_(parts) {}

void StoreSociety::doom(const std::vector<unsigned>& hosts) {
  for (const unsigned host : hosts) {
    doomed_.insert(host);
    const Time when = world().now() + up_to(world().random(), soon_);
    world().at(when, [this, host, round = round_] {
      if (round == round_) world().crash(host);
    });
  }
}

void StoreSociety::begin_to_recover() {
  ++round_;
  if (!is_doomed(server)) return;
  world().crash(server);
  parts_->directory.reset();
  parts_->directory = clearinghouse(world());
}

void StoreSociety::on(const Message& message) {
  const int number = std::stoi(std::string(message.text()));
  if (!seen_.insert(number).second) {
    ++again_;
    if (!message.redelivered()) wrong_ += "twice, unmarked: " + std::to_string(number) + "; ";
    return;
  }
  int& last = last_[number / group_];
  if (number < last) wrong_ += "out of order: " + std::to_string(number) + "; ";
  last = number;
}

Task<> StoreSociety::hear(Agent& bob, int most, Duration patience) {
  for (int got = 0; got < most; ++got) {
    const auto message = co_await bob.receive(Deadline(patience));
    if (!message) break;
    on(*message);
  }
}

void StoreSociety::check_ledger(unsigned host) {
  const Ledger ledger = at(host).ledger();
  if (!ledger.balanced()) wrong_ += ledger.to_string() + "; ";
}

bool StoreSociety::is_complete() const {
  return std::includes(seen_.begin(), seen_.end(), stored_.begin(), stored_.end());
}

std::string StoreSociety::wrong() const {
  std::string text = wrong_;
  for (const int number : stored_) {
    if (!seen_.contains(number)) text += "lost: " + std::to_string(number) + "; ";
  }
  return text;
}

}  // namespace coracle::test

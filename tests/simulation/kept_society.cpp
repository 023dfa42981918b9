#include "kept_society.hpp"

#include "store/journal_custody.hpp"

#include <utility>

namespace coracle::test {

namespace {

constexpr unsigned writing = 0, reading = 1, keeping = 2, serving = 3;
constexpr int batch_size = 5;

sim::Options settings_of(std::uint64_t seed) {
  sim::Options options;
  options.seed = sim::seed_from_environment(seed);
  options.nodes = 4;
  return options;
}

// However often a message is given back, it is given again.
NodeOptions patient() {
  NodeOptions options;
  options.redelivery_limit = 1000;
  return options;
}

Realization parts_of(std::unique_ptr<LinkedDirectory>& service, sim::World& world, unsigned host,
                     Slip slip) {
  if (!service) service = std::make_unique<LinkedDirectory>(world, serving, Linked::central);
  Realization made = linked_node(world, host, {serving}, Linked::central);
  if (host != keeping) return made;
  store::JournalCustody::Settings settings;
  settings.own_thread = false;
  settings.store.journal.segment_bytes = 64u << 10;
  settings.store.journal.reserve_bytes = 16u << 10;
  settings.log = [](const std::string&) {};
  made.custody = std::make_shared<Slipping>(
      std::make_shared<store::JournalCustody>(world.disk(host), world.random(), std::move(settings),
                                              world.now()),
      slip);
  return made;
}

}  // namespace

KeptSociety::KeptSociety(std::uint64_t seed, Slip slip)
    : KeptSociety(seed, slip, std::make_shared<std::unique_ptr<LinkedDirectory>>()) {}

KeptSociety::KeptSociety(std::uint64_t seed, Slip slip, const Service& service)
    : Nodes(
          settings_of(seed), 3,
          [service, slip](sim::World& world, unsigned host) {
            return parts_of(*service, world, host, slip);
          },
          patient()),
      seed_(seed),
      service_(service) {}

void KeptSociety::write(int batch, const std::vector<unsigned>& doomed) {
  std::vector<Receipt> receipts;
  bool done = false;
  start(writing, "ann", [&](Agent& me) -> Task<> {
    for (int number = 0; number < batch_size; ++number) {
      const std::string text = std::to_string(batch * batch_size + number);
      Post post(Name("bob"), Content(text));
      receipts.push_back(co_await me.track(std::move(post)));
    }
    done = true;
  });
  until([&done] { return done; });
  doom(doomed);
  (void)at(writing).stop(0s);
  for (std::size_t number = 0; number < receipts.size(); ++number) {
    if (receipts[number].first().stage == Stage::stored)
      stored_.insert(batch * batch_size + static_cast<int>(number));
  }
  recover();
}

void KeptSociety::read(int most, Duration patience, const std::vector<unsigned>& doomed) {
  bool done = false;
  start(reading, "bob", [&](Agent& me) -> Task<> {
    for (int got = 0; got < most; ++got) {
      const auto message = co_await me.receive(Deadline(patience));
      if (!message) break;
      on(*message);
    }
    done = true;
  });
  doom(doomed);
  until([&done] { return done; });
  recover();
  const Ledger ledger = at(keeping).ledger();
  if (!ledger.balanced()) wrong_ += ledger.to_string() + "; ";
}

std::string KeptSociety::wrong() const {
  std::string text = wrong_;
  for (const int number : stored_) {
    if (!seen_.contains(number)) text += "lost: " + std::to_string(number) + "; ";
  }
  return text;
}

void KeptSociety::doom(const std::vector<unsigned>& hosts) {
  for (const unsigned host : hosts) {
    doomed_.insert(host);
    const Time when = world().now() + up_to(world().random(), 20ms);
    world().at(when, [this, host, round = round_] {
      if (round == round_) world().crash(host);
    });
  }
}

void KeptSociety::recover() {
  ++round_;
  if (doomed_.contains(serving)) {
    world().crash(serving);
    service_->reset();
    *service_ = std::make_unique<LinkedDirectory>(world(), serving, Linked::central);
  }
  if (doomed_.contains(keeping)) {
    crash(keeping);
    restart(keeping);
  }
  crash(writing);
  restart(writing);
  doomed_.clear();
}

void KeptSociety::on(const Message& message) {
  const int number = std::stoi(std::string(message.text()));
  if (!seen_.insert(number).second) {
    ++again_;
    if (!message.redelivered()) wrong_ += "twice, unmarked: " + std::to_string(number) + "; ";
    return;
  }
  int& last = last_[number / batch_size];
  if (number < last) wrong_ += "out of order: " + std::to_string(number) + "; ";
  last = number;
}

void KeptSociety::play() {
  const auto doomed = [](bool is_keeper, bool is_server) {
    std::vector<unsigned> hosts;
    if (is_keeper) hosts.push_back(keeping);
    if (is_server) hosts.push_back(serving);
    return hosts;
  };
  for (int batch = 0; batch < 4; ++batch) {
    write(batch, doomed(seed_ % 3 == 0, seed_ % 7 == 1));
    read(batch_size / 2, 1s, doomed(seed_ % 3 != 1, seed_ % 5 == 2));
  }
  read(1000, 60s);
}

}  // namespace coracle::test

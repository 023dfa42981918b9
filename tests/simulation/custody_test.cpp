// A society whose custodian keeps its messages on a disk, and loses its power, as the clearinghouse
// does. What was stored is given, in order, and not twice without a mark.
#include "linked_hosts.hpp"
#include "realizations/central/src/journal_custody.hpp"
#include "support/watchdog.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace coracle::test {

namespace {

constexpr unsigned writer = 0, reader = 1, keeper = 2, server = 3;
constexpr int batch_size = 5;

sim::Options settings_of(std::uint64_t seed) {
  sim::Options options;
  options.seed = sim::seed_from_environment(seed);
  options.nodes = 4;
  return options;
}

class Society final : public Nodes {
 public:
  explicit Society(std::uint64_t seed)
      : Society(settings_of(seed), std::make_shared<std::unique_ptr<LinkedDirectory>>()) {}

  // Ann sends a batch to bob, and her node stops.
  void write(int batch) {
    std::vector<Receipt> receipts;
    bool done = false;
    start(writer, "ann", [&](Agent& me) -> Task<> {
      for (int number = 0; number < batch_size; ++number) {
        const std::string text = std::to_string(batch * batch_size + number);
        Post post(Name("bob"), Content(text));
        receipts.push_back(co_await me.track(std::move(post)));
      }
      done = true;
    });
    until([&done] { return done; });
    (void)at(writer).stop(0s);
    for (std::size_t number = 0; number < receipts.size(); ++number) {
      if (receipts[number].first().stage == Stage::stored)
        stored_.insert(batch * batch_size + static_cast<int>(number));
    }
    crash(writer);  // another life, so that it has another name
    restart(writer);
  }

  // Bob is there for as long as nothing is missing for `patience`, or until he has read so much.
  void read(int most, Duration patience) {
    bool done = false;
    start(reader, "bob", [&](Agent& me) -> Task<> {
      for (int got = 0; got < most; ++got) {
        const auto message = co_await me.receive(Deadline(patience));
        if (!message) break;
        on(*message);
      }
      done = true;
    });
    until([&done] { return done; });
    const Ledger ledger = at(keeper).ledger();
    if (!ledger.balanced()) wrong_ += ledger.to_string() + "; ";
  }

  // A host is to lose its power soon.
  void doom(unsigned host, Duration within) {
    doomed_.insert(host);
    world().at(world().now() + up_to(world().random(), within), [this, host, round = round_] {
      if (round == round_) world().crash(host);
    });
  }
  // Those hosts begin again, the clearinghouse first.
  void recover() {
    ++round_;
    if (doomed_.contains(server)) {
      world().crash(server);
      service_->reset();
      *service_ = std::make_unique<LinkedDirectory>(world(), server, Linked::central);
    }
    if (doomed_.contains(keeper)) {
      crash(keeper);
      restart(keeper);
    }
    doomed_.clear();
  }

  std::size_t stored() const { return stored_.size(); }
  std::size_t again() const { return again_; }
  // What is not as it was promised.
  std::string wrong() const {
    std::string text = wrong_;
    for (const int number : stored_) {
      if (!seen_.contains(number)) text += "lost: " + std::to_string(number) + "; ";
    }
    return text;
  }

 private:
  using Service = std::shared_ptr<std::unique_ptr<LinkedDirectory>>;

  Society(const sim::Options& settings, const Service& service)
      : Nodes(settings, 3,
              [service](sim::World& world, unsigned host) { return parts(*service, world, host); },
              {}),
        service_(service) {}

  static Realization parts(std::unique_ptr<LinkedDirectory>& service, sim::World& world,
                           unsigned host) {
    if (!service) service = std::make_unique<LinkedDirectory>(world, server, Linked::central);
    Realization made = linked_node(world, host, server, Linked::central);
    if (host != keeper) return made;
    central::JournalCustody::Settings settings;
    settings.own_thread = false;
    settings.store.journal.segment_bytes = 64u << 10;
    settings.store.journal.reserve_bytes = 16u << 10;
    settings.log = [](const std::string&) {};
    made.custody = std::make_shared<central::JournalCustody>(world.disk(host), world.random(),
                                                             std::move(settings), world.now());
    return made;
  }

  void on(const Message& message) {
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

  const Service service_;
  std::set<unsigned> doomed_;
  int round_ = 0;
  std::set<int> stored_, seen_;
  std::map<int, int> last_;
  std::size_t again_ = 0;
  std::string wrong_;
};

BOOST_AUTO_TEST_SUITE(custody)

BOOST_AUTO_TEST_CASE(what_was_stored_survives_power_cuts) {
  const std::uint64_t seeds = slowness == 1 ? 150 : 20;
  std::size_t stored = 0, again = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    Society society(seed);
    for (int batch = 0; batch < 4; ++batch) {
      if (seed % 3 == 0) society.doom(keeper, 20ms);
      if (seed % 7 == 1) society.doom(server, 20ms);
      society.write(batch);
      society.recover();
      if (seed % 3 != 1) society.doom(keeper, 20ms);
      if (seed % 5 == 2) society.doom(server, 20ms);
      society.read(batch_size / 2, 1s);
      society.recover();
    }
    society.read(1000, 60s);
    BOOST_TEST_REQUIRE(society.wrong() == "", "seed " << seed << ": " << society.wrong());
    stored += society.stored();
    again += society.again();
  }
  BOOST_TEST(stored > seeds * 8);
  BOOST_TEST(again > seeds / 2);
  std::cout << seeds << " societies with a custodian: " << stored << " messages were stored, "
            << again << " given again\n";
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace

}  // namespace coracle::test

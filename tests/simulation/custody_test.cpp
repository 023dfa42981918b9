// A society whose custodian keeps its messages on a disk, and loses its power, as the clearinghouse
// does. What was stored is given, in order, and not twice without a mark.
#include "linked_hosts.hpp"
#include "slipping_custody.hpp"
#include "store/journal_custody.hpp"
#include "support/watchdog.hpp"

#include <boost/test/unit_test.hpp>

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

// However often a message is given back, it is given again.
NodeOptions patient() {
  NodeOptions options;
  options.redelivery_limit = 1000;
  return options;
}

class Society final : public Nodes {
 public:
  explicit Society(std::uint64_t seed, Slip slip = Slip::nothing)
      : Society(settings_of(seed), slip, std::make_shared<std::unique_ptr<LinkedDirectory>>()) {}

  // Ann sends a batch to bob, and her node stops; meanwhile these hosts lose their power.
  void write(int batch, const std::vector<unsigned>& doomed) {
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
    doom(doomed);
    (void)at(writer).stop(0s);
    for (std::size_t number = 0; number < receipts.size(); ++number) {
      if (receipts[number].first().stage == Stage::stored)
        stored_.insert(batch * batch_size + static_cast<int>(number));
    }
    recover();
  }

  // Bob is there for as long as nothing is missing for `patience`, or until he has read so much.
  void read(int most, Duration patience, const std::vector<unsigned>& doomed = {}) {
    bool done = false;
    start(reader, "bob", [&](Agent& me) -> Task<> {
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
    const Ledger ledger = at(keeper).ledger();
    if (!ledger.balanced()) wrong_ += ledger.to_string() + "; ";
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

  Society(const sim::Options& settings, Slip slip, const Service& service)
      : Nodes(
            settings, 3,
            [service, slip](sim::World& world, unsigned host) {
              return parts(*service, world, host, slip);
            },
            patient()),
        service_(service) {}

  // These are to lose their power soon.
  void doom(const std::vector<unsigned>& hosts) {
    for (const unsigned host : hosts) {
      doomed_.insert(host);
      const Time when = world().now() + up_to(world().random(), 20ms);
      world().at(when, [this, host, round = round_] {
        if (round == round_) world().crash(host);
      });
    }
  }
  // They begin again, the clearinghouse first, and the writer as another node.
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
    crash(writer);
    restart(writer);
    doomed_.clear();
  }

  static Realization parts(std::unique_ptr<LinkedDirectory>& service, sim::World& world,
                           unsigned host, Slip slip) {
    if (!service) service = std::make_unique<LinkedDirectory>(world, server, Linked::central);
    Realization made = linked_node(world, host, {server}, Linked::central);
    if (host != keeper) return made;
    store::JournalCustody::Settings settings;
    settings.own_thread = false;
    settings.store.journal.segment_bytes = 64u << 10;
    settings.store.journal.reserve_bytes = 16u << 10;
    settings.log = [](const std::string&) {};
    made.custody = std::make_shared<Slipping>(
        std::make_shared<store::JournalCustody>(world.disk(host), world.random(),
                                                std::move(settings), world.now()),
        slip);
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

// What happens under a seed, to the end.
void play(Society& society, std::uint64_t seed) {
  const auto doomed = [](bool is_keeper, bool is_server) {
    std::vector<unsigned> hosts;
    if (is_keeper) hosts.push_back(keeper);
    if (is_server) hosts.push_back(server);
    return hosts;
  };
  for (int batch = 0; batch < 4; ++batch) {
    society.write(batch, doomed(seed % 3 == 0, seed % 7 == 1));
    society.read(batch_size / 2, 1s, doomed(seed % 3 != 1, seed % 5 == 2));
  }
  society.read(1000, 60s);
}

BOOST_AUTO_TEST_SUITE(custody)

BOOST_AUTO_TEST_CASE(what_was_stored_survives_power_cuts) {
  const std::uint64_t seeds = slowness == 1 ? 150 : 20;
  std::size_t stored = 0, again = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    Society society(seed);
    play(society, seed);
    BOOST_TEST_REQUIRE(society.wrong() == "", "seed " << seed << ": " << society.wrong());
    stored += society.stored();
    again += society.again();
  }
  BOOST_TEST(stored > seeds * 8);
  BOOST_TEST(again > seeds / 2);
  std::cout << seeds << " societies with a custodian: " << stored << " messages were stored, "
            << again << " given again\n";
}

BOOST_AUTO_TEST_CASE(mistakes_of_a_custody_are_noticed) {
  for (const Slip slip : {Slip::promises_in_vain, Slip::opens_at_once, Slip::turns_round}) {
    std::uint64_t seed = 1;
    bool is_found = false;
    for (; seed <= 150 && !is_found; ++seed) {
      Society society(seed, slip);
      play(society, seed);
      is_found = !society.wrong().empty();
    }
    BOOST_TEST(is_found, "mistake " << static_cast<int>(slip));
    std::cout << "mistake " << static_cast<int>(slip) << " is found after " << seed - 1
              << " seeds\n";
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace

}  // namespace coracle::test

// In the simulator: councils and peers die at any moment, and replies come too late. Each question
// gets one decision, the same for everybody, and its record supports it.
#include "coracle/caf/deputy.hpp"
#include "coracle/realizations/sim.hpp"
#include "voters.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <iostream>
#include <map>
#include <set>

namespace coracle::caf::test {

namespace {

// A council that dies after some time, in the middle of its work.
class Mortal : public Council {
 public:
  Mortal(Charter charter, std::vector<Member> members, Random& random, Duration life,
         std::vector<Record>& records)
      : Council(std::move(charter), std::move(members), random), life_(life), records_(records) {}

  Task<> run() override {
    if (life_ > Duration::zero()) spawn(die());
    co_await Council::run();
  }

 protected:
  void on_record(const Record& record) override { records_.push_back(record); }

 private:
  Task<> die() {
    co_await pause(life_);
    throw coracle::test::Crash("a council dies");
  }

  Duration life_;
  std::vector<Record>& records_;
};

struct Outcome {
  std::vector<Decision> answers;
  std::vector<Record> records;
  std::uint32_t councils = 0;  // one after the other
};

Duration some_time(Random& random, std::uint64_t most_us) {
  return std::chrono::microseconds(1 + random.next() % most_us);
}

Charter some_charter(Random& random) {
  Charter charter;
  const Rule rules[] = {plurality(), irv(), schulze(), approval()};
  charter.rule = rules[random.next() % 4];
  charter.propose_within = 2ms;
  charter.vote_within = 2ms;
  charter.secrecy = static_cast<Secrecy>(random.next() % 3);
  charter.absent = static_cast<Absent>(random.next() % 3);
  charter.ties = Ties({revote(1), caf::random()});
  return charter;
}

std::vector<Mind> some_minds(Random& random) {
  const std::string all[] = {"air", "fire", "water", "earth"};
  std::vector<Mind> minds(3 + random.next() % 4);
  for (Mind& each : minds) {
    each.proposes = {all[random.next() % 4]};
    for (std::size_t i = 0; i < 4; ++i) each.likes.push_back(all[(random.next() % 4 + i) % 4]);
    std::sort(each.likes.begin(), each.likes.end());
    each.likes.erase(std::unique(each.likes.begin(), each.likes.end()), each.likes.end());
    std::rotate(each.likes.begin(), each.likes.begin() + random.next() % each.likes.size(),
                each.likes.end());
    if (random.next() % 3 == 0) each.takes = some_time(random, 3000);
    each.crashes = random.next() % 8 == 0;
  }
  return minds;
}

// Sends several questions to a council that dies up to three times while it has a deputy.
void play(Assembly& assembly, Random& random, Outcome& outcome) {
  const Charter charter = some_charter(random);
  const std::vector<Mind> minds = some_minds(random);
  std::vector<Member> all = members(minds.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i].proxy = all[(i + 1) % all.size()].name;
  unsigned lives = static_cast<unsigned>(random.next() % 4);
  const auto make = [&]() -> std::unique_ptr<Council> {
    Duration life{};
    ++outcome.councils;
    if (lives > 0) --lives, life = some_time(random, 15'000);
    auto made = std::make_unique<Mortal>(charter, all, random, life, outcome.records);
    made->with_deputy("deputy");
    return made;
  };
  assembly.run_voters(minds, [&](Agent& me) -> Task<> {
    co_await me.adopt("deputy", std::make_unique<Deputy>("council", make));
    co_await me.adopt("council", make());
    const unsigned askers = 2;
    for (unsigned i = 0; i < askers; ++i) {
      co_await start(me, "asker/" + std::to_string(i), [&outcome](Agent& asker) -> Task<> {
        for (int question = 0; question < 3; ++question) {
          Motion motion;
          motion.subject = "question " + std::to_string(question);
          motion.incumbent = "fire";
          outcome.answers.push_back(co_await decide(asker, "council", motion, 10s));
        }
        co_await asker.send("main", "done");
      });
    }
    for (unsigned i = 0; i < askers; ++i) co_await me.receive();
  });
}

// Returns the fault in an outcome.
std::string judged(const Outcome& outcome, const Received& received) {
  if (outcome.answers.size() != 6) return "a question has no answer";
  std::map<DecisionId, std::string> winners;
  const auto see = [&](const Decision& decision) {
    const std::string text = decision.decided ? decision.winner : "(" + decision.why + ")";
    return winners.try_emplace(decision.id, text).first->second == text;
  };
  for (const Decision& each : outcome.answers) {
    if (!see(each)) return "an asker was told something else";
  }
  for (const auto& [who, decision] : received.decisions()) {
    if (!see(decision)) return who + " was told something else";
  }
  for (const Record& each : outcome.records) {
    const Recount again = recount(each);
    if (!again.faults.empty()) return "a record does not hold: " + again.faults.front();
  }
  std::set<DecisionId> asked;
  for (const Decision& each : outcome.answers) asked.insert(each.id);
  if (asked.size() != 6) return "two questions have one decision";
  return {};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(seeds)

BOOST_AUTO_TEST_CASE(whoever_dies_each_question_gets_one_decision_that_its_record_supports) {
  const std::uint64_t begin = sim::seed_from_environment(1);
  std::uint32_t takeovers = 0;
  std::uint32_t decided = 0;
  const std::uint64_t seeds = 1000 / coracle::test::fewer;
  for (std::uint64_t seed = begin; seed < begin + seeds; ++seed) {
    sim::Options options;
    options.seed = seed;
    options.workers = 1 + seed % 2;
    sim::World world(options);
    Outcome outcome;
    Assembly assembly(coracle::test::nodes_of(world));
    play(assembly, world.random(), outcome);
    const std::string wrong = judged(outcome, assembly.received());
    BOOST_TEST_REQUIRE(wrong == "", "CORACLE_SEED=" << seed << ": " << wrong);
    takeovers += outcome.councils - 1;
    for (const Decision& each : outcome.answers) decided += each.decided ? 1 : 0;
  }
  std::cout << seeds << " seeds: " << takeovers << " takeovers, " << decided << " of " << 6 * seeds
            << " questions decided\n";
  BOOST_TEST(decided > 3 * seeds);
  BOOST_TEST(takeovers > 3 * seeds / 10);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::caf::test

// A client "boss" and bidders that take their time, in the simulator.
#pragma once

#include "nodes.hpp"
#include "traders.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>
#include <vector>

namespace coracle::caf::test {

// Each of them lives on a host of its own.
struct Slow {
  explicit Slow(std::size_t bidders) : nodes(static_cast<unsigned>(bidders + 1)) {}

  void hire(unsigned host, const char* name, Skill skill) {
    Random& random = nodes.world().random();
    nodes.at(host).adopt(name, std::make_unique<Worker>(std::move(skill), diary, random));
  }
  void play(Boss::Body body) {
    const Boss::Body all = [this, body](Boss& me) -> Task<> {
      co_await body(me);
      records = me.records;
      is_over = true;
    };
    auto boss = std::make_unique<Boss>(all, diary, nodes.world().random());
    nodes.at(0).adopt("boss", std::move(boss));
    nodes.until([this] { return is_over; }, 600s);
  }
  // Announces the contract while the client's other contracts go on.
  void announce(Boss& me, Contract what, Invitation whom) {
    ++announced;
    me.spawn([](Boss& boss, Contract which, Invitation who, std::size_t& count) -> Task<> {
      (void)co_await boss.contract(std::move(which), std::move(who));
      ++count;
    }(me, std::move(what), std::move(whom), settled));
  }
  Task<> all_settled(Boss& me) {
    while (settled < announced) co_await me.pause(10ms);
  }
  const ContractRecord& record_of(const std::string& subject) const {
    for (const ContractRecord& each : records) {
      if (each.contract.subject == subject) return each;
    }
    throw coracle::test::Failure("there is no record of " + subject);
  }
  void expect_fulfilled(const std::string& subject) const {
    const ContractRecord& record = record_of(subject);
    BOOST_TEST(to_string(record.settlement.ended) == "fulfilled", subject << "\n" << diary.all());
    BOOST_TEST(record.awards.size() == 1U, subject);
    BOOST_TEST(retrace(record).empty());
  }

  Diary diary;
  coracle::test::Nodes nodes;
  std::vector<ContractRecord> records;
  std::size_t announced = 0;
  std::size_t settled = 0;
  bool is_over = false;
};

inline Skill considers_for(Duration time) {
  Skill skill = offers(5);
  skill.considers = [time](Worker& me) -> Task<> { co_await me.pause(time); };
  return skill;
}

// A contract with enough time for bids that are considered one after another.
inline Contract patient(std::string subject) {
  Contract what = task(std::move(subject));
  what.bid_within = 20s;
  return what;
}

}  // namespace coracle::caf::test

#include "traders.hpp"

#include <algorithm>

namespace coracle::caf::test {

using coracle::test::Crash;

Task<> Worker::act() {
  if (!skill_.properties.empty()) co_await describe(skill_.properties);
  for (const Name& each : skill_.clients) {
    const Name client = each;
    const Properties about = skill_.properties;
    std::string why;
    try {
      co_await register_with(client, about, 10s);
    } catch (const Error& error) {
      if (error.errc() == Errc::stopped) throw;
      why = error.sentence();
    }
    if (!why.empty()) note("is not taken by " + client.str());
  }
}

Task<std::optional<Bid>> Worker::consider(const Name&, const Contract& contract) {
  note("hears of " + contract.subject);
  if (skill_.considers) co_await skill_.considers(*this);
  if (skill_.bids) co_return skill_.bids(contract);
  if (!skill_.amount) co_return std::nullopt;
  co_return Bid::of(contract, *skill_.amount);
}

Task<Fulfilment> Worker::fulfil(Engagement work) {
  note("works on " + work.contract().subject);
  if (skill_.dies_at_work) throw Crash("a bidder dies at work");
  if (skill_.does) co_return co_await skill_.does(*this, work);
  co_return Fulfilment{true, name().str() + " did it"};
}

Task<> Worker::on_other(const Message& message) {
  // Sends by itself the message that the text orders.
  const Name boss = message.source().name();
  const std::string text(message.text());
  const auto number = message.header("contract");
  const ContractId id = number ? std::stoull(std::string(*number)) : 0;
  Content content;
  if (text == "bid") content = Content::of(Bid{id, 1, {{1, 100}}, {}});
  else if (text == "accept") content = Content::of(Acceptance{id, 1, 0, 1});
  else if (text == "report") content = Content::of(Report{id, 1, true, true, "mine", 1});
  else if (text == "award") content = Content::of(Award{id, 1, 1, 1, 5, 5});
  if (text == "die") throw Crash("a client is told to die");
  if (text == "announce") spawn(announce());
  if (text == "retire") retire();
  if (content.type().empty()) co_return;
  co_await send(boss, content);
}

// Announces a task for "ann", with a short lease.
Task<> Worker::announce() {
  Contract what = task("dig");
  what.lease = 500ms;
  const Invitation whom = only("ann");
  (void)co_await contract(what, whom);
}

void Worker::on_objection(const Objection& objection) {
  note("hears: " + objection.what + ": " + objection.reason);
}

void Worker::on_rejection(const Name&, ContractId, const std::string& reason) {
  note("has lost: " + reason);
}

void Worker::on_lost(const Engagement& work, const std::string& reason, Amount penalty) {
  note("loses " + work.contract().subject + ": " + reason + ", gets " + std::to_string(penalty));
}

void Worker::on_settled(const Name&, const Settled& settled) {
  note("is settled: price " + std::to_string(settled.price) + ", penalty " +
       std::to_string(settled.penalty));
}

Task<> Boss::act() {
  std::string failure;
  try {
    co_await body_(*this);
  } catch (const coracle::test::Failure& failed) {
    failure = failed.what();
  } catch (const Error& error) {
    failure = error.what();
  }
  co_await send("main", failure);
}

void Boss::decide(Tender& tender) {
  if (decides) decides(tender);
  else Client::decide(tender);
}

void Boss::on_progress(const ContractRecord& record, const Report& report) {
  diary_.note(record.invited.at(record.awards.at(report.award - 1).bidder) +
              " reports: " + report.text);
}

void Boss::on_record(const ContractRecord& record) { records.push_back(record); }

bool Boss::admits(const Name& bidder, const Properties& properties) {
  ++registered;
  const bool takes = !(where("wheels") == 0).holds(properties);
  if (!takes) diary_.note("boss refuses " + bidder.str());
  return takes;
}

void Boss::on_objection(const Objection& objection) {
  diary_.note("boss hears: " + objection.what + ": " + objection.reason);
}

Task<> Boss::on_other(const Message& message) {
  ++received_[message.source().name().str()];
  co_return;
}

Task<> Boss::has_received(std::string who, int times) {
  while (received_[who] < times) co_await pause(1ms);
}

Task<> Boss::has_registered(std::size_t count) {
  while (registered < count) co_await pause(1ms);
}

namespace {

// An agent that does not behave as bidders do.
coracle::test::Body strange(Skill skill) {
  return [skill](Agent& me) -> Task<> {
    for (;;) {
      const Message message = co_await me.receive();
      const Content content = message.content();
      if (content.try_as<Award>() != nullptr) throw Crash("a bidder dies at its award");
      const Contract* contract = content.try_as<Contract>();
      if (contract == nullptr || skill.is_silent) continue;
      Bid bid = Bid::of(*contract, skill.amount.value_or(0));
      bid.contract = contract->id;
      bid.round = contract->round;
      const Content answer = Content::of(std::move(bid));
      co_await me.send(message.source(), answer);
    }
  };
}

}  // namespace

void Market::run(std::vector<std::pair<std::string, Skill>> workers, Boss::Body body) {
  Place::run([this, workers, body](Agent& me) -> Task<> {
    for (const auto& [name, skill] : workers) {
      if (skill.is_silent || skill.dies_at_award) {
        co_await coracle::test::start(me, name, strange(skill));
        continue;
      }
      auto worker = std::make_unique<Worker>(skill, diary_, random_);
      co_await place(me, name, std::move(worker));
    }
    auto boss = std::make_unique<Boss>(body, diary_, random_);
    co_await place(me, "boss", std::move(boss));
    const Message over = co_await me.receive();
    expect_equal(over.text(), std::string(), "what the boss says\n" + diary_.all());
  });
}

Skill offers(Amount amount) {
  Skill skill;
  skill.amount = amount;
  return skill;
}

void expect_traced(const Boss& boss) {
  for (const ContractRecord& each : boss.records) {
    const std::vector<std::string> faults = retrace(each);
    expect(faults.empty(), faults.empty() ? "" : faults.front());
  }
}

Contract task(std::string subject) {
  Contract contract;
  contract.subject = std::move(subject);
  return contract;
}

}  // namespace coracle::caf::test

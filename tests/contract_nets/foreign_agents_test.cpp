// Contract nets of caf and of FIPA with each other, on every realization: clients and bidders of
// the one deal with participants and initiators of the other, without code for it.
#include "coracle/acl/initiator.hpp"
#include "coracle/acl/participant.hpp"
#include "coracle/caf/bidder.hpp"
#include "coracle/caf/client.hpp"
#include "coracle/fipa/foreign_bidder.hpp"
#include "coracle/fipa/foreign_client.hpp"
#include "support/numbers.hpp"
#include "support/societies/diary.hpp"
#include "support/societies/grounds.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace coracle::fipa::test {

namespace {

using namespace std::chrono_literals;
using coracle::test::Diary;
using coracle::test::expect;
using coracle::test::expect_equal;
using coracle::test::on_every_ground;
using Act = acl::Performative;

// A participant of FIPA that proposes a number, and does the work.
class Digger final : public acl::Participant {
 public:
  Digger(std::string price, Diary& diary, acl::Settings settings)
      : Participant(std::move(settings)), price_(std::move(price)), diary_(diary) {}

 private:
  Task<> converse(acl::Talk& talk) override {
    acl::Speech offer(price_.empty() ? Act::refuse : Act::propose, price_);
    (void)co_await talk.say(std::move(offer));
    const std::optional<acl::Message> decision = co_await talk.next();
    if (!decision) co_return;
    diary_.note(name().str() + " gets " + std::string(acl::to_text(decision->performative)));
    if (decision->performative != Act::accept_proposal) co_return;
    if (price_ == "13") {  // works until it is told to stop
      (void)co_await talk.next();
      diary_.note(name().str() + (talk.is_cancelling() ? " stops" : " goes on"));
      co_return;
    }
    acl::Speech done(price_ == "6" ? Act::failure : Act::inform, "by " + name().str());
    (void)co_await talk.say(std::move(done));
  }

  const std::string price_;
  Diary& diary_;
};

// A client that does what a test says.
class Boss final : public caf::Client {
 public:
  using Body = std::function<Task<>(Boss& me)>;
  Boss(Body body, Random& random) : Client(random), body_(std::move(body)) {}
  using Client::cancel;
  using Client::contract;
  using Client::number;
  using Client::spawn;
  std::size_t registered = 0;

 private:
  Task<> act() override {
    std::string failure;
    try {
      co_await body_(*this);
    } catch (const coracle::test::Failure& failed) {
      failure = failed.what();
    }
    co_await send("main", failure);
    retire();
  }
  bool admits(const Name&, const Properties&) override { return ++registered > 0; }

  Body body_;
};

// A bidder that does the work for its amount.
class Worker final : public caf::Bidder {
 public:
  Worker(caf::Amount amount, Diary& diary, Random& random)
      : Bidder(1, caf::Promises::at_award, random), amount_(amount), diary_(diary) {}

 private:
  Task<> act() override { co_await describe(Properties().set("bids_on", "digging")); }
  std::optional<caf::Bid> bid_for(const Name&, const caf::Contract& contract) override {
    return caf::Bid::of(contract, amount_);
  }
  Task<caf::Fulfilment> fulfil(caf::Engagement work) override {
    diary_.note(name().str() + " works on " + work.contract().subject);
    if (amount_ == 13) throw Error(Errc::refused, "a stone has fallen on it");
    co_return caf::Fulfilment{true, "by " + name().str()};
  }
  void on_rejection(const Name&, caf::ContractId, const std::string&) override {
    diary_.note(name().str() + " is rejected");
  }

  const caf::Amount amount_;
  Diary& diary_;
};

class Scene : public coracle::test::Place {
 public:
  using Place::Place;

  acl::Settings settings() {
    acl::Settings settings;
    settings.ids = acl::random_ids(random_);
    return settings;
  }
  Task<> dig(Agent& me, const char* name, std::string price) {
    auto digger = std::make_unique<Digger>(std::move(price), diary, settings());
    co_await place(me, AgentSpec(name), std::move(digger));
    ForeignBidderOptions options;
    options.participant = {.name = name};
    options.settings = settings();
    options.clients = {"boss"};
    auto bidder = std::make_unique<ForeignBidder>(std::move(options), random_);
    co_await place(me, AgentSpec(std::string("for/") + name), std::move(bidder));
  }
  // The diggers of FIPA, and a client that contracts with them.
  void with_diggers(std::vector<std::pair<const char*, std::string>> diggers, Boss::Body body) {
    run([this, diggers, body](Agent& me) -> Task<> {
      auto boss = std::make_unique<Boss>(body, random_);
      co_await place(me, AgentSpec("boss"), std::move(boss));
      for (const auto& [name, price] : diggers) co_await dig(me, name, price);
      const Message over = co_await me.receive(of_type("text/plain"));
      expect_equal(over.text(), std::string(), "what the client says\n" + diary.all());
    });
  }
  // The workers of caf, and an agent of FIPA that calls for proposals.
  void with_workers(std::vector<std::pair<const char*, caf::Amount>> workers,
                    std::function<Task<>(Agent& me)> body) {
    run([this, workers, body](Agent& me) -> Task<> {
      for (const auto& [name, amount] : workers) {
        auto worker = std::make_unique<Worker>(amount, diary, random_);
        co_await place(me, AgentSpec(name), std::move(worker));
      }
      ForeignClientOptions options;
      for (const auto& [name, amount] : workers) options.bidders.bidders.emplace_back(name);
      options.settings = settings();
      auto client = std::make_unique<ForeignClient>(std::move(options), random_);
      co_await place(me, AgentSpec("gate"), std::move(client));
      co_await body(me);
    });
  }
  acl::Terms terms() { return acl::Terms(20s).settings(settings()); }

  Diary diary;

 private:
  coracle::test::Numbers random_;
};

caf::Contract digging() {
  caf::Contract contract;
  contract.subject = "dig";
  contract.lease = 1s;
  return contract;
}

caf::Procedure lowest() {
  caf::Procedure how;
  how.rule = caf::Best::lowest;
  return how;
}

caf::Invitation only(const char* name) {
  caf::Invitation invitation;
  invitation.bidders = {name};
  return invitation;
}

Task<> has_registered(Boss& me, std::size_t count) {
  while (me.registered < count) co_await me.pause(1ms);
}

acl::Message call_to(const char* whom) {
  acl::Message call;
  call.receivers = {{.name = whom}};
  call.content = std::string("dig");
  return call;
}

acl::Choose accept_lowest() {
  return acl::choose_best([](const acl::Answer& a, const acl::Answer& b) {
    return std::stoi(std::string(acl::text_of(a.message))) <
           std::stoi(std::string(acl::text_of(b.message)));
  });
}

// --- a client of ours with participants of FIPA ---

void the_best_participant_of_fipa_gets_the_contract_of_a_client(Scene& scene) {
  scene.with_diggers({{"ann", "9"}, {"bob", "5"}, {"cy", ""}}, [](Boss& me) -> Task<> {
    co_await has_registered(me, 3);
    const caf::Contract what = digging();
    const caf::Settlement settlement = co_await me.contract(what, {}, lowest());
    expect(settlement.ended == caf::Ended::fulfilled, settlement.why);
    expect_equal(settlement.parts.at(0).bidder, std::string("for/bob"), "the awardee");
    expect_equal(settlement.parts.at(0).price, 5, "the price");
    expect_equal(settlement.parts.at(0).result, std::string("by bob"), "the result");
  });
  expect_equal(scene.diary.count("bob gets accept-proposal"), 1U, scene.diary.all());
  expect(!scene.diary.has("ann gets accept-proposal"), scene.diary.all());
}

void a_participant_that_fails_is_replaced_by_the_next_call(Scene& scene) {
  scene.with_diggers({{"ann", "9"}, {"bob", "6"}}, [](Boss& me) -> Task<> {
    co_await has_registered(me, 2);
    const caf::Contract what = digging();
    caf::Procedure how = lowest();
    how.keep_bids = true;
    const caf::Settlement settlement = co_await me.contract(what, {}, how);
    expect(settlement.ended == caf::Ended::fulfilled, settlement.why);
    expect_equal(settlement.parts.at(0).result, std::string("by ann"), "the result");
  });
  expect_equal(scene.diary.count("ann gets accept-proposal"), 1U, scene.diary.all());
}

void a_cancelled_contract_stops_the_participant(Scene& scene) {
  scene.with_diggers({{"ann", "13"}}, [&](Boss& me) -> Task<> {
    co_await has_registered(me, 1);
    caf::Contract what = digging();
    what.id = me.number();
    const auto stop = [](Boss& boss, caf::ContractId id, Diary& diary) -> Task<> {
      while (!diary.has("ann gets accept-proposal")) co_await boss.pause(1ms);
      expect(boss.cancel(id, "not needed"), "it can be cancelled");
    };
    me.spawn(stop(me, what.id, scene.diary));
    const caf::Settlement settlement = co_await me.contract(what, {}, lowest());
    expect(settlement.ended == caf::Ended::cancelled, settlement.why);
    while (!scene.diary.has("ann stops")) co_await me.pause(1ms);
  });
}

void a_participant_that_does_not_exist_declines(Scene& scene) {
  scene.with_diggers({{"ann", "9"}}, [](Boss& me) -> Task<> {
    caf::Contract what = digging();
    what.bid_within = 200ms;
    const caf::Invitation whom = only("nobody/there");
    const caf::Settlement settlement = co_await me.contract(what, whom);
    expect(settlement.ended == caf::Ended::no_bids, settlement.why);
  });
}

// --- an initiator of FIPA with bidders of ours ---

void the_best_bidder_works_for_an_initiator_of_fipa(Scene& scene) {
  scene.with_workers({{"ann", 9}, {"bob", 5}}, [&](Agent& me) -> Task<> {
    const acl::Message call = call_to("gate");
    const acl::Answers answers =
        co_await acl::contract_net(me, call, accept_lowest(), scene.terms());
    expect(answers.at(0).outcome == acl::Outcome::done, to_string(answers.at(0).outcome));
    expect_equal(acl::text_of(answers.at(0).message), std::string("by bob"), "the result");
  });
  expect_equal(scene.diary.count("bob works on dig"), 1U, scene.diary.all());
  expect(!scene.diary.has("ann works"), scene.diary.all());
}

void a_bidder_does_not_work_before_the_initiator_accepts(Scene& scene) {
  scene.with_workers({{"ann", 9}, {"bob", 5}}, [&](Agent& me) -> Task<> {
    const acl::Message call = call_to("gate");
    const acl::Choose none = [](const acl::Answers& bids) {
      expect_equal(bids.size(), 1U, "one proposal");
      return std::vector<acl::Speech>();
    };
    const acl::Answers answers = co_await acl::contract_net(me, call, none, scene.terms());
    expect(answers.at(0).outcome == acl::Outcome::rejected, to_string(answers.at(0).outcome));
    while (!scene.diary.has("ann is rejected") || !scene.diary.has("bob is rejected"))
      co_await me.pause(1ms);
  });
  expect(!scene.diary.has("works"), scene.diary.all());
}

void a_bidder_that_crashes_is_a_failure_at_once(Scene& scene) {
  scene.with_workers({{"ann", 13}}, [&](Agent& me) -> Task<> {
    const acl::Message call = call_to("gate");
    const acl::Answers answers =
        co_await acl::contract_net(me, call, accept_lowest(), scene.terms());
    expect(answers.at(0).outcome == acl::Outcome::failed, to_string(answers.at(0).outcome));
  });
}

void without_bidders_an_initiator_is_refused(Scene& scene) {
  scene.with_workers({}, [&](Agent& me) -> Task<> {
    const acl::Message call = call_to("gate");
    const acl::Answers answers =
        co_await acl::contract_net(me, call, accept_lowest(), scene.terms());
    expect(answers.at(0).outcome == acl::Outcome::refused, to_string(answers.at(0).outcome));
  });
}

const bool registered_foreign_agents = on_every_ground(
    "foreign_agents", {GROUND_CASE(the_best_participant_of_fipa_gets_the_contract_of_a_client),
                       GROUND_CASE(a_participant_that_fails_is_replaced_by_the_next_call),
                       GROUND_CASE(a_cancelled_contract_stops_the_participant),
                       GROUND_CASE(a_participant_that_does_not_exist_declines),
                       GROUND_CASE(the_best_bidder_works_for_an_initiator_of_fipa),
                       GROUND_CASE(a_bidder_does_not_work_before_the_initiator_accepts),
                       GROUND_CASE(a_bidder_that_crashes_is_a_failure_at_once),
                       GROUND_CASE(without_bidders_an_initiator_is_refused)});

}  // namespace

}  // namespace coracle::fipa::test

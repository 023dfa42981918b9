// Clients and bidders that behave as a test specifies.
#pragma once

#include "coracle/caf/bidder.hpp"
#include "coracle/caf/client.hpp"
#include "support/numbers.hpp"
#include "support/societies/diary.hpp"
#include "support/societies/grounds.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coracle::caf::test {

using namespace std::chrono_literals;
using coracle::test::Diary;
using coracle::test::expect;
using coracle::test::expect_equal;
using coracle::test::expect_error;
using coracle::test::on_every_ground;

// The behaviour of a bidder.
struct Skill {
  std::uint64_t capacity = 1;
  Promises promises = Promises::at_award;
  // Its bid for everything; negative numbers are sent as they are.
  std::optional<Amount> amount = 5;
  // The bid that it sends instead, if there is one.
  std::function<std::optional<Bid>(const Contract& contract)> bids = {};
  // Runs before it bids.
  std::function<Task<>(class Worker& me)> considers = {};
  // The bidder sends nothing at all, or dies at an award or in the middle of its work.
  bool is_silent = false;
  bool dies_at_award = false;
  bool dies_at_work = false;
  // Its work; if empty, the work is done at once.
  std::function<Task<Fulfilment>(class Worker& me, Engagement work)> does = {};
  // The clients with which it registers, and its properties in the directory.
  std::vector<Name> clients = {};
  Properties properties = {};
};

// An agent that is both client and bidder.
class Worker : public Client, public Bidder {
 public:
  Worker(Skill skill, Diary& diary, Random& random)
      : Client(random),
        Bidder(skill.capacity, skill.promises, random),
        skill_(std::move(skill)),
        diary_(diary) {}

  using Bidder::commitments;
  using Bidder::leave;
  using Bidder::report;
  using Bidder::withdraw;
  using Client::contract;
  Diary& diary() noexcept { return diary_; }
  void note(const std::string& what) { diary_.note(name().str() + " " + what); }

 protected:
  Task<> act() override;
  Task<std::optional<Bid>> consider(const Name& client, const Contract& contract) override;
  Task<Fulfilment> fulfil(Engagement work) override;
  Task<> on_other(const Message& message) override;
  void on_objection(const Objection& objection) override;
  void on_rejection(const Name& client, ContractId contract, const std::string& reason) override;
  void on_lost(const Engagement& work, const std::string& reason, Amount penalty) override;
  void on_settled(const Name& client, const Settled& settled) override;

 private:
  Task<> announce();

  Skill skill_;
  Diary& diary_;
};

// A client that behaves as the test specifies and keeps all records.
class Boss : public Client {
 public:
  using Body = std::function<Task<>(Boss& me)>;

  Boss(Body body, Diary& diary, Random& random)
      : Client(random), body_(std::move(body)), diary_(diary) {}

  using Client::cancel;
  using Client::contract;
  using Client::number;
  using Client::record_of;
  using Client::terminate;
  // Makes the decision; may be empty.
  std::function<void(Tender& tender)> decides;
  std::vector<ContractRecord> records;
  // The number of bidders that have asked to register; a bidder without wheels is refused.
  std::size_t registered = 0;
  // Waits until `count` bidders have asked to register.
  Task<> has_registered(std::size_t count);
  // Waits until `who` has sent it that many messages.
  Task<> has_received(std::string who, int times = 1);

 protected:
  Task<> act() override;
  void decide(Tender& tender) override;
  void on_progress(const ContractRecord& record, const Report& report) override;
  void on_record(const ContractRecord& record) override;
  bool admits(const Name& bidder, const Properties& properties) override;
  Task<> on_other(const Message& message) override;
  void on_objection(const Objection& objection) override;

 private:
  Body body_;
  Diary& diary_;
  std::map<std::string, int> received_;
};

// A society for a test of contracts.
class Market : public coracle::test::Place {
 public:
  using Place::Place;

  // Makes the bidders, then the client "boss" that performs `body`; ends with the client.
  void run(std::vector<std::pair<std::string, Skill>> workers, Boss::Body body);
  Diary& diary() noexcept { return diary_; }

 private:
  Diary diary_;
  coracle::test::Numbers random_;
};

// A bidder that bids this amount.
Skill offers(Amount amount);
// Long enough for a busy agent, when another agent must be too late.
inline constexpr Duration some_time = 2s;
// Expects that all records of a client can be retraced.
void expect_traced(const Boss& boss);
// A contract for a test.
Contract task(std::string subject);
// An invitation of the given bidders. It takes no list, because lists in braces cause trouble in
// expressions that await.
template <class... Names>
Invitation only(const Names&... names) {
  Invitation invitation;
  (invitation.bidders.push_back(Name(names)), ...);
  invitation.registered = false;
  return invitation;
}

}  // namespace coracle::caf::test

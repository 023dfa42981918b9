// A client of caf and two participants of FIPA, with all that stands between them, as state
// machines: messages are late, lost or doubled, participants are slow, silent or fail.
#include "coracle/acl/protocols/session.hpp"
#include "coracle/caf/contracts/tender.hpp"
#include "coracle/fipa/contracts/bidder_bridge.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace coracle::fipa::together_play {

namespace {

using namespace std::chrono_literals;
using Act = acl::Performative;

constexpr std::size_t bidders = 2;

struct Play {
  explicit Play(std::uint64_t number) : random(number) {
    caf::Contract contract;
    contract.id = 7;
    contract.bid_within = 100ms;
    contract.bid_holds = 20s;
    contract.lease = 200ms;
    caf::Procedure how;
    how.rule = caf::Best::lowest;
    how.rounds = 4;
    how.keep_bids = below(2) == 0;
    how.accept_within = 100ms;
    how.fulfil_within = 800ms;
    tender.emplace(contract, how, "boss", std::vector<std::string>{"0", "1"}, now);
    for (std::size_t i = 0; i < bidders; ++i) {
      BidderBridge::Parts parts;
      parts.self = {.name = "bridge" + std::to_string(i)};
      parts.participant = {.name = "zed" + std::to_string(i)};
      parts.name = Name(std::to_string(i));
      parts.contents = text_contents();
      parts.ids = [this] { return "r" + std::to_string(++last_id); };
      parts.holder = i + 1;
      bridges.push_back(std::make_unique<BidderBridge>(std::move(parts)));
    }
  }

  std::uint64_t below(std::uint64_t limit) { return random() % limit; }

  // --- messages on their way, by the time at which they arrive ---

  void post(std::function<void()> arrives) {
    const std::uint64_t fate = below(20);
    if (fate == 0) return;  // lost
    const auto late = [&] { return now + below(fate == 1 ? 300 : 10) * 1ms; };
    if (fate == 2) way.emplace(late(), arrives);  // doubled
    way.emplace(late(), std::move(arrives));
  }
  void send_all() {
    if (tender->phase() == caf::TenderPhase::choosing && !tender->award(now)) {
      if (tender->contract().round < tender->procedure().rounds)
        tender->announce_again(tender->contract(), 0s, now);
      else tender->end(false, "nobody", now);
    }
    for (caf::Outgoing& each : tender->take_outgoing()) {
      const Content content =
          std::visit([](auto& what) { return Content::of(std::move(what)); }, each.what);
      for (const std::uint32_t to : each.to)
        post([this, to, content] { (void)bridges[to]->hear(Name("boss"), content, now); });
    }
    for (std::size_t i = 0; i < bidders; ++i) {
      for (BridgeMessage& each : bridges[i]->take_outgoing()) {
        if (const auto* own = std::get_if<CafMessage>(&each)) watch(i, own->content);
        else watch(i, std::get<acl::Message>(each));
        post([this, i, message = std::move(each)] { arrive(i, message); });
      }
    }
  }
  void arrive(std::size_t i, const BridgeMessage& message) {
    if (const auto* own = std::get_if<CafMessage>(&message)) to_tender(i, own->content);
    else answer(i, std::get<acl::Message>(message));
  }
  template <class Said>
  bool tell(std::size_t i, const Content& content) {
    const Said* said = content.try_as<Said>();
    if (said != nullptr) (void)tender->hear(static_cast<std::uint32_t>(i), *said, now);
    return said != nullptr;
  }
  void to_tender(std::size_t i, const Content& content) {
    (void)(tell<caf::Bid>(i, content) || tell<caf::Decline>(i, content) ||
           tell<caf::Acceptance>(i, content) || tell<caf::Withdrawal>(i, content) ||
           tell<caf::Report>(i, content) || tell<caf::Released>(i, content));
  }

  // --- a participant ---

  void answer(std::size_t i, const acl::Message& message) {
    static constexpr Act to_call[] = {Act::propose, Act::propose, Act::propose, Act::refuse};
    static constexpr Act to_award[] = {Act::inform, Act::inform, Act::failure};
    std::optional<Act> act;
    if (message.performative == Act::cfp) act = to_call[below(4)];
    if (message.performative == Act::accept_proposal) act = to_award[below(3)];
    if (message.performative == Act::cancel && below(2) == 0) act = Act::inform;
    if (!act || below(8) == 0) return;  // it is silent
    acl::Message made = acl::reply(message, *act);
    made.sender = {.name = "zed" + std::to_string(i)};
    made.reply_with = "z" + std::to_string(++last_id);
    made.content = std::to_string(below(10));
    const Time when = now + below(below(4) == 0 ? 600 : 50) * 1ms;
    way.emplace(when, [this, i, made] { bridges[i]->hear(made, now); });
  }

  // --- what must be true ---

  // A participant that is accepted has the contract until its bridge reports, or cancels.
  void watch(std::size_t i, const acl::Message& message) {
    if (message.performative == Act::cancel) at_work.erase(i);
    if (message.performative != Act::accept_proposal) return;
    BOOST_TEST_REQUIRE(accepted[message.conversation_id]++ == 0);
    BOOST_TEST_REQUIRE(at_work.empty());
    at_work[i] = message.conversation_id;
    ++awards;
  }
  void watch(std::size_t i, const Content& content) {
    const auto* report = content.try_as<caf::Report>();
    const auto* withdrawal = content.try_as<caf::Withdrawal>();
    if (report != nullptr || (withdrawal != nullptr && withdrawal->holder != 0)) at_work.erase(i);
  }

  void run() {
    for (int steps = 0; steps < 10'000; ++steps) {
      send_all();
      Time next = tender->deadline();
      for (const auto& each : bridges) next = std::min(next, each->deadline());
      if (!way.empty()) next = std::min(next, way.begin()->first);
      const bool is_over = tender->phase() == caf::TenderPhase::over;
      if (next == Time::max() || (is_over && next > now + 60s)) break;
      now = std::max(now, next);
      tender->on_time(now);
      for (const auto& each : bridges) each->on_time(now);
      if (way.empty() || way.begin()->first > now) continue;
      const auto arrives = std::move(way.begin()->second);
      way.erase(way.begin());
      arrives();
    }
    BOOST_TEST((tender->phase() == caf::TenderPhase::over));
    for (const auto& each : bridges) BOOST_TEST(each->size() == 0U);
    BOOST_TEST(caf::retrace(tender->record()).empty());
  }

  std::mt19937_64 random;
  Time now{1h};
  std::optional<caf::Tender> tender;
  std::vector<std::unique_ptr<BidderBridge>> bridges;
  std::multimap<Time, std::function<void()>> way;
  std::uint64_t last_id = 0;
  std::map<std::string, int> accepted;
  std::map<std::size_t, std::string> at_work;
  std::size_t awards = 0;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(together)

BOOST_AUTO_TEST_CASE(one_participant_at_a_time_has_a_contract_and_each_contract_ends) {
  std::size_t awards = 0, fulfilled = 0, again = 0;
  for (std::uint64_t seed = 1; seed <= 2'000; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      Play play(seed);
      play.run();
      awards += play.awards;
      again += play.awards > 1 ? 1 : 0;
      fulfilled += play.tender->record().settlement.ended == caf::Ended::fulfilled ? 1 : 0;
    }
  }
  // Much of this has happened.
  BOOST_TEST(awards > 1'000U);
  BOOST_TEST(fulfilled > 500U);
  BOOST_TEST(again > 100U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::fipa::together_play

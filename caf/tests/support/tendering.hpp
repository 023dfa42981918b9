// A tender for tests, its bidders, and the messages to them.
#pragma once

#include "coracle/caf/tender.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace coracle::caf::tendering {

using namespace std::chrono_literals;

inline Time at(Duration since) { return Time(1h + since); }

inline Contract some_contract() {
  Contract contract;
  contract.id = 7;
  contract.subject = "dig a hole";
  contract.bid_within = 10s;
  contract.lease = 8s;
  contract.client_penalty = {5, 1};
  contract.bidder_penalty = {3, 2};
  return contract;
}

// A client with bidders "ann", "bob", "cy", and the messages to them.
struct Play {
  explicit Play(Procedure procedure = {}, Contract contract = some_contract(),
                std::vector<std::string> invited = {"ann", "bob", "cy"})
      : tender(std::move(contract), std::move(procedure), "client", std::move(invited), at(0s)) {}

  std::string bid(std::uint32_t who, Amount amount, Duration when = 1s, Items items = 1) {
    return tender.hear(who, Bid{7, tender.contract().round, {{items, amount}}, {}}, at(when));
  }
  std::string accept(std::uint32_t who, AwardNumber award, Duration when = 2s) {
    return tender.hear(who, Acceptance{7, award, 42, holder, life}, at(when));
  }
  std::string report(std::uint32_t who, AwardNumber award, bool done = true, Duration when = 3s) {
    return tender.hear(who, Report{7, award, true, done, "so", holder}, at(when));
  }
  template <class T>
  std::vector<T> said(std::uint32_t to) {
    for (Outgoing& each : tender.take_outgoing()) all.push_back(std::move(each));
    std::vector<T> found;
    for (const Outgoing& each : all) {
      const T* what = std::get_if<T>(&each.what);
      const bool is_for = std::find(each.to.begin(), each.to.end(), to) != each.to.end();
      if (what != nullptr && is_for) found.push_back(*what);
    }
    return found;
  }
  const MadeAward& award(AwardNumber number) { return tender.record().awards.at(number - 1); }
  void holds() { BOOST_TEST(retrace(tender.record()).empty()); }

  Tender tender;
  std::vector<Outgoing> all;
  std::uint64_t holder = 8;  // the agent that acts for the bidder
  Incarnation life;
};

}  // namespace coracle::caf::tendering

// A distributed meeting scheduler after Sen: each person keeps a calendar, arranges meetings as a
// client and attends the meetings of others as a bidder. Nobody is ever in two places at once.
#include <coracle/caf/bidder.hpp>
#include <coracle/caf/client.hpp>
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>

#include <bit>
#include <iostream>
#include <map>

using namespace coracle;

struct Meeting {
  std::string subject;
  std::vector<std::string> with;
};

// Chooses, of the slots in which all guests would come, the one that they like best together. Item
// number `guest * slots + slot` means that this guest comes in that slot.
caf::AwardRule best_for_all(std::size_t guests, std::size_t slots) {
  return {"best for all", [=](std::span<const caf::Offer> offers, caf::Items) {
            std::vector<std::uint32_t> best;
            caf::Amount most = -1;
            for (std::size_t slot = 0; slot < slots; ++slot) {
              std::vector<std::uint32_t> coming;
              caf::Amount liked = 0;
              for (std::uint32_t i = 0; i < offers.size(); ++i) {
                if (static_cast<std::size_t>(std::countr_zero(offers[i].items)) % slots != slot)
                  continue;
                coming.push_back(i);
                liked += offers[i].amount;
              }
              if (coming.size() == guests && liked > most) best = coming, most = liked;
            }
            return best;
          }};
}

class DMS : public caf::Client, public caf::Bidder {
 public:
  // `likes` has the free slots and how much they are liked; after this agent has arranged its own
  // meetings, `next` begins to arrange its meetings.
  DMS(std::map<std::string, int> likes, Meeting meeting, std::string next)
      : Bidder(100), likes_(std::move(likes)), meeting_(std::move(meeting)), next_(next) {}

 protected:
  // Offers to come in each free slot, and keeps these slots free until one of them is chosen.
  std::optional<caf::Bid> bid_for(const Name& client, const caf::Contract& contract) override {
    caf::Bid bid;
    for (std::size_t i = 0; i < contract.items.size(); ++i) {
      const auto at = contract.items[i].find('@');
      const std::string slot = contract.items[i].substr(at + 1);
      if (contract.items[i].substr(0, at) != name().view() || !is_free(slot)) continue;
      bid.offerings.push_back({caf::Items{1} << i, likes_[slot]});
      kept_[slot] = client.str() + std::to_string(contract.id);
    }
    if (bid.offerings.empty()) return std::nullopt;
    return bid;
  }

  Task<caf::Fulfilment> fulfil(caf::Engagement work) override {
    const auto item = static_cast<std::size_t>(std::countr_zero(work.items()));
    const std::string& what = work.contract().items[item];
    give_free(work.client().name().str() + std::to_string(work.contract().id));
    book(what.substr(what.find('@') + 1), work.contract().subject);
    co_return caf::Fulfilment();
  }

  void on_rejection(const Name& client, caf::ContractId id, const std::string&) override {
    give_free(client.str() + std::to_string(id));
  }

  Task<> on_other(const Message& message) override {
    if (message.text() == "your turn") {
      spawn(arrange());
    } else {
      std::cout << name().view() << "'s calendar:";
      for (const auto& [slot, what] : booked_) std::cout << "  " << slot << ' ' << what;
      std::cout << '\n';
      co_await send(next_, message.content());
      retire();
    }
  }

 private:
  bool is_free(const std::string& slot) const {
    return likes_.count(slot) != 0 && kept_.count(slot) == 0 && booked_.count(slot) == 0;
  }
  void give_free(const std::string& whose) {
    std::erase_if(kept_, [&](const auto& each) { return each.second == whose; });
  }
  void book(const std::string& slot, const std::string& what) {
    if (!booked_.try_emplace(slot, what).second) std::cout << "a double booking!\n";
  }

  // Requests offers of all guests for the slots in which this agent itself could come.
  Task<> arrange() {
    std::vector<std::string> slots;
    for (const auto& [slot, liking] : likes_) {
      if (!is_free(slot)) continue;
      slots.push_back(slot);
      kept_[slot] = meeting_.subject;
    }
    caf::Contract contract;
    contract.subject = meeting_.subject;
    caf::Invitation guests;
    for (const std::string& guest : meeting_.with) {
      guests.bidders.push_back(guest);
      for (const std::string& slot : slots) contract.items.push_back(guest + "@" + slot);
    }
    caf::Procedure procedure;
    procedure.rule = best_for_all(meeting_.with.size(), slots.size());
    const caf::Settlement settlement = co_await caf::Client::contract(contract, guests, procedure);
    give_free(meeting_.subject);
    std::cout << name().view() << " arranges " << meeting_.subject << ": ";
    if (settlement.parts.size() == meeting_.with.size()) {
      const auto item = std::countr_zero(settlement.parts.front().items);
      const std::string slot = slots[static_cast<std::size_t>(item) % slots.size()];
      book(slot, meeting_.subject);
      std::cout << slot << ", with";
      for (const auto& part : settlement.parts) std::cout << ' ' << part.bidder;
      std::cout << '\n';
    } else {
      std::cout << "there is no time that suits all\n";
    }
    const Content turn(name() == "cy" ? "that was all" : "your turn");
    co_await send(next_, turn);
  }

  std::map<std::string, int> likes_;
  Meeting meeting_;
  std::string next_;
  std::map<std::string, std::string> kept_;    // by slot: for whom it is kept free
  std::map<std::string, std::string> booked_;  // by slot: the meeting in it
};

// Gives the first turn.
class Host : public Agent {
  Task<> run() override { co_await send("ann", "your turn"); }
};

int main() {
  Node node(open());
  using Likes = std::map<std::string, int>;
  const Likes early = {{"Mon 9", 9}, {"Mon 10", 8}, {"Tue 9", 7}, {"Tue 14", 1}};
  const Likes late = {{"Mon 10", 3}, {"Tue 9", 5}, {"Tue 14", 9}};
  const Likes any = {{"Mon 9", 5}, {"Mon 10", 5}, {"Tue 9", 5}, {"Tue 14", 5}};
  node.create<DMS>("ann", early, Meeting{"planning", {"bob", "cy"}}, std::string("bob"));
  node.create<DMS>("bob", late, Meeting{"review", {"cy"}}, std::string("cy"));
  node.create<DMS>("cy", any, Meeting{"lunch", {"ann", "bob"}}, std::string("ann"));
  node.create<Host>("host");
  node.wait();
}

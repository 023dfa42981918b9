#include "contracting.hpp"

#include "output.hpp"

#include "coracle/agent_spec.hpp"
#include "coracle/caf/bidder.hpp"
#include "coracle/caf/client.hpp"
#include "coracle/errors.hpp"
#include "coracle/fipa/foreign_bidder.hpp"
#include "coracle/fipa/foreign_client.hpp"
#include "coracle/fipa/settings.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace coracle::player {

namespace {

// A client that puts a contract to bidding at each command `contract`.
class Client final : public caf::Client {
 public:
  // The participants, by the names of the agents that bid for them.
  explicit Client(std::map<std::string, std::string> participants)
      : participants_(std::move(participants)) {}

 private:
  Task<> on_other(const Message& message) override {
    const json::object command = json::parse(message.text()).as_object();
    const std::int64_t id = command.at("id").as_int64();
    if (text_in(command, "do") == "end") {
      print_answer(id, {});
      retire();
    } else {
      const auto* const seconds = command.if_contains("seconds");
      spawn(contract(id, text_in(command, "subject"),
                     std::chrono::seconds(seconds == nullptr ? 5 : seconds->as_int64())));
    }
    co_return;
  }

  Task<> contract(std::int64_t id, std::string subject, Duration within) {
    caf::Contract what;
    what.subject = std::move(subject);
    what.bid_within = within;
    caf::Invitation whom;
    for (const auto& [bidder, participant] : participants_) whom.bidders.emplace_back(bidder);
    caf::Procedure how;
    how.rule = caf::Best::lowest;
    const caf::Settlement settlement =
        co_await caf::Client::contract(std::move(what), std::move(whom), std::move(how));
    json::object fields = {{"ended", to_string(settlement.ended)}};
    for (const auto& part : settlement.parts) {
      fields["bidder"] = participants_.at(part.bidder);
      fields["price"] = part.price;
      fields["result"] = part.result;
    }
    print_answer(id, std::move(fields));
  }

  const std::map<std::string, std::string> participants_;
};

// A bidder with one price.
class Worker final : public caf::Bidder {
 public:
  Worker(caf::Amount price, bool fails, std::string content)
      : price_(price), fails_(fails), content_(std::move(content)) {}

 private:
  std::optional<caf::Bid> bid_for(const Name&, const caf::Contract& contract) override {
    return caf::Bid::of(contract, price_);
  }
  Task<caf::Fulfilment> fulfil(caf::Engagement) override {
    co_return caf::Fulfilment{!fails_, content_};
  }

  const caf::Amount price_;
  const bool fails_;
  const std::string content_;
};

// The role "client": a client, and an agent that bids for each participant.
void make_client(Node& node, const std::string& platform, const json::object& command) {
  const std::string name = text_in(command, "agent");
  std::map<std::string, std::string> participants;
  for (const auto& each : list_in(command, "participants")) {
    fipa::ForeignBidderOptions options;
    options.participant = agent_id_from(each.as_object());
    options.settings = fipa::settings(platform);
    const std::string bidder = "for-" + name + "-" + std::to_string(participants.size() + 1);
    participants.emplace(bidder, options.participant.name);
    node.adopt(AgentSpec(bidder), std::make_unique<fipa::ForeignBidder>(std::move(options)));
  }
  node.adopt(AgentSpec(name), std::make_unique<Client>(std::move(participants)));
}

// The role "contractor": bidders with these prices, and an agent that is the participant for them.
void make_contractor(Node& node, const std::string& platform, const json::object& command) {
  const std::string name = text_in(command, "agent");
  fipa::ForeignClientOptions options;
  options.settings = fipa::settings(platform);
  for (const auto& price : list_in(command, "prices")) {
    // Only one part of a name is exposed: nobody else sees the workers.
    const std::string worker =
        "workers/" + name + std::to_string(options.bidders.bidders.size() + 1);
    options.bidders.bidders.emplace_back(worker);
    node.adopt(AgentSpec(worker),
               std::make_unique<Worker>(price.as_int64(), text_in(command, "result") == "failure",
                                        text_in(command, "content")));
  }
  node.adopt(AgentSpec(name), std::make_unique<fipa::ForeignClient>(std::move(options)));
}

}  // namespace

bool make_contracting(Node& node, const std::string& platform, const json::object& command) {
  const std::string role = text_in(command, "plays");
  if (role == "client") make_client(node, platform, command);
  else if (role == "contractor") make_contractor(node, platform, command);
  else return false;
  return true;
}

}  // namespace coracle::player

#include "coracle/fipa/foreign_bidder.hpp"

#include "contracts/driving.hpp"

#include "coracle/acl/honest.hpp"
#include "coracle/endings.hpp"
#include "coracle/errors.hpp"
#include "coracle/fipa/contracts/bidder_bridge.hpp"
#include "coracle/typed.hpp"

#include <utility>

namespace coracle::fipa {

ForeignBidder::ForeignBidder(ForeignBidderOptions options, Random& random)
    : options_(std::move(options)), random_(random) {}

Task<> ForeignBidder::run() {
  BidderBridge::Parts parts;
  parts.self = options_.settings.naming.agent_of(name());
  parts.participant = options_.participant;
  parts.name = name();
  parts.contents = options_.contents;
  parts.ids = options_.settings.ids;
  parts.calendar = options_.settings.calendar;
  parts.capacity = options_.capacity;
  parts.calls = options_.calls;
  parts.holder = random_.next() | 1U;  // never zero
  BidderBridge bridge(std::move(parts));

  if (!options_.properties.all().empty()) co_await describe(options_.properties);
  BridgeMessages first;
  for (const Name& each : options_.clients) {
    caf::Registration registration;
    for (const auto& [key, value] : options_.properties.all())
      registration.properties.emplace(key, value);
    first.emplace_back(CafMessage{each, Content::of(std::move(registration))});
  }
  Task<std::vector<Unsent>> registering = send_all(*this, options_.settings, std::move(first));
  (void)co_await std::move(registering);

  for (;;) {
    bridge.set_life(life_of(*this));
    Task<std::vector<Unsent>> sending = send_all(*this, options_.settings, bridge.take_outgoing());
    const std::vector<Unsent> unsent = co_await std::move(sending);
    for (const Unsent& each : unsent) {
      // A client that cannot be reached gives no lease, and that ends its contract.
      if (const auto* message = std::get_if<acl::Message>(&each.message))
        bridge.lost(*message, now());
    }
    if (!unsent.empty()) continue;
    const Time due = bridge.deadline();
    const Deadline until = due == Time::max() ? Deadline::never() : Deadline(due);
    const std::optional<Message> message = co_await receive(Match(), until);
    bridge.set_life(life_of(*this));
    if (!message) {
      bridge.on_time(now());
      continue;
    }
    const Content content = message->content();
    if (content.try_as<acl::Message>() != nullptr) {
      if (const auto said = acl::honest(*message, options_.settings)) bridge.hear(*said, now());
    } else if (!bridge.hear(message->source().name(), content, now()) && message->is_request()) {
      co_await refuse(*message, "this agent bids for another one, and takes no such request");
    }
  }
}

}  // namespace coracle::fipa

#include "coracle/fipa/foreign_client.hpp"

#include "contracts/driving.hpp"

#include "coracle/acl/honest.hpp"
#include "coracle/directory.hpp"
#include "coracle/errors.hpp"
#include "coracle/fipa/contracts/client_bridge.hpp"
#include "coracle/typed.hpp"

#include <algorithm>
#include <string>

namespace coracle::fipa {

namespace {

// The bidders that have registered, and the awardees whose end is looked for.
constexpr std::size_t most_registered = 10'000;
constexpr std::size_t most_watched = 1'000;
// The time for which the last messages of an agent may arrive after the notice of its end.
constexpr Duration last_words = std::chrono::milliseconds(200);

bool is_stop(const Error& error) noexcept { return error.errc() == Errc::stopped; }

}  // namespace

ForeignClient::ForeignClient(ForeignClientOptions options, Random& random)
    : options_(std::move(options)), random_(random) {}
ForeignClient::~ForeignClient() = default;

Task<> ForeignClient::run() {
  ClientBridge::Parts parts;
  parts.self = options_.settings.naming.agent_of(name());
  parts.name = name();
  parts.contents = options_.contents;
  parts.procedure = options_.procedure;
  parts.bid_within = options_.bid_within;
  parts.accept_within = options_.accept_within;
  parts.ids = options_.settings.ids;
  parts.calendar = options_.settings.calendar;
  parts.limits = options_.limits;
  parts.first = random_.next() >> 16U | 1U;  // no two agents under one name use the same numbers
  bridge_ = std::make_unique<ClientBridge>(std::move(parts));
  if (!options_.properties.all().empty()) co_await describe(options_.properties);
  for (;;) {
    const Time due = bridge_->deadline();
    const Deadline until = due == Time::max() ? Deadline::never() : Deadline(due);
    std::optional<Message> message = co_await receive(Match(), until);
    if (message) {
      Task<> taking = take(std::move(*message));
      co_await taking;
    } else {
      bridge_->on_time(now());
    }
    co_await send();
  }
}

Task<> ForeignClient::take(Message message) {
  const Content content = message.content();
  if (content.try_as<acl::Message>() != nullptr) {
    const auto said = acl::honest(message, options_.settings);
    if (!said) co_return;
    std::vector<Name> bidders;
    if (said->performative == acl::Performative::cfp) bidders = co_await invited();
    bridge_->hear(*said, bidders, now());
  } else if (content.try_as<caf::Registration>() != nullptr) {
    co_await on_registration(message);
  } else if (!bridge_->hear(message.source().name(), content, now()) && message.is_request()) {
    co_await refuse(message, "this agent deals with contracts, and not with such requests");
  }
}

Task<> ForeignClient::on_registration(const Message& message) {
  const Content content = message.content();
  const auto& said = content.as<caf::Registration>();
  const Name who = message.source().name();
  const auto known = std::find_if(registered_.begin(), registered_.end(),
                                  [&](const auto& each) { return each.first == who; });
  Properties properties;
  for (const auto& [key, value] : said.properties) properties.set(key, value);
  std::string fault;
  if (said.leaves) {
    if (known != registered_.end()) registered_.erase(known);
  } else if (known != registered_.end()) {
    known->second = std::move(properties);
  } else if (registered_.size() < most_registered) {
    registered_.emplace_back(who, std::move(properties));
  } else {
    fault = "too many bidders have registered";
  }
  if (!message.is_request()) co_return;
  const Content welcome("from the next contract on");
  if (fault.empty()) co_await reply(message, welcome);
  else co_await refuse(message, fault);
}

// The bidders of a call, each once.
Task<std::vector<Name>> ForeignClient::invited() {
  const caf::Invitation& whom = options_.bidders;
  std::vector<Name> names = whom.bidders;
  if (whom.registered) {
    for (const auto& [who, properties] : registered_) {
      if (whom.eligible.holds(properties)) names.push_back(who);
    }
  }
  if (whom.interested) {
    Task<std::vector<Entry>> searching = search(*whom.interested);
    const std::vector<Entry> found = co_await std::move(searching);
    for (const Entry& each : found) {
      if (whom.eligible.holds(each.properties)) names.push_back(each.name);
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  co_return names;
}

Task<> ForeignClient::send() {
  for (;;) {
    BridgeMessages messages = bridge_->take_outgoing();
    if (messages.empty()) co_return;
    for (const BridgeMessage& each : messages) {
      const auto* own = std::get_if<CafMessage>(&each);
      if (own != nullptr && own->content.try_as<caf::Award>() != nullptr) attend(own->to);
    }
    Task<std::vector<Unsent>> sending = send_all(*this, options_.settings, std::move(messages));
    const std::vector<Unsent> unsent = co_await std::move(sending);
    for (const Unsent& each : unsent) {
      if (const auto* own = std::get_if<CafMessage>(&each.message))
        bridge_->unreachable(own->to, each.why, now());
      else bridge_->lost(std::get<acl::Message>(each.message), now());
    }
  }
}

// --- the ends of awardees ---

void ForeignClient::attend(const Name& awardee) {
  if (!endings_) {
    endings_ = std::make_unique<Endings>(*this);
    spawn(listen());
  }
  if (std::find(watched_.begin(), watched_.end(), awardee) == watched_.end()) {
    watched_.push_back(awardee);
    if (watched_.size() > most_watched) {
      endings_->drop(watched_.front());
      watched_.pop_front();
    }
  }
  if (!endings_->here(awardee)) spawn(look_for(awardee));
}

Task<> ForeignClient::look_for(Name awardee) {
  try {
    const bool is_here = co_await endings_->add(awardee);
    if (is_here) co_return;
    bridge_->unreachable(awardee, "nobody holds its name", now());
    co_await send();
  } catch (const Error& error) {
    // Without a watch, the end of a lease shows that the awardee has ended.
    if (!is_stop(error) && error.errc() != Errc::limit_reached) throw;
  }
}

Task<> ForeignClient::listen() {
  try {
    for (;;) {
      const Ending ending = co_await endings_->next();
      if (ending.reason == EndReason::stopped || ending.reason == EndReason::crashed)
        co_await pause(last_words);
      bridge_->ended(ending, now());
      co_await send();
    }
  } catch (const Error& error) {
    if (!is_stop(error)) throw;
  }
}

}  // namespace coracle::fipa

#include "contracts/driving.hpp"

#include "coracle/errors.hpp"
#include "coracle/fipa/platform.hpp"
#include "coracle/typed.hpp"

#include <chrono>
#include <deque>
#include <optional>
#include <set>
#include <utility>

namespace coracle::fipa {

namespace {

constexpr Duration patience = std::chrono::milliseconds(100);
constexpr const char* gateway = "fipa";

// The agents of the society that take a message; nothing if one of its receivers is no name. The
// gateway takes those to other platforms, all at once.
std::optional<std::set<Name>> targets_of(const BridgeMessage& message,
                                         const acl::Settings& settings) {
  if (const auto* own = std::get_if<CafMessage>(&message)) return std::set{own->to};
  std::set<Name> targets;
  for (const acl::AgentId& each : std::get<acl::Message>(message).receivers) {
    const Result<Name> name = settings.naming.name_of(each);
    if (!name) return std::nullopt;
    targets.insert(foreign_agent(name.value()) ? Name(gateway) : name.value());
  }
  return targets;
}

// A message on its way; it is tried at once.
struct Departure {
  Departure(Agent& self, std::size_t index, const Name& to, Content content)
      : number(index), sending(self.send_result(to, std::move(content))) {
    if (!sending.has_ended()) sending.patience(patience);
  }

  std::size_t number;
  coracle::detail::Sending::AsResult sending;
};

}  // namespace

Task<std::vector<Unsent>> send_all(Agent& self, const acl::Settings& settings,
                                   BridgeMessages messages) {
  std::vector<Unsent> unsent;
  std::deque<Departure> departures;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const auto* own = std::get_if<CafMessage>(&messages[i]);
    const Content content =
        own != nullptr ? own->content : Content::of(std::get<acl::Message>(messages[i]));
    const auto targets = targets_of(messages[i], settings);
    if (!targets) unsent.push_back({messages[i], "its receiver cannot be a name"});
    else
      for (const Name& each : *targets) departures.emplace_back(self, i, each, content);
  }
  for (Departure& each : departures) {
    const Result<void> sent = co_await each.sending;
    if (sent) continue;
    if (sent.error().errc() == Errc::stopped || sent.error().errc() == Errc::fenced)
      throw Error(sent.error());
    unsent.push_back({messages[each.number], sent.error().sentence()});
  }
  co_return unsent;
}

}  // namespace coracle::fipa

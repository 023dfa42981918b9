#include "gate/arrival.hpp"

#include "gate/words.hpp"

#include "coracle/errors.hpp"
#include "coracle/fipa/detail/entries.hpp"
#include "coracle/support/mutations.hpp"

#include <optional>
#include <set>
#include <utility>

namespace coracle::fipa {

namespace {

// The receivers of one letter that are looked at.
constexpr std::size_t most_receivers = 1000;

// An agent that is named several times gets the message once.
std::vector<acl::AgentId> each_once(std::vector<acl::AgentId> receivers) {
  std::set<std::string> seen;
  std::erase_if(receivers, [&](const auto& each) { return !seen.insert(lower(each.name)).second; });
  return receivers;
}

void check_sender(const acl::AgentId& sender, const Platform& platform) {
  if (sender.name.empty()) throw Error(Errc::bad_encoding, "the message has no sender; name one");
  if (acl::local_part(sender.name).empty() || acl::platform_part(sender.name).empty())
    throw Error(Errc::bad_encoding,
                "the name of the message's sender is not an agent at a platform; write ann@lab");
  if (platform.is_ours(sender))
    throw Error(Errc::not_permitted,
                "the message names a sender of this platform, which sends none from outside");
}

}  // namespace

Task<> arrive(Agent& me, Name gate, Letter letter, const Platform& platform) {
  Arrived arrived;
  arrived.message = message_of(letter);
  arrived.form = *acl::representation_of(letter.envelope.representation);
  arrived.host = std::move(letter.host);
  acl::Envelope& envelope = letter.envelope;
  arrived.receivers = envelope.intended_receivers.empty() ? std::move(envelope.to)
                                                          : std::move(envelope.intended_receivers);
  check_sender(arrived.message.sender, platform);
  // A stranger must not let an agent answer to one that the stranger does not reach itself.
  std::erase_if(arrived.message.reply_to, [&](const acl::AgentId& each) {
    const bool is_hidden = acl::platform_part(each.name).empty() ||
                           (platform.is_ours(each) && !platform.agent_of(each));
    return is_hidden && !mutated(Mutation::any_reply_to);
  });
  if (arrived.receivers.size() > most_receivers)
    throw Error(Errc::too_large, "a letter has at most 1000 receivers; send several");
  arrived.receivers = each_once(std::move(arrived.receivers));
  std::optional<Errc> problem;
  try {
    const Content content = Content::of(std::move(arrived));
    co_await me.send(gate, content);
  } catch (const Error& error) {
    if (error.errc() == Errc::stopped || error.errc() == Errc::fenced) throw;
    problem = error.errc();
  }
  if (problem) throw Error(*problem, "the platform cannot take the letter now; send it again");
}

}  // namespace coracle::fipa

#include "coracle/acl/honest.hpp"

#include "coracle/support/mutations.hpp"
#include "coracle/typed.hpp"

namespace coracle::acl {

std::optional<Message> honest(const coracle::Message& received, const Settings& settings) {
  const Content content = received.content();
  const auto* message = content.try_as<Message>();
  if (message == nullptr) return std::nullopt;
  const Name& source = received.source().name();
  std::optional<Message> found = *message;
  if (found->sender.name.empty()) {
    found->sender = settings.naming.agent_of(source);
    return found;
  }
  const Result<Name> claimed = settings.naming.name_of(found->sender);
  const bool is_its_own = claimed && claimed.value() == source;
  if (!is_its_own && !mutated(Mutation::any_sender)) return std::nullopt;
  return found;
}

}  // namespace coracle::acl

#include "services/answers.hpp"

#include "coracle/acl/ontology/contents.hpp"
#include "coracle/acl/ontology/management.hpp"
#include "coracle/acl/sl/text.hpp"
#include "coracle/fipa/detail/entries.hpp"

#include <string_view>
#include <utility>

namespace coracle::fipa {

namespace fm = acl::management;

namespace {

bool is_sl(std::string_view language) {
  const std::string name = lower(language);
  return name.empty() || name == "fipa-sl" || name == "fipa-sl0" || name == "fipa-sl1" ||
         name == "fipa-sl2";
}

}  // namespace

acl::Message answer(const acl::AgentId& self, const acl::Message& to,
                    acl::Performative performative, std::string content) {
  acl::Message said = acl::reply(to, performative);
  said.sender = self;
  said.content = std::move(content);
  return said;
}

acl::Message refusal(const acl::AgentId& self, const acl::Message& to, const std::string& action,
                     const fm::Reason& reason) {
  return answer(self, to, fm::performative_for(reason.predicate),
                acl::reason_content(action, reason));
}

acl::Message failure_notice(const acl::AgentId& system, const acl::Message& lost,
                            const acl::AgentId& receiver, const std::string& reason) {
  // The text that JADE sends, whose agents read it by its words.
  const std::string content =
      "( (action " + acl::sl::to_text(acl::to_term(lost.sender)) + " (ACLMessage) ) (MTS-error " +
      acl::sl::to_text(acl::to_term(receiver)) + " " +
      acl::sl::to_text(acl::to_term(fm::reason(fm::internal_error, reason))) + ") )";
  acl::Message notice = acl::reply(lost, acl::Performative::failure);
  notice.sender = system;
  notice.receivers = {lost.sender};
  notice.language = "fipa-sl";
  notice.content = content;
  return notice;
}

std::optional<fm::Reason> wrong_language(const acl::Message& message) {
  if (!is_sl(message.language)) return fm::reason(fm::unsupported_value, "language");
  if (!message.ontology.empty() && lower(message.ontology) != lower(fm::ontology))
    return fm::reason(fm::unsupported_value, "ontology");
  return std::nullopt;
}

std::optional<fm::Reason> objection(const acl::Message& message,
                                    const std::optional<acl::AgentId>& who, const char* frame) {
  if (!who || who->name.empty()) return fm::reason(fm::missing_parameter, frame, "name");
  if (!acl::is_same_agent(*who, message.sender)) return fm::reason(fm::unauthorised);
  return std::nullopt;
}

const fm::AgentDescription* changed_by(const fm::Action& action) {
  if (const auto* act = std::get_if<fm::Register>(&action)) return &act->description;
  if (const auto* act = std::get_if<fm::Modify>(&action)) return &act->description;
  if (const auto* act = std::get_if<fm::Deregister>(&action)) return &act->description;
  return nullptr;
}

}  // namespace coracle::fipa

#include "coracle/caf/councillor.hpp"

namespace coracle::caf {

Task<std::optional<Decision>> Councillor::ask_own(Motion motion, Duration within) {
  Result<Message> answer =
      co_await ask_result(own_, Content::of(std::move(motion)), within / 4 * 3);
  if (!answer) co_return std::nullopt;
  const Content content = answer->content();
  const Decision* decision = content.try_as<Decision>();
  if (decision == nullptr || !decision->decided) co_return std::nullopt;
  co_return *decision;
}

Task<std::vector<std::string>> Councillor::consider_call(const Call& call) {
  Motion motion;
  motion.subject = call.subject;
  const std::optional<Decision> decision = co_await ask_own(std::move(motion), call.within);
  std::vector<std::string> proposals;
  if (decision) proposals.push_back(decision->winner);
  co_return proposals;
}

Task<Ballot> Councillor::consider_agenda(const Agenda& agenda) {
  Motion motion;
  motion.subject = agenda.subject;
  motion.alternatives = agenda.alternatives;
  const std::optional<Decision> decision = co_await ask_own(std::move(motion), agenda.within);
  Ballot ballot;
  if (!decision) co_return ballot;
  ballot = choose(agenda.find(decision->winner));
  ballot.approved = ballot.ranking;
  for (const std::string& each : decision->co_winners) {
    if (each != decision->winner) ballot.ranking.push_back(agenda.find(each));
  }
  co_return ballot;
}

}  // namespace coracle::caf

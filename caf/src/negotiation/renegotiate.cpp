// The check whether the recorded events of a negotiation lead to its recorded plan.
#include "coracle/caf/negotiation/negotiation.hpp"

namespace coracle::caf {

namespace {

// Repeats one event of a record. Returns the reason if the event should not have had an effect.
std::string say_again(Negotiation& negotiation, const HeardOf& heard, Time at) {
  const bool is_known = heard.client < negotiation.record().beginning.clients.size();
  if (!is_known) return "the sender is not a client";
  const std::size_t before = negotiation.record().heard.size();
  switch (heard.kind) {
    case HeardOf::Kind::critique:
      (void)negotiation.hear(heard.client, heard.critique, at);
      break;
    case HeardOf::Kind::answer:
      (void)negotiation.hear(heard.client, heard.answer, at);
      break;
    case HeardOf::Kind::gone:
      negotiation.give_up(heard.client, heard.text, at);
      break;
    case HeardOf::Kind::time:
      negotiation.on_time(at);
      break;
    case HeardOf::Kind::prepared:
      negotiation.prepared(heard.text, at);
      break;
    case HeardOf::Kind::ended:
      negotiation.end(heard.text, at);
      break;
  }
  const std::vector<HeardOf>& again = negotiation.record().heard;
  if (again.size() == before + 1 && again.back() == heard) return {};
  return "it could not have had an effect then";
}

}  // namespace

std::vector<std::string> renegotiate(const NegotiationRecord& record, const Game& game) {
  return renegotiate(record, game, Selection::named(record.rule).value());
}

std::vector<std::string> renegotiate(const NegotiationRecord& record, const Game& game,
                                     const Selection& rule) {
  NegotiationOptions options;
  options.rule = rule;
  options.limits = record.limits;
  options.answer_within = record.answer_within;
  options.within = record.within;
  options.silent = record.silent;
  options.offers = record.offers;
  const Time begin{};
  Negotiation negotiation(record.beginning, options, game, begin);
  for (std::size_t i = 0; i < record.heard.size(); ++i) {
    const HeardOf& each = record.heard[i];
    const std::string fault = say_again(negotiation, each, begin + each.at);
    if (!fault.empty()) return {"line " + std::to_string(i) + ": " + fault};
  }
  std::vector<std::string> faults;
  const NegotiationRecord& again = negotiation.record();
  if (!negotiation.is_over()) faults.push_back("nothing has been decided at its end");
  if (again.outcome != record.outcome)
    faults.push_back("the recorded events lead to another outcome");
  if (again.nodes != record.nodes || again.is_exhausted != record.is_exhausted) {
    faults.push_back("the recorded events lead to another tree");
  }
  return faults;
}

}  // namespace coracle::caf

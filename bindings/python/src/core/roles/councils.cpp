// Councils, their peers, and decisions.
#include "calls.hpp"
#include "port.hpp"
#include "results.hpp"
#include "role.hpp"

namespace coracle::py {

namespace {

nb::object agenda_of(const coracle_agenda& agenda) {
  return caf("Agenda", agenda.id, agenda.round, str_of(agenda.subject),
             texts_of(agenda.alternatives), double(agenda.within) / 1e9);
}

nb::object shown(const coracle_decision& decision) {
  return caf("Decision", decision.id, str_of(decision.subject), decision.decided,
             str_of(decision.winner), texts_of(decision.co_winners), str_of(decision.why));
}

void give_alternatives(coracle_question* question, const Role&, nb::handle value) {
  Record answer(value);
  const coracle_texts texts = answer.texts(value, "the alternatives");
  check(coracle_answer_alternatives(question, texts.texts, texts.count));
}

std::vector<std::uint32_t> places_of(Record& ballot, const char* part) {
  std::vector<std::uint32_t> all;
  for (const nb::handle each : ballot.items(part)) all.push_back(nb::cast<std::uint32_t>(each));
  return all;
}

// (numerator, denominator)
coracle_fraction fraction_of(nb::handle value) {
  const nb::tuple parts = nb::cast<nb::tuple>(value);
  return {nb::cast<std::int64_t>(parts[0]), nb::cast<std::int64_t>(parts[1])};
}

void give_ballot(coracle_question* question, const Role&, nb::handle value) {
  coracle_ballot ballot{};
  ballot.size = sizeof ballot;
  if (value.is_none()) return check(coracle_answer_ballot(question, &ballot));
  Record given(value);
  const std::vector<std::uint32_t> ranking = places_of(given, "ranking");
  const std::vector<std::uint32_t> approved = places_of(given, "approved");
  std::vector<coracle_fraction> scores;
  for (const nb::handle each : given.items("scores")) scores.push_back(fraction_of(each));
  ballot.ranking = ranking.data();
  ballot.ranking_count = ranking.size();
  ballot.approves = !given.field("approved").is_none();
  ballot.approved = approved.data();
  ballot.approved_count = approved.size();
  ballot.scores = scores.data();
  ballot.score_count = scores.size();
  check(coracle_answer_ballot(question, &ballot));
}

void on_call(coracle_agent* self, coracle_question* question, const coracle_agenda* call,
             void* context) {
  Called called(context, self);
  called.ask(question, &give_alternatives, "propose",
             [&] { return nb::make_tuple(agenda_of(*call)); });
}

void on_agenda(coracle_agent* self, coracle_question* question, const coracle_agenda* agenda,
               void* context) {
  Called called(context, self);
  called.ask(question, &give_ballot, "_vote", [&] { return nb::make_tuple(agenda_of(*agenda)); });
}

void on_decision(coracle_agent* self, const coracle_decision* decision, void* context) {
  Called called(context, self);
  called.tell("on_decision", [&] { return nb::make_tuple(shown(*decision)); });
}

void on_refusal(coracle_agent* self, const coracle_refusal* refusal, void* context) {
  Called called(context, self);
  called.tell("on_refusal", [&] {
    return nb::make_tuple(caf("Refusal", refusal->id, refusal->round, str_of(refusal->what),
                              str_of(refusal->reason)));
  });
}

void start_peer(Node& node, nb::handle self) {
  Role& role = Role::of(self);
  coracle_peer peer{};
  if (role.has("propose")) peer.propose = &on_call;
  if (role.has("vote")) peer.vote = &on_agenda;
  peer.decision = &on_decision;
  peer.refused = &on_refusal;
  start_with(node, self, peer, &coracle_peer_start);
}

void start_council(Node& node, nb::handle self) {
  Record role(self);
  std::deque<Record> kept;
  std::vector<coracle_member> members;
  for (const nb::handle each : role.items("members")) {
    Record& member = kept.emplace_back(each);
    members.push_back(
        {member.text("name"), fraction_of(member.field("_weight")), member.text("proxy")});
  }
  coracle_council council{};
  council.size = sizeof council;
  council.members = members.data();
  council.member_count = members.size();
  council.rule = role.text("rule");
  council.ties = role.text("ties");
  council.propose_within = role.span("propose_within");
  council.vote_within = role.span("vote_within");
  council.secrecy = coracle_secrecy(role.number<int>("secrecy"));
  council.absent = coracle_absent(role.number<int>("absent"));
  council.vacant = coracle_vacant(role.number<int>("vacant"));
  council.chair = role.text("chair");
  council.none_of_these = role.truth("none_of_these");
  council.adjourns_after = role.number<std::uint64_t>("adjourns_after");
  Role::of(self).start(node, nullptr,
                       [&](coracle_node* on, const coracle_agent_options* options, coracle_role**) {
                         return coracle_council_start(on, options, &council);
                       });
}

nb::object decide(nb::handle self, nb::handle council, nb::handle record, nb::handle within) {
  Record given(record);
  coracle_motion motion{};
  motion.size = sizeof motion;
  motion.subject = given.text("subject");
  motion.alternatives = given.texts("alternatives");
  motion.call_peers = given.truth("call_peers");
  motion.incumbent = given.text("incumbent");
  motion.key = given.number<std::uint64_t>("key");
  const coracle_span longest = span_of(within);
  return Port::of(self).begin(
      self, Gives::decision, [&](coracle_port* port, const coracle_begin* at) {
        return coracle_decide(port, text_of(council, "council"), &motion, longest, nullptr, at);
      });
}

}  // namespace

nb::object decision_of(const coracle_result* result) {
  coracle_decision decision{};
  check(coracle_result_decision(result, &decision));
  return shown(decision);
}

void define_decisions(nb::class_<Port>& port) {
  port.def("_decide", &decide, nb::arg("council"), nb::arg("motion"), nb::arg("within").none());
}

void define_councils(nb::module_& module) {
  module.def("start_peer", &start_peer);
  module.def("start_council", &start_council);
}

}  // namespace coracle::py

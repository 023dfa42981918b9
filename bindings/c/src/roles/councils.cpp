// Councils, their peers, and decisions.
#include "agents/acting.hpp"
#include "ports/operation.hpp"
#include "shown_texts.hpp"

#include "coracle/caf/council.hpp"
#include "coracle/caf/peer.hpp"

#include <optional>
#include <string>
#include <vector>

using namespace coracle;
using namespace coracle::c;

namespace coracle::c {

namespace {

struct ShownAgenda {
  explicit ShownAgenda(const caf::Call& call) : subject(call.subject), alternatives({}) {
    view = {call.id, 0, subject.c_str(), alternatives.view(), call.within.count()};
  }
  explicit ShownAgenda(const caf::Agenda& agenda)
      : subject(agenda.subject), alternatives(agenda.alternatives) {
    view = {agenda.id, agenda.round, subject.c_str(), alternatives.view(), agenda.within.count()};
  }
  ShownAgenda(const ShownAgenda&) = delete;

  const std::string subject;
  const ShownTexts alternatives;
  coracle_agenda view;
};

struct ShownDecision {
  explicit ShownDecision(caf::Decision made)
      : decision(std::move(made)), co_winners(decision.co_winners) {
    view = {decision.id,       decision.subject.c_str(), decision.decided, decision.winner.c_str(),
            co_winners.view(), decision.why.c_str()};
  }
  ShownDecision(const ShownDecision&) = delete;

  const caf::Decision decision;
  const ShownTexts co_winners;
  coracle_decision view;
};

class PeerRole final : public caf::Peer, public RoleActing {
 public:
  explicit PeerRole(const coracle_peer& peer) : table_(peer) {}

  Task<> run() override {
    table_.begin();
    return Peer::run();
  }

 private:
  Agent& agent() noexcept override { return *this; }
  void retire_role() override { retire(); }

  Task<std::vector<std::string>> consider_call(const caf::Call& call) override {
    if (table_->propose == nullptr) return Peer::consider_call(call);
    const auto about = std::make_shared<const ShownAgenda>(call);
    const auto show = [this, about](coracle_agent* me, coracle_question* question) {
      table_->propose(me, question, &about->view, table_->context);
    };
    return ask_for<std::vector<std::string>>("coracle_answer_alternatives()", about, show);
  }
  Task<caf::Ballot> consider_agenda(const caf::Agenda& agenda) override {
    if (table_->vote == nullptr) return Peer::consider_agenda(agenda);
    const auto about = std::make_shared<const ShownAgenda>(agenda);
    const auto show = [this, about](coracle_agent* me, coracle_question* question) {
      table_->vote(me, question, &about->view, table_->context);
    };
    return ask_for<caf::Ballot>("coracle_answer_ballot()", about, show);
  }
  void on_decision(const caf::Decision& decision) override {
    const ShownDecision shown(decision);
    call(table_->decision, &shown.view, table_->context);
  }
  void on_refusal(const caf::Refusal& refusal) override {
    const coracle_refusal shown = {refusal.id, refusal.round, refusal.what.c_str(),
                                   refusal.reason.c_str()};
    call(table_->refused, &shown, table_->context);
  }

  Functions<coracle_peer> table_;
};

class CouncilAgent final : public caf::Council {
 public:
  CouncilAgent(const caf::Charter& charter, std::vector<caf::Member> members,
               SharedContextPtr context)
      : Council(charter, std::move(members)), context_(std::move(context)) {}

 private:
  const SharedContextPtr context_;
};

caf::Fraction fraction_of(const coracle_fraction& given) {
  return {given.numerator, given.denominator == 0 ? 1 : given.denominator};
}

std::vector<caf::Candidate> candidates_of(const std::uint32_t* all, std::size_t count) {
  require_array(all, count, "coracle_ballot: an array is NULL, but its count is not 0");
  return {all, all + count};
}

caf::Ballot ballot_of(const coracle_ballot* given) {
  const coracle_ballot ballot = options_of(given, "coracle_ballot");
  caf::Ballot made;
  made.ranking = candidates_of(ballot.ranking, ballot.ranking_count);
  if (ballot.approves) made.approved = candidates_of(ballot.approved, ballot.approved_count);
  require_array(ballot.scores, ballot.score_count, "coracle_ballot: `scores` is NULL");
  if (ballot.score_count == 0) return made;
  made.scores.emplace();
  for (std::size_t number = 0; number < ballot.score_count; ++number)
    made.scores->push_back(fraction_of(ballot.scores[number]));
  return made;
}

template <class Enum, class Given>
Enum enumerated(const Given& given, int last, const char* what) {
  const int number = number_of(given);
  if (number < 0 || number > last) fail_argument(what);
  return static_cast<Enum>(number);
}

caf::Charter charter_of(const coracle_council& council) {
  caf::Charter charter;
  if (council.rule != nullptr) charter.rule = caf::Rule::named(council.rule).value();
  if (council.ties != nullptr) charter.ties = caf::Ties::named(council.ties).value();
  if (council.propose_within < 0 || council.vote_within < 0)
    fail_argument("coracle_council: a span of time is negative");
  if (council.propose_within != 0) charter.propose_within = Duration(council.propose_within);
  if (council.vote_within != 0) charter.vote_within = Duration(council.vote_within);
  charter.secrecy = enumerated<caf::Secrecy>(council.secrecy, CORACLE_COMMIT_REVEAL,
                                             "coracle_council: `secrecy` is no coracle_secrecy");
  charter.absent = enumerated<caf::Absent>(council.absent, CORACLE_BY_PROXY,
                                           "coracle_council: `absent` is no coracle_absent");
  charter.vacant = enumerated<caf::Vacant>(council.vacant, CORACLE_VACANT_REFUSE,
                                           "coracle_council: `vacant` is no coracle_vacant");
  if (council.chair != nullptr) charter.chair = council.chair;
  charter.none_of_these = council.none_of_these;
  return charter;
}

std::vector<caf::Member> members_of(const coracle_council& council) {
  require_array(council.members, council.member_count, "coracle_council: `members` is NULL");
  std::vector<caf::Member> members;
  for (std::size_t number = 0; number < council.member_count; ++number) {
    const coracle_member& given = council.members[number];
    caf::Member member;
    member.name = text_of(given.name, "coracle_member: `name`");
    const bool is_set = given.weight.numerator != 0 || given.weight.denominator != 0;
    if (is_set) member.weight = fraction_of(given.weight);
    if (given.proxy != nullptr) member.proxy = given.proxy;
    members.push_back(std::move(member));
  }
  return members;
}

caf::Motion motion_of(const coracle_motion& given) {
  caf::Motion motion;
  motion.subject = text_of(given.subject, "coracle_motion: `subject`");
  motion.alternatives = texts_of(given.alternatives, "coracle_motion: an alternative");
  motion.call_peers = given.call_peers;
  if (given.incumbent != nullptr) motion.incumbent = given.incumbent;
  motion.key = given.key;
  return motion;
}

}  // namespace

}  // namespace coracle::c

coracle_error* coracle_peer_start(coracle_node* node, const coracle_agent_options* options,
                                  const coracle_peer* given) {
  return guarded([&] {
    if (given == nullptr) fail_argument("coracle_peer_start: the peer is NULL");
    const coracle_peer peer = options_of(given, "coracle_peer");
    object_of<NodeObject>(node)->node->adopt(spec_of(options), std::make_unique<PeerRole>(peer));
  });
}

coracle_error* coracle_answer_alternatives(coracle_question* question,
                                           const char* const* alternatives, size_t count) {
  return answer_by<std::vector<std::string>>(question, [&] {
    return texts_of({alternatives, count}, "an alternative");
  });
}

coracle_error* coracle_answer_ballot(coracle_question* question, const coracle_ballot* ballot) {
  return answer_by<caf::Ballot>(question, [&] { return ballot_of(ballot); });
}

coracle_error* coracle_council_start(coracle_node* node, const coracle_agent_options* options,
                                     const coracle_council* given) {
  return guarded([&] {
    if (given == nullptr) fail_argument("coracle_council_start: the council is NULL");
    const coracle_council council = options_of(given, "coracle_council");
    const auto context = std::make_shared<SharedContext>(council.end, council.context);
    auto agent = std::make_unique<CouncilAgent>(charter_of(council), members_of(council), context);
    if (council.adjourns_after != 0) agent->adjourn_after(council.adjourns_after);
    object_of<NodeObject>(node)->node->adopt(spec_of(options), std::move(agent));
    context->begin();
  });
}

coracle_error* coracle_decide(coracle_port* port, const char* council, const coracle_motion* given,
                              coracle_span longest, coracle_result** out,
                              const coracle_begin* begin) {
  return guarded([&] {
    require_place(begin, out);
    if (given == nullptr) fail_argument("coracle_decide: the motion is NULL");
    const Operation::Work decide = [to = Name(text_of(council, "coracle_decide: `council`")),
                                    motion = motion_of(options_of(given, "coracle_motion")),
                                    until = limit_of(longest)](Agent* me,
                                                               Operation& self) -> Task<> {
      Task<caf::Decision> deciding = caf::decide(*me, to, motion, until);
      caf::Decision decision = co_await deciding;
      const std::shared_ptr<const ShownDecision> shown =
          std::make_shared<ShownDecision>(std::move(decision));
      self.result = std::make_shared<ResultObject>(std::any(shown));
    };
    const auto done = operate(object_of<PortObject>(port), begin, out, decide);
    if (done) *out = done->take_result();
  });
}

coracle_error* coracle_result_decision(const coracle_result* result, coracle_decision* out) {
  return show_record<ShownDecision>(result, out, "coracle_result_decision: `out` is NULL",
                                    "coracle_result_decision: this result is no decision");
}

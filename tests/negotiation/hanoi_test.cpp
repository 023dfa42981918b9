// The paper's puzzle: exact solutions against known ones, and negotiations against exact solutions.
#include "coracle/caf/negotiation/negotiation.hpp"
#include "hanoi/agents.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <ostream>

namespace hanoi {

using namespace coracle;

namespace {

using Front = std::vector<std::pair<std::int64_t, std::int64_t>>;

struct Known {
  const char* colours;
  std::int64_t red;
  std::int64_t green;
  std::int64_t both;
  Front front;
};

// All cases of two and three pieces; on rails, three cycles between the tables, red to C.
const std::vector<Known> known = {{"RR", 17, 0, 17, {{17, 0}}},
                                  {"RG", 5, 14, 16, {{5, 16}, {23, 14}}},
                                  {"GR", 11, 8, 19, {{11, 20}, {19, 8}}},
                                  {"GG", 0, 26, 26, {{0, 26}}},
                                  {"RRR", 41, 0, 41, {{41, 0}}},
                                  {"RRG", 17, 22, 28, {{17, 28}, {31, 22}}},
                                  {"RGR", 31, 14, 31, {{31, 14}}},
                                  {"RGG", 5, 32, 34, {{5, 34}, {41, 32}}},
                                  {"GRR", 31, 8, 31, {{31, 8}}},
                                  {"GRG", 11, 32, 34, {{11, 34}, {41, 32}}},
                                  {"GGR", 25, 26, 34, {{25, 34}, {37, 26}}},
                                  {"GGG", 0, 44, 44, {{0, 44}}}};

// A player whose considerations a test can read.
class Thinker : public Player {
 public:
  using Player::judge;
  using Player::Player;
  Task<> run() override { co_return; }
};

// Negotiates without agents and returns the agreement.
caf::NegotiationRecord negotiated(const Setting& setting, std::int64_t red, std::int64_t green,
                                  caf::NegotiationOptions options = {}) {
  static const Name mover("mover");
  const Rules rules(setting);
  Thinker players[2] = {{setting, Colour::green, green}, {setting, Colour::red, red}};
  caf::Beginning beginning;
  beginning.state = Board::start(setting).text();
  beginning.clients = {{"green", worth_at(green, green)}, {"red", worth_at(red, red)}};
  caf::Negotiation one(beginning, options, rules, Time());
  while (!one.is_over()) {
    for (const caf::Uttering& each : one.take_utterings()) {
      if (const auto* draft = std::get_if<caf::PlanDraft>(&each.what)) {
        caf::PlanCritique critique{draft->negotiation, draft->epoch, draft->round, {}};
        for (const caf::PlanNode& node : draft->nodes) {
          critique.judgements.push_back(players[each.to].judge(mover, node));
          critique.judgements.back().node = node.node;
        }
        BOOST_TEST_REQUIRE(one.hear(each.to, critique, Time()) == "");
      } else if (const auto* offer = std::get_if<caf::PlanOffer>(&each.what)) {
        (void)one.hear(each.to, caf::PlanAnswer{0, 1, offer->number, true, {}, {}}, Time());
      }
    }
    one.prepared("", Time());
  }
  BOOST_TEST(caf::renegotiate(one.record(), rules).empty());
  return one.record();
}

Outcome outcome_of(const Setting& setting, const caf::NegotiationRecord& record) {
  return carry_out(setting, record.outcome.plan.moves);
}

std::vector<std::string> all_colours(std::size_t pieces) {
  std::vector<std::string> all;
  for (unsigned code = 0; code < 1U << pieces; ++code) {
    std::string colours;
    for (std::size_t i = 0; i < pieces; ++i) colours += (code >> i & 1) != 0 ? 'R' : 'G';
    all.push_back(colours);
  }
  return all;
}

bool is_on(const Front& front, const Outcome& outcome) {
  return std::find(front.begin(), front.end(), std::pair(outcome.red, outcome.green)) !=
         front.end();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(hanoi)

BOOST_AUTO_TEST_CASE(the_search_finds_what_is_known) {
  for (const Known& each : known) {
    const Setting setting{each.colours, Layout::rail, 3, "C"};
    const Optimum best = optimum(setting);
    BOOST_TEST(best.red == each.red, each.colours);
    BOOST_TEST(best.green == each.green, each.colours);
    BOOST_TEST(best.both == each.both, each.colours);
    BOOST_TEST((best.front == each.front), each.colours);
    const Outcome outcome = carry_out(setting, best.plan);
    BOOST_TEST(outcome.cycles == best.both);
    BOOST_TEST(is_on(best.front, outcome), each.colours);
  }
}

BOOST_AUTO_TEST_CASE(a_move_takes_as_many_cycles_one_by_one_as_at_once) {
  for (const Layout layout : {Layout::rail, Layout::flat}) {
    for (const int far : {1, 3, 7}) {
      const Setting setting{"GRGR", layout, far, "any"};
      const Rules rules(setting);
      std::vector<std::string> states = {Board::start(setting).text()};
      for (std::size_t i = 0; i < states.size() && i < 400; ++i) {
        Board board;
        BOOST_TEST_REQUIRE(Board::read(setting, states[i], board));
        BOOST_TEST(board.text() == states[i]);
        for (const std::string& move : legal_moves(board)) {
          const auto at_once = rules.apply(states[i], move);
          BOOST_TEST_REQUIRE(at_once.fault == "");
          std::string state = states[i];
          std::int64_t cost = 0;
          for (bool is_over = false; !is_over;) {
            // In the middle of a move, the rest of the move costs the rest.
            BOOST_TEST_REQUIRE(rules.apply(state, move).cost == at_once.cost - cost);
            const auto step = rules.advance(state, move);
            cost += step.cost;
            state = step.state;
            is_over = step.is_over;
          }
          BOOST_TEST_REQUIRE((state == at_once.state && cost == at_once.cost));
          if (std::find(states.begin(), states.end(), state) == states.end()) {
            states.push_back(state);
          }
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(illegal_moves_and_texts_are_told_apart) {
  const Setting setting{"GR", Layout::rail, 3, "C"};
  const Rules rules(setting);
  for (const char* state : {"", "AA", "AA 0", "AA x^", "AA 9^", "AE 0^", "AA 0!", "AAA 0^"}) {
    BOOST_TEST(rules.apply(state, "0B").fault.find("is no state") != std::string::npos, state);
  }
  for (const char* move : {"", "0", "2B", "0E", "xB", "1B", "0A", "0BB"}) {
    BOOST_TEST(rules.apply("AA 0^", move).fault != "", move);
  }
  BOOST_TEST(rules.apply("-A 0^", "1B").fault == "the arm holds piece 0");
  BOOST_TEST(rules.apply("BA 1v", "1B").fault == "piece 0 there is smaller");
  BOOST_TEST(rules.apply("BA 1v", "1C").cost == 7);
}

BOOST_AUTO_TEST_CASE(a_full_budget_reaches_a_point_of_the_front_whatever_the_deadlines) {
  for (std::size_t pieces = 1; pieces <= 4; ++pieces) {
    for (const std::string& colours : all_colours(pieces)) {
      for (const char* target : {"C", "any"}) {
        const Setting setting{colours, Layout::rail, 3, target};
        const Optimum best = optimum(setting);
        const auto agreed = [&](std::int64_t red, std::int64_t green) {
          return outcome_of(setting, negotiated(setting, red, green));
        };
        const Outcome loose = agreed(whenever, whenever);
        BOOST_TEST_REQUIRE(is_on(best.front, loose), colours << " to " << target);
        BOOST_TEST_REQUIRE(std::max(loose.red, loose.green) == best.both, colours);
        const Outcome red_first = agreed(best.front.front().first, whenever);
        BOOST_TEST_REQUIRE((red_first.red == best.front.front().first &&
                            red_first.green == best.front.front().second),
                           colours);
        const Outcome green_first = agreed(whenever, best.front.back().second);
        BOOST_TEST_REQUIRE((green_first.red == best.front.back().first &&
                            green_first.green == best.front.back().second),
                           colours);
        for (const auto& [red, green] : best.front) {
          const Outcome both = agreed(red, green);
          BOOST_TEST_REQUIRE((both.red == red && both.green == green), colours);
        }
        const Outcome tight = agreed(best.red, best.green);
        BOOST_TEST_REQUIRE((tight.red == best.red || tight.green == best.green), colours);
        const Outcome none = agreed(best.red - 1, best.green - 1);
        BOOST_TEST_REQUIRE(std::max(none.red, none.green) == best.both, colours);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(all_plans_that_nobody_can_better_are_the_exact_front) {
  for (const Known& each : known) {
    const Setting setting{each.colours, Layout::rail, 3, "C"};
    caf::NegotiationOptions options;
    for (const char* rule : {"pareto", "pareto:nash", "nash", "utilitarian", "leximin"}) {
      options.rule = caf::Selection::named(rule).value();
      const auto record = negotiated(setting, 20, 30, options);
      BOOST_TEST(is_on(each.front, outcome_of(setting, record)), each.colours << " by " << rule);
    }
  }
}

BOOST_AUTO_TEST_CASE(more_budget_never_gives_a_worse_plan) {
  const Setting setting{"GRGR", Layout::rail, 3, "C"};
  for (const std::int64_t red : {whenever, std::int64_t{48}, std::int64_t{20}}) {
    caf::NegotiationOptions options;
    std::vector<std::int64_t> scores;
    std::int64_t cost = 0;
    const std::vector<caf::Interest> clients = {{"green", worth_at(60, 60)},
                                                {"red", worth_at(red, red)}};
    for (options.limits.nodes = 2; options.limits.nodes < 600; options.limits.nodes += 7) {
      const auto record = negotiated(setting, red, 60, options);
      BOOST_TEST_REQUIRE(record.nodes <= options.limits.nodes);
      if (!record.outcome.agreed) continue;
      const caf::Plan& plan = record.outcome.plan;
      if (!scores.empty()) {
        const auto by = options.rule.compare({plan.scores, plan.cost}, {scores, cost}, clients);
        BOOST_TEST_REQUIRE((by >= 0), "budget " << options.limits.nodes);
      }
      scores = plan.scores;
      cost = plan.cost;
    }
    BOOST_TEST(!scores.empty());
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace hanoi

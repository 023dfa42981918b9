#include "rules.hpp"

#include "support/seeds.hpp"

namespace coracle::test::lying {

Rules rules_of(Random& random) {
  const auto perhaps = [&random](unsigned percent) { return below(random, 100) < percent; };
  const auto node = [](unsigned number) { return "n" + std::to_string(number) + "/**"; };
  Rules rules;
  const auto rule = [&rules](bool allows, const std::string& who, const char* action,
                             const std::string& whom) {
    rules.text += (allows ? "allow " : "deny ") + who + ' ' + action + ' ' + whom + '\n';
  };
  const std::string evil = std::string(liars_prefix) + "**";
  for (unsigned one = 0; one < honest_nodes; ++one) {
    rule(true, "host" + std::to_string(one), "register", node(one));
    rule(perhaps(35), evil, "send", node(one));
    rule(perhaps(60), node(one), "send", evil);
    rule(perhaps(20), evil, "overhear", node(one));
    rule(perhaps(80), node(one), "join", "team");
    for (unsigned other = 0; other < honest_nodes; ++other) {
      rule(perhaps(85) || one == other, node(one), "send", node(other));
      rule(perhaps(70) || one == other, node(one), "overhear", node(other));
    }
    rule(perhaps(50), node(one), "overhear", evil);
    rule(true, node(one), "overhear", "team");
    rule(true, node(one), "send", "team");
    rule(perhaps(15), evil, "redirect", node(one));
  }
  rule(true, "host" + std::to_string(honest_nodes), "register", evil);
  rule(perhaps(20), evil, "join", "team");
  rule(perhaps(50), evil, "join", evil);
  rule(true, evil, "send", evil);
  rules.policy = parse_policy(rules.text).value();
  return rules;
}

Rules open_rules() {
  Rules rules;
  rules.are_for_all = false;
  for (unsigned one = 0; one <= honest_nodes; ++one) {
    const std::string names = one < honest_nodes ? "n" + std::to_string(one) + "/" : liars_prefix;
    rules.text += "allow host" + std::to_string(one) + " register " + names + "**\n";
  }
  for (const char* const action : {"send", "overhear", "join"})
    rules.text += "allow ** " + std::string(action) + " **\n";
  rules.policy = parse_policy(rules.text).value();
  return rules;
}

}  // namespace coracle::test::lying

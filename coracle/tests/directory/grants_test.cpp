// The text of a policy: what it allows, and its errors.
#include "coracle/grants.hpp"
#include "coracle/support/glob.hpp"
#include "tests/support/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <fstream>
#include <string>

namespace coracle {

namespace {

std::shared_ptr<const Policy> policy(std::string_view text) { return parse_policy(text).value(); }

bool sends(const Policy& policy, const char* from, const char* to) {
  return policy.allows("", Action::send, from, to);
}

// Returns the error of a text that is not a policy.
std::string fault(std::string_view text) {
  const auto policy = parse_policy(text);
  if (policy) return "it is one";
  BOOST_TEST(policy.error().errc() == Errc::bad_options);
  return policy.error().sentence();
}

bool begins(const std::string& text, const std::string& with) { return text.starts_with(with); }

}  // namespace

BOOST_AUTO_TEST_SUITE(grants)

BOOST_AUTO_TEST_CASE(what_no_rule_allows_is_refused) {
  const auto nothing = policy("# nothing at all\n\n");
  for (const Action action : {Action::claim, Action::send, Action::overhear, Action::join})
    BOOST_TEST(!nothing->allows("lab", action, "ann", "bob"));
  const auto one = policy("allow ann send bob\r\n");
  BOOST_TEST(sends(*one, "ann", "bob"));
  BOOST_TEST(!sends(*one, "bob", "ann"));
  BOOST_TEST(!one->allows("ann", Action::join, "ann", "bob"));
}

BOOST_AUTO_TEST_CASE(the_first_rule_that_fits_decides) {
  const auto two = policy("deny ann send boss  # she talks\nallow ann send *\ndeny ann send bob");
  BOOST_TEST(!sends(*two, "ann", "boss"));
  BOOST_TEST(sends(*two, "ann", "bob"));
}

BOOST_AUTO_TEST_CASE(names_are_registered_by_nodes_and_all_else_is_done_by_agents) {
  const auto lab = policy("allow lab-* register lab/**");
  BOOST_TEST(lab->allows("lab-7", Action::claim, {}, "lab/robot/arm"));
  BOOST_TEST(lab->allows("lab-7", Action::claim, "anybody", "lab/robot"));
  BOOST_TEST(!lab->allows("", Action::claim, "lab-7", "lab/robot"));
  BOOST_TEST(!lab->allows("lab-7", Action::claim, {}, "lab"));
  const auto desk = policy("allow desk inspect lab/**");
  BOOST_TEST(desk->allows("desk", Action::inspect, {}, "lab/robot"));
  BOOST_TEST(!desk->allows("", Action::inspect, "desk", "lab/robot"));
  // A node without a certificate has the empty identity, which `*` fits, too.
  BOOST_TEST(policy("allow * register **")->allows("", Action::claim, {}, "a/b"));
}

BOOST_AUTO_TEST_CASE(one_star_stays_within_a_part_and_two_do_not) {
  BOOST_TEST(detail::fits("lab/*/arm", "lab/robot/arm"));
  BOOST_TEST(detail::fits("lab/r*t/arm", "lab/robot/arm"));
  BOOST_TEST(!detail::fits("lab/*", "lab/robot/arm"));
  BOOST_TEST(detail::fits("lab/**", "lab/robot/arm"));
  BOOST_TEST(detail::fits("**/arm", "lab/robot/arm"));
  BOOST_TEST(!detail::fits("**/arm", "lab/robot/arms"));
  BOOST_TEST(detail::fits("**", ""));
  BOOST_TEST(detail::fits("a**b*c", "a/x/b_c"));
  BOOST_TEST(!detail::fits("a**b*c", "a/x/b/c"));
  BOOST_TEST(!detail::fits("lab", "lab/robot"));
  const std::string stars(detail::longest_glob + 1, '*');
  BOOST_TEST(!detail::fits(stars, "lab"));
}

BOOST_AUTO_TEST_CASE(a_pattern_full_of_stars_takes_no_time) {
  std::string pattern;
  while (pattern.size() + 3 < detail::longest_glob) pattern += "*a";
  BOOST_TEST(!detail::fits(pattern + "b", std::string(255, 'a')));
}

BOOST_AUTO_TEST_CASE(who_may_overhear_nobody_need_not_try) {
  const auto try_it = [](const char* text) {
    return policy(text)->allows("", Action::overhear, "spy", Name());
  };
  BOOST_TEST(try_it("allow spy overhear bob"));
  BOOST_TEST(try_it("deny spy overhear boss\nallow spy overhear *"));
  BOOST_TEST(!try_it("deny spy overhear **\nallow spy overhear bob"));
  BOOST_TEST(!try_it("allow ann overhear bob\nallow spy send bob"));
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_said_with_its_line) {
  BOOST_TEST(begins(fault("allow a send b\n\npermit a send b"), "line 3: a rule begins with"));
  BOOST_TEST(begins(fault("allow a shout b"), "line 1: there is no right \"shout\""));
  BOOST_TEST(begins(fault("allow a send"), "line 1: a rule has four words"));
  BOOST_TEST(begins(fault("allow a send to b"), "line 1: there is text after"));
  BOOST_TEST(begins(fault("allow *** send b"), "line 1: a pattern has at most two"));
  BOOST_TEST(begins(fault("allow a send " + std::string(256, 'b')), "line 1: a pattern has at"));
  BOOST_TEST(begins(fault(std::string(policy_text_limit + 1, '\n')), "line 1: a policy has at"));
  std::string many;
  for (std::size_t rule = 0; rule <= policy_rules_limit; ++rule) many += "allow a send b\n";
  BOOST_TEST(begins(fault(many), "line 10001: a policy has at most"));
}

BOOST_AUTO_TEST_CASE(a_file_that_is_no_policy_is_named) {
  const test::TemporaryFolder folder;
  const std::string file = folder / "policy";
  BOOST_TEST((read_policy(file).error().errc() == Errc::no_such_file));
  std::ofstream(file) << "allow ann send bob\n";
  BOOST_TEST(sends(*read_policy(file).value(), "ann", "bob"));
  std::ofstream(file) << "";
  BOOST_TEST(!sends(*read_policy(file).value(), "ann", "bob"));
  std::ofstream(file) << "\nnonsense\n";
  BOOST_TEST(begins(read_policy(file).error().sentence(), file + ": line 2: "));
  BOOST_TEST((read_policy(folder.path()).error().errc() == Errc::no_such_file));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle

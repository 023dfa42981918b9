// The refusals of the nodes of a Distributed society reach the directory: each once, with the node
// that lacked the right and the node that refused it. A member that reports lies accuses others in
// its own name, and displaces only its own reports.
#include "coracle/grants.hpp"
#include "limits/asker.hpp"
#include "member.hpp"
#include "realizations/net/src/society/policy/checkpoint.hpp"
#include "support/societies/doer.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace coracle::trust {

using namespace society;
using test::Doer;

namespace {

const std::string anybody = "allow * register **\nallow * audit **\n";

// The directory on host 0, an operator on host 1, and nodes on hosts 2 and 3. The operator comes
// when it is needed: a node that stops would wait for it, because it acknowledges nothing.
struct Society {
  explicit Society(const std::string& policy)
      : lab(policy), north(node(2)), south(node(3)) {
    south.adopt(Name("bob"), std::make_unique<Doer>([](Agent& me) -> Task<> {
                  for (;;) (void)co_await me.receive();
                }));
    lab.run();
  }
  Realization node(unsigned host) { return test::linked_node(lab.world(), host, {0}); }

  void have(Node& at, const std::string& name, std::function<Task<>(Agent&)> what,
            Duration span = 1500ms) {
    at.adopt(Name(name), std::make_unique<Doer>(std::move(what)));
    lab.run(span);
  }
  // The lines of the operator, each with the node that refused: "send ann bob 3 host2".
  std::vector<std::string> audit() {
    if (!ops) ops.emplace(lab, 1);
    ops->ask(Request::audit, std::uint64_t{0});
    ops->ask(Request::census);
    lab.run();
    std::vector<std::string> lines;
    for (const Refusal& each : ops->refusals())
      lines.push_back(each.right + " " + each.from.str() + " " + each.to.str() + " " +
                      std::to_string(each.count) + " " + host(each.node) + " " + host(each.by));
    return lines;
  }
  static std::string host(const std::string& node) { return node.substr(0, node.find('.')); }

  ServiceLab lab;
  std::optional<Node> north;
  Node south;
  std::optional<Asker> ops;
};

Task<> send(Agent& me, int times, const char* to) {
  for (; times > 0; --times) co_await me.send(Name(to), Content("psst"));
}

RefusalReport lies(std::size_t count) {
  RefusalReport report;
  report.count = count;
  for (std::size_t lie = 0; lie < count; ++lie)
    report.refusals.push_back(
        {0, "host3", "", "send", Name("ann/" + std::to_string(lie)), Name("bob"), 1});
  return report;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(refusals)

BOOST_AUTO_TEST_CASE(each_message_that_a_node_refuses_is_counted_once) {
  Society society(anybody + "allow ann send bob\n");
  society.have(*society.north, "dan", [](Agent& me) { return send(me, 7, "bob"); });
  society.have(*society.north, "ann", [](Agent& me) { return send(me, 3, "bob"); });
  const std::vector<std::string> first = {"send dan bob 7 host2 host2"};
  BOOST_TEST(society.audit() == first, boost::test_tools::per_element());
  BOOST_TEST(society.ops->counts().at("refused_frames") == 7U);
  society.have(*society.north, "dan/again", [](Agent& me) { return send(me, 2, "bob"); });
  BOOST_TEST(society.audit().size() == 2U);
  BOOST_TEST(society.ops->counts().at("refused_frames") == 9U);
}

BOOST_AUTO_TEST_CASE(what_a_node_refuses_just_before_it_ends_is_reported) {
  Society society(anybody);
  const auto sending = [](Agent& me) -> Task<> {
    co_await send(me, 1, "bob");
    try {
      (void)co_await me.receive();
    } catch (const Error&) {
      // The node stops.
    }
    co_await send(me, 2, "bob");
  };
  society.have(*society.north, "dan", sending);
  society.north.reset();
  const std::vector<std::string> all = {"send dan bob 3 host2 host2"};
  BOOST_TEST(society.audit() == all, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_refused_redirection_is_charged_to_the_mailbox) {
  Society society(anybody + "allow ** send tray\nallow tray send **\n");
  society.have(*society.north, "dan", [](Agent&) -> Task<> { co_return; });
  society.north->adopt(
      AgentSpec("tray").mailbox(MailboxOptions().messages(1).redirect_to(Name("bob"))),
      std::make_unique<Doer>([](Agent& me) -> Task<> { co_await me.pause(Deadline::never()); }));
  society.have(society.south, "zoe", [](Agent& me) { return send(me, 2, "tray"); });
  const std::vector<std::string> all = {"redirect tray bob 1 host2 host2"};
  BOOST_TEST(society.audit() == all, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_message_that_its_sender_does_not_empty_is_refused_by_its_receiver) {
  Authority authority(parse_policy(anybody).value(), [](const std::string&) {});
  authority.opened(2, {"host2", "dan's"});
  Checkpoint checkpoint(authority);
  const Bytes frame = message({.target = "bob", .source = "dan"});
  BOOST_TEST((checkpoint.rule_on_whole({2, 3}, frame) == Checkpoint::Ruling::replaced));
  const Bytes emptied = checkpoint.instead();
  const RefusalReport report = authority.take_refusals();
  BOOST_TEST(report.count == 1U);
  BOOST_TEST_REQUIRE(report.refusals.size() == 1U);
  BOOST_TEST(report.refusals.front().certified == "dan's");
  BOOST_TEST(!authority.has_refused());
  checkpoint.forget({2, 3});
  BOOST_TEST((checkpoint.rule_on_whole({2, 3}, emptied) == Checkpoint::Ruling::replaced));
  BOOST_TEST((checkpoint.instead() == emptied));
  BOOST_TEST(!authority.has_refused());
}

BOOST_AUTO_TEST_CASE(a_report_bears_the_name_of_its_node_and_displaces_only_reports_of_that_node) {
  Society society(anybody);
  Asker eve(society.lab, 4);
  society.have(*society.north, "dan", [](Agent& me) { return send(me, 1, "bob"); });
  for (int times = 0; times < 20; ++times)
    eve.ask(Request::report_refusals, lies(Refusals::most_reported));
  society.lab.run();
  BOOST_TEST(society.audit().size() == 1 + Refusals::most_reported);
  for (std::size_t fresh = 0; fresh < 5000; fresh += 250) {
    RefusalReport report = lies(250);
    for (Refusal& each : report.refusals) each.node = "lie " + std::to_string(fresh);
    eve.ask(Request::report_refusals, report);
  }
  society.lab.run();
  const std::vector<std::string> lines = society.audit();
  BOOST_TEST(lines.size() == 1 + Refusals::most_reported);
  BOOST_TEST(lines.front() == "send dan bob 1 host2 host2");
  BOOST_TEST(std::all_of(lines.begin() + 1, lines.end(),
                         [](const std::string& line) { return line.ends_with(" host4"); }));
  BOOST_TEST(eve.ended().empty());
}

BOOST_AUTO_TEST_CASE(a_report_of_an_unknown_right_or_of_too_many_kinds_ends_the_connection) {
  Society society(anybody);
  Asker eve(society.lab, 4);
  RefusalReport report = lies(1);
  report.refusals.front().right = "\x1b[8m";
  eve.ask(Request::report_refusals, report);
  society.lab.run();
  BOOST_TEST(eve.ended().size() == 1U);
  eve.ask(Request::report_refusals, lies(Refusals::most_reported + 1));
  society.lab.run(1s);
  BOOST_TEST(eve.ended().size() == 2U);
  BOOST_TEST(society.audit().empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::trust

// A society of a clearinghouse with a policy, over sockets: the refusals that its agents receive.
#include "coracle/coracle.hpp"
#include "coracle/realizations/central.hpp"
#include "tests/support/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <fstream>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace coracle::central {

namespace {

using namespace std::chrono_literals;

struct Society {
  explicit Society(const std::string& policy) {
    write(policy);
    ServerOptions options;
    options.listen = {"unix://" + (folder / "server")};
    options.policy = folder / "policy";
    options.log = [this](const std::string& line) {
      const std::lock_guard lock(mutex);
      log.push_back(line);
    };
    server.emplace(std::move(options));
  }

  void write(const std::string& policy) { std::ofstream(folder / "policy") << policy; }
  Realization node() const {
    Options options;
    options.server = server->endpoints().front();
    return realization(std::move(options));
  }
  std::size_t lines(const std::string& with) {
    const std::lock_guard lock(mutex);
    std::size_t count = 0;
    for (const std::string& line : log) count += line.find(with) != line.npos ? 1 : 0;
    return count;
  }

  const test::TemporaryFolder folder;
  std::mutex mutex;  // guards `log`
  std::vector<std::string> log;
  std::optional<Server> server;
};

template <class Act>
std::optional<Errc> fails(Act act) {
  try {
    act();
    return std::nullopt;
  } catch (const Error& error) {
    return error.errc();
  }
}

const std::string anybody = "allow * register **\n";

}  // namespace

BOOST_AUTO_TEST_SUITE(policy)

BOOST_AUTO_TEST_CASE(a_name_is_registered_with_a_grant_only) {
  Society society("allow * register lab/*\n");
  Node node(society.node());
  const Port ann(node, "lab/ann");
  BOOST_TEST((fails([&] { const Port eve(node, "eve"); }) == Errc::not_permitted));
  BOOST_TEST(society.lines("register the name 'eve'") == 1u);
}

BOOST_AUTO_TEST_CASE(who_may_not_send_is_told_and_who_may_is_heard) {
  Society society(anybody + "allow ann send bob\nallow bob send *\n");
  Node north(society.node()), south(society.node());
  Port ann(north, "ann"), eve(north, "eve"), bob(south, "bob");
  const auto refused = [&] { (void)eve.ask("bob", Content("may I?"), 60s); };
  BOOST_TEST((fails(refused) == Errc::not_permitted));
  BOOST_TEST(!eve.send_until(Stage::delivered, Post("bob", Content("or so?")), 60s));
  eve.send("bob", Content(std::string(std::size_t{1} << 20, 'x')));
  ann.send("bob", "yes");
  // No message of the others has reached bob.
  const Message heard = bob.receive();
  BOOST_TEST(heard.text() == "yes");
  BOOST_TEST(bob.receive(from("eve"), Deadline(0s)).has_value() == false);
  BOOST_TEST(society.lines("have 'eve' send to 'bob'") == 1u);
  // More than a window of refused messages blocks nobody.
  for (int many = 0; many < 100; ++many) eve.send("bob", Content(std::string(20'000, 'x')));
  BOOST_TEST((fails(refused) == Errc::not_permitted));
  ann.send("bob", "still");
  BOOST_TEST(bob.receive().text() == "still");
}

BOOST_AUTO_TEST_CASE(who_may_not_overhear_is_told_and_hears_nothing) {
  Society society(anybody + "allow * send *\nallow spy overhear b*\nallow spy overhear ann\n");
  Node north(society.node()), south(society.node()), west(society.node());
  Port ann(north, "ann"), bob(south, "bob"), boss(south, "boss"), eve(west, "eve"),
      spy(west, "spy"), zoe(north, "zoe");
  BOOST_TEST((fails([&] { (void)eve.overhear(Pattern()); }) == Errc::not_permitted));
  (void)spy.overhear(Pattern());
  zoe.send("bob", "of zoe there is no grant");
  ann.send("bob", "hello");
  BOOST_TEST(spy.receive().text() == "hello");
  BOOST_TEST(!eve.receive(Match(), Deadline(0s)).has_value());
}

BOOST_AUTO_TEST_CASE(nobody_overhears_what_is_refused) {
  Society society(anybody + "allow ann send *\nallow spy overhear **\n");
  Node north(society.node()), south(society.node()), west(society.node());
  Port ann(north, "ann"), eve(north, "eve"), bob(south, "bob"), spy(west, "spy");
  (void)spy.overhear(Pattern());
  eve.send("bob", "refused");
  BOOST_TEST(
      (fails([&] { (void)eve.ask("bob", Content("refused, too"), 60s); }) == Errc::not_permitted));
  ann.send("bob", "allowed");
  BOOST_TEST(spy.receive().text() == "allowed");
  BOOST_TEST(!spy.receive(Match(), Deadline(0s)).has_value());
}

BOOST_AUTO_TEST_CASE(a_group_is_joined_with_a_grant_only) {
  Society society(anybody + "allow ann join teams/*\n");
  Node node(society.node());
  Port ann(node, "ann"), eve(node, "eve");
  ann.join(Group("teams/red"));
  BOOST_TEST((fails([&] { eve.join(Group("teams/red")); }) == Errc::not_permitted));
  BOOST_TEST((fails([&] { ann.join(Group("others")); }) == Errc::not_permitted));
}

BOOST_AUTO_TEST_CASE(what_is_handed_over_is_judged_as_if_it_were_sent) {
  Society society(anybody + "allow ann send *\n");
  {
    Node north(society.node());
    Port ann(north, "ann"), eve(north, "eve");
    eve.send("bob", "I may not");
    ann.send("bob", "I may");
    const StopReport report = north.stop(Deadline(60s));
    std::uint64_t kept = 0, lost = 0;
    for (const StopReport::Undelivered& left : report.undelivered) {
      (left.kept ? kept : lost) += left.messages;
      if (!left.kept) BOOST_TEST((left.why == Errc::not_permitted));
    }
    BOOST_TEST(kept == 1u);
    BOOST_TEST(lost == 1u);
  }
  Node south(society.node());
  Port bob(south, "bob");
  BOOST_TEST(bob.receive().text() == "I may");
  BOOST_TEST(!bob.receive(Match(), Deadline(0s)).has_value());
}

BOOST_AUTO_TEST_CASE(another_policy_disconnects_nobody_and_a_broken_one_changes_nothing) {
  Society society(anybody + "allow ann send bob\n");
  Node north(society.node()), south(society.node());
  Port ann(north, "ann"), eve(north, "eve"), bob(south, "bob");
  const auto delivers = [](Port& who) {
    return who.send_until(Stage::delivered, Post("bob", Content("hello")), 60s);
  };
  BOOST_TEST(delivers(ann));
  BOOST_TEST(!delivers(eve));
  society.write("allow eve send bob\nallow nonsense\n");
  BOOST_TEST((society.server->read_policy_again().error().errc() == Errc::bad_options));
  BOOST_TEST(society.lines("policy: line 2: ") == 1u);
  BOOST_TEST(delivers(ann));
  BOOST_TEST(!delivers(eve));
  society.write("allow eve send bob\n");
  BOOST_TEST(society.server->read_policy_again().has_value());
  BOOST_TEST(!delivers(ann));
  BOOST_TEST(delivers(eve));
}

BOOST_AUTO_TEST_CASE(a_server_does_not_begin_with_a_policy_that_it_cannot_read) {
  ServerOptions options;
  options.listen = {"127.0.0.1:0"};
  options.policy = "/nowhere/policy";
  BOOST_TEST((fails([&] { const Server server(options); }) == Errc::no_such_file));
  options.policy.clear();
  Server server(options);
  BOOST_TEST((server.read_policy_again().error().errc() == Errc::bad_options));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::central

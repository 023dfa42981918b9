// The right to take over a name from another node: a certificate proves the owner; without a
// certificate, the holder's node must permit takeovers.
#include "linked/linked_hosts.hpp"
#include "realizations/net/src/session.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>
#include <vector>

namespace coracle::test {

namespace {

constexpr unsigned service_host = 3;

using Vouch = std::function<void(net::Greeting&)>;

sim::Options trio_and_service() {
  sim::Options options;
  options.nodes = service_host + 1;
  return options;
}

// Three nodes beside a directory or a clearinghouse. bob is on node 1.
class Trio : public Nodes {
 public:
  Trio(Linked kind, bool lets_take_over, const Vouch& vouch = {})
      : Nodes(trio_and_service(), service_host,
              [kind, lets_take_over, vouch, service = std::make_shared<Service>()](
                  sim::World& world, unsigned host) {
                if (!*service) {
                  *service = std::make_unique<LinkedDirectory>(world, service_host, kind, 0,
                                                               LinkedGuard{nullptr, vouch, {}});
                }
                central::Options options;
                options.takeover = lets_take_over;
                return linked_node(world, host, {service_host}, kind, options);
              },
              {}) {
    start(1, "bob", reader(first, 1));
  }

  std::optional<Error> take_over_at(unsigned host) {
    return error_from([&] { start(host, AgentSpec("bob").take_over(), reader(second, 1)); });
  }
  // The present holder of the name bob reads a message.
  void say_something() {
    start(0, "ann", sender("bob", 0, 1));
    until([this] { return first.size() + second.size() == 1; });
  }

  std::vector<std::string> first, second;

 private:
  using Service = std::unique_ptr<LinkedDirectory>;
};

constexpr Linked both_kinds[] = {Linked::distributed, Linked::central};

// Nodes 1 and 2 have this certificate; node 0 has another.
void vouch_for_two(net::Greeting& greeting) {
  greeting.certified = greeting.node.starts_with("host0") ? "desk" : "lab";
}

void vouch_for_each(net::Greeting& greeting) { greeting.certified = greeting.node.substr(0, 5); }

void vouch_for_the_holder(net::Greeting& greeting) {
  if (greeting.node.starts_with("host1")) greeting.certified = "lab";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(takeover_rights)

BOOST_AUTO_TEST_CASE(another_process_that_proves_nothing_is_refused_with_the_setting) {
  for (const Linked kind : both_kinds) {
    Trio trio(kind, false);
    const auto error = trio.take_over_at(2);
    BOOST_REQUIRE(error);
    BOOST_TEST((error->errc() == Errc::not_permitted));
    BOOST_TEST(error->sentence() ==
               "'bob' is held by another process, and no certificate proves that both are of one "
               "owner; wait until that process ends, or start it with takeover=yes in the text of "
               "open()");
    trio.say_something();
    BOOST_TEST(trio.first.size() == 1U, "the holder has lost its name");
  }
}

BOOST_AUTO_TEST_CASE(a_holder_that_lets_others_is_relieved_by_one_of_the_same_identity) {
  for (const Linked kind : both_kinds) {
    Trio trio(kind, true);
    BOOST_TEST(!trio.take_over_at(2));
    trio.say_something();
    BOOST_TEST(trio.second.size() == 1U);
  }
}

BOOST_AUTO_TEST_CASE(a_node_takes_over_its_own_names_without_being_let) {
  for (const Linked kind : both_kinds) {
    Trio trio(kind, false);
    BOOST_TEST(!trio.take_over_at(1));
    trio.say_something();
    BOOST_TEST(trio.second.size() == 1U);
  }
}

BOOST_AUTO_TEST_CASE(a_node_that_begins_again_has_its_name_back_when_its_lease_has_ended) {
  for (const Linked kind : both_kinds) {
    Trio trio(kind, false);
    trio.crash(1);
    trio.restart(1);
    const auto early = trio.take_over_at(1);
    BOOST_REQUIRE(early);
    BOOST_TEST((early->errc() == Errc::not_permitted));
    trio.world().run_for(6s);  // its end is known within five seconds
    BOOST_TEST(!trio.take_over_at(1));
    trio.say_something();
    BOOST_TEST(trio.second.size() == 1U);
  }
}

BOOST_AUTO_TEST_CASE(a_node_that_begins_again_at_once_is_let_by_the_setting) {
  for (const Linked kind : both_kinds) {
    Trio trio(kind, true);
    trio.crash(1);
    trio.restart(1);
    BOOST_TEST(!trio.take_over_at(1));
    trio.say_something();
    BOOST_TEST(trio.second.size() == 1U);
  }
}

BOOST_AUTO_TEST_CASE(nodes_of_one_certificate_may_and_those_of_another_may_not) {
  for (const Linked kind : both_kinds) {
    Trio trio(kind, false, &vouch_for_two);
    const auto error = trio.take_over_at(0);
    BOOST_REQUIRE(error);
    BOOST_TEST((error->errc() == Errc::not_permitted));
    BOOST_TEST(error->sentence().find("another identity") != std::string::npos);
    BOOST_TEST(!trio.take_over_at(2));
    trio.say_something();
    BOOST_TEST(trio.second.size() == 1U);
  }
}

// All nodes report that they are "local".
BOOST_AUTO_TEST_CASE(a_certificate_counts_and_not_what_is_claimed_even_where_others_are_let) {
  for (const Linked kind : both_kinds) {
    for (const Vouch& vouch : {Vouch(&vouch_for_each), Vouch(&vouch_for_the_holder)}) {
      Trio trio(kind, true, vouch);
      const auto error = trio.take_over_at(2);
      BOOST_REQUIRE(error);
      BOOST_TEST((error->errc() == Errc::not_permitted));
    }
  }
}

BOOST_AUTO_TEST_CASE(what_a_certificate_proves_cannot_be_claimed) {
  for (const Linked kind : both_kinds) {
    sim::World world(trio_and_service());
    const LinkedDirectory service(world, service_host, kind);
    NodeOptions options;
    options.identity = "certificate:lab local";
    const auto error =
        error_from([&] { const Node node(linked_node(world, 0, {service_host}, kind), options); });
    BOOST_REQUIRE(error);
    BOOST_TEST((error->errc() == Errc::bad_options));
    BOOST_TEST(error->sentence().find("NodeOptions::identity") != std::string::npos);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test

// The room of a directory facilitator is shared by hosts: a host can invent platforms, but no
// hosts.
#include "support/facilitator.hpp"

namespace coracle::fipa::test {

BOOST_FIXTURE_TEST_SUITE(facilitator_room, AFacilitator)

BOOST_AUTO_TEST_CASE(the_host_with_the_most_entries_loses_one_to_a_host_with_fewer) {
  const auto agent = [](int number) {
    return acl::AgentId{.name = "x@invented" + std::to_string(number)};
  };
  const auto registers = [&](const acl::AgentId& who, const std::string& host) {
    const Messages said =
        facilitator.on_message(request(who, fm::Register{described(who, "sonar")}), begin, host);
    return said.back().performative;
  };
  for (int i = 0; i < 6; ++i) BOOST_TEST((registers(agent(i), "liar") == Performative::inform));
  BOOST_TEST(facilitator.entries() == 6U);
  BOOST_TEST((registers(agent(6), "liar") == Performative::failure));
  // The other host gets as much as the first one keeps.
  const acl::AgentId others[] = {
      {.name = "a@p2"}, {.name = "b@p2"}, {.name = "a@p3"}, {.name = "b@p3"}};
  for (int i = 0; i < 3; ++i) BOOST_TEST((registers(others[i], "other") == Performative::inform));
  BOOST_TEST((registers(others[3], "other") == Performative::failure));
  BOOST_TEST(facilitator.entries() == 6U);
  for (int i = 0; i < 3; ++i) BOOST_TEST(facilitator.entry(others[i].name) != nullptr);
  // Its agents are gone, and free their room.
  BOOST_TEST(facilitator.take_changed().size() == 12U);
  facilitator.on_message(request(others[0], fm::Deregister{described(others[0], "sonar")}), begin);
  BOOST_TEST((registers(agent(7), "liar") == Performative::inform));
}

BOOST_AUTO_TEST_CASE(the_host_with_the_most_subscriptions_loses_one_and_is_told) {
  const auto subscribe = [&](const acl::AgentId& who, const std::string& host) {
    acl::Message asked = message(who, Performative::subscribe,
                                 acl::subscription_content(df, acl::to_term(searching("sonar"))));
    asked.conversation_id = "s-" + who.name;
    return facilitator.on_message(asked, begin, host);
  };
  BOOST_TEST(subscribe({.name = "x@p5"}, "liar").empty());
  BOOST_TEST(subscribe({.name = "x@p6"}, "liar").empty());
  BOOST_TEST(subscribe({.name = "x@p7"}, "liar").size() == 1U);  // a failure
  const Messages said = subscribe(zed, "other");
  BOOST_TEST_REQUIRE(said.size() == 1U);
  BOOST_TEST((said[0].performative == Performative::failure));
  BOOST_TEST((said[0].receivers == std::vector{acl::AgentId{.name = "x@p5"}}));
  BOOST_TEST(facilitator.subscriptions() == 2U);
}

BOOST_AUTO_TEST_CASE(the_host_with_the_most_searches_under_way_gets_one_answered_at_once) {
  enter({.name = "df@p2"}, "fipa-df");
  facilitator.put_own(described({.name = "ann@ours"}, "sonar"), begin);
  const auto search = [&](const acl::AgentId& who, const std::string& host) {
    return facilitator.on_message(request(who, searching("sonar", -1, 1)), begin, host);
  };
  const auto is_passed = [](const Messages& said) {
    return said.front().receivers == std::vector{acl::AgentId{.name = "df@p2"}};
  };
  BOOST_TEST(is_passed(search({.name = "x@p5"}, "liar")));
  BOOST_TEST(is_passed(search({.name = "x@p6"}, "liar")));
  // The third one of the host is answered from this facilitator's entries alone.
  const Messages third = search({.name = "x@p7"}, "liar");
  BOOST_TEST_REQUIRE(third.size() == 1U);
  BOOST_TEST((names_in(third[0]) == std::vector<std::string>{"ann@ours"}));
  BOOST_TEST(is_passed(search({.name = "x@p8"}, "third")));
  const Messages said = search(zed, "other");
  BOOST_TEST_REQUIRE(said.size() == 2U);
  BOOST_TEST(is_passed(said));
  BOOST_TEST((said[1].receivers == std::vector{acl::AgentId{.name = "x@p5"}}));
  BOOST_TEST((names_in(said[1]) == std::vector<std::string>{"ann@ours"}));
  // All hosts have one now.
  BOOST_TEST(!is_passed(search({.name = "y@p9"}, "fourth")));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::fipa::test

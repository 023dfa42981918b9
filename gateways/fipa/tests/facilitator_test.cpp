// A directory facilitator: entries, searches, subscriptions, leases, other facilitators, and
// partners that lie.
#include "support/facilitator.hpp"

namespace coracle::fipa::test {

BOOST_FIXTURE_TEST_SUITE(facilitator, AFacilitator)

BOOST_AUTO_TEST_CASE(an_agent_registers_is_found_changes_its_entry_and_leaves) {
  enter(zed, "sonar");
  BOOST_TEST(
      (names_in(only(request(eve, searching("SONAR")))) == std::vector<std::string>{"zed@p2"}));
  BOOST_TEST((only(request(zed, fm::Modify{described(zed, "lamp")})).performative ==
              Performative::inform));
  BOOST_TEST(names_in(only(request(eve, searching("sonar")))).empty());
  BOOST_TEST((only(request(zed, fm::Deregister{described(zed, "lamp")})).performative ==
              Performative::inform));
  BOOST_TEST(names_in(only(request(eve, searching("lamp")))).empty());
}

BOOST_AUTO_TEST_CASE(agents_of_the_society_are_found_and_belong_to_it) {
  const acl::AgentId ann{.name = "ann@ours"};
  facilitator.put_own(described(ann, "sonar"), begin);
  BOOST_TEST(
      (names_in(only(request(eve, searching("sonar")))) == std::vector<std::string>{"ann@ours"}));
  BOOST_TEST(refusal(request(ann, fm::Deregister{described(ann, "sonar")}),
                     Performative::failure) == "not-registered");
  facilitator.remove_own("ANN@ours", begin);
  BOOST_TEST(facilitator.entries() == 0U);
}

BOOST_AUTO_TEST_CASE(an_agent_of_the_society_may_register_itself_and_its_words_count) {
  const acl::AgentId ann{.name = "ann@ours"};
  facilitator.put_own(described(ann, "agent"), begin);
  enter(ann, "sonar");
  facilitator.put_own(described(ann, "agent"), begin);
  facilitator.remove_own("ann@ours", begin);
  BOOST_TEST(
      (names_in(only(request(eve, searching("sonar")))) == std::vector<std::string>{"ann@ours"}));
  BOOST_TEST(names_in(only(request(eve, searching("agent")))).empty());
  BOOST_TEST((only(request(ann, fm::Modify{described(ann, "lamp")})).performative ==
              Performative::inform));
  BOOST_TEST((only(request(ann, fm::Deregister{described(ann, "lamp")})).performative ==
              Performative::inform));
  BOOST_TEST(facilitator.entries() == 0U);
  enter(ann, "sonar");
  facilitator.end_own("Ann@ours", begin);
  BOOST_TEST(facilitator.entries() == 0U);
}

BOOST_AUTO_TEST_CASE(nobody_changes_the_entry_of_another_agent) {
  enter(zed, "sonar");
  BOOST_TEST(refusal(request(eve, fm::Deregister{described(zed, "sonar")}), Performative::refuse) ==
             "unauthorised");
  BOOST_TEST(refusal(request(eve, fm::Register{described({.name = "df@ours"}, "fipa-df")}),
                     Performative::refuse) == "unauthorised");
}

BOOST_AUTO_TEST_CASE(a_request_that_cannot_be_done_gets_the_reason) {
  BOOST_TEST(refusal(request(zed, fm::Modify{described(zed, "x")}), Performative::failure) ==
             "not-registered");
  enter(zed, "sonar");
  BOOST_TEST(refusal(request(zed, fm::Register{described(zed, "x")}), Performative::failure) ==
             "already-registered");
  BOOST_TEST(refusal(request(zed, fm::Register{Description()}), Performative::refuse) ==
             "missing-parameter");
  Description nameless = described(eve, "x");
  nameless.services[0].name.reset();
  BOOST_TEST(refusal(request(eve, fm::Register{nameless}), Performative::refuse) ==
             "missing-parameter");
  BOOST_TEST(refusal(message(eve, Performative::request, "((action me"),
                     Performative::not_understood) == "unrecognised-value");
  BOOST_TEST(refusal(message(eve, Performative::propose, "x"), Performative::not_understood) ==
             "unsupported-act");
  acl::Message french = request(eve, searching("sonar"));
  french.language = "french";
  BOOST_TEST(refusal(french, Performative::not_understood) == "unsupported-value");
}

BOOST_AUTO_TEST_CASE(a_platform_and_the_whole_have_limits) {
  for (const char* each : {"a@p1", "b@p1"}) enter({.name = each}, "x");
  BOOST_TEST(refusal(request({.name = "c@p1"}, fm::Register{described({.name = "c@p1"}, "x")}),
                     Performative::failure) == "internal-error");
  for (const char* each : {"a@p2", "b@p2", "a@p3", "b@p3"}) enter({.name = each}, "x");
  BOOST_TEST(refusal(request({.name = "a@p4"}, fm::Register{described({.name = "a@p4"}, "x")}),
                     Performative::failure) == "internal-error");
  BOOST_TEST(names_in(only(request(eve, searching("x", 1000)))).size() == 4U);
  BOOST_TEST(names_in(only(request(eve, searching("x", 3)))).size() == 3U);
  BOOST_TEST(names_in(only(request(eve, searching("x", 0)))).empty());
  fm::Search one = searching("x");
  one.constraints.max_results.reset();
  BOOST_TEST(names_in(only(request(eve, one))).size() == 1U);
}

BOOST_AUTO_TEST_CASE(an_entry_ends_with_its_lease) {
  enter(zed, "sonar");
  Description brief = described(eve, "sonar");
  brief.lease_time = acl::date_time_of(begin + 10s);
  BOOST_TEST((only(request(eve, fm::Register{brief})).performative == Performative::inform));
  BOOST_TEST((*facilitator.next_time() == begin + 10s));
  BOOST_TEST(names_in(only(request(zed, searching("sonar")), begin + 11s)).size() == 1U);
  facilitator.take_changed();
  facilitator.on_time(begin + 11s);
  BOOST_TEST(facilitator.entries() == 1U);
  BOOST_TEST((facilitator.take_changed() == std::vector<std::string>{"eve@p3"}));
  BOOST_TEST(facilitator.take_changed().empty());
  BOOST_TEST((*facilitator.next_time() == begin + 1h));  // the longest lease
  Description endless = described(eve, "sonar");
  endless.lease_time = acl::date_time_of(begin + 1000h);
  const acl::Message said = only(request(eve, fm::Register{endless}));
  const auto done = acl::read_done(acl::text_of(said));
  BOOST_TEST(std::string(acl::text_of(said)).find(acl::to_text(acl::date_time_of(begin + 1h))) !=
             std::string::npos);
  BOOST_TEST(done.has_value());
}

BOOST_AUTO_TEST_CASE(a_subscriber_is_notified_until_it_cancels) {
  acl::Message subscription =
      message(eve, Performative::subscribe,
              acl::subscription_content(df, acl::to_term(searching("sonar"))));
  subscription.language = "fipa-sl";
  BOOST_TEST(facilitator.on_message(subscription, begin).empty());
  Messages said =
      facilitator.on_message(request(zed, fm::Register{described(zed, "sonar")}), begin);
  BOOST_TEST_REQUIRE(said.size() == 2U);  // first the subscriber's
  BOOST_TEST((said[0].receivers == std::vector{eve}));
  BOOST_TEST(said[0].in_reply_to == subscription.reply_with);
  BOOST_TEST(acl::read_notification(acl::text_of(said[0])).has_value());
  facilitator.on_message(request({.name = "x@p4"}, fm::Register{described({.name = "x@p4"}, "y")}),
                         begin);
  said = facilitator.on_time(begin + 2h);
  BOOST_TEST_REQUIRE(said.size() == 1U);  // zed's lease has ended
  const auto gone = acl::read_notification(acl::text_of(said[0]));
  const auto entry = acl::from_term<Description>((*acl::sl::elements_of(*gone))[0].value);
  BOOST_TEST(entry.services.empty());
  BOOST_TEST((only(message(eve, Performative::cancel, "")).performative == Performative::inform));
  BOOST_TEST(facilitator.subscriptions() == 0U);
  BOOST_TEST((only(message(eve, Performative::cancel, "")).performative == Performative::failure));
}

BOOST_AUTO_TEST_CASE(a_search_goes_to_other_facilitators_and_their_answers_come_together) {
  const acl::AgentId other{.name = "df@p2"};
  enter(other, "fipa-df");
  facilitator.put_own(described({.name = "ann@ours"}, "sonar"), begin);
  const acl::Message asked = request(eve, searching("sonar", -1, 2));
  Messages said = facilitator.on_message(asked, begin);
  BOOST_TEST_REQUIRE(said.size() == 1U);
  BOOST_TEST((said[0].receivers == std::vector{other}));
  const auto passed = acl::read_request(acl::text_of(said[0]));
  const auto search = acl::from_term<fm::Search>(passed->act);
  BOOST_TEST(*search.constraints.max_depth == 1);
  BOOST_TEST(*search.constraints.max_results == 3);
  BOOST_TEST(search.constraints.search_id.has_value());

  acl::Message lie = acl::reply(said[0], Performative::inform);
  lie.sender = eve;
  lie.content =
      acl::result_content(passed->text, acl::to_term(std::vector{described(eve, "sonar")}));
  BOOST_TEST(facilitator.on_message(lie, begin).empty());
  acl::Message result = lie;
  result.sender = other;
  result.content = acl::result_content(
      passed->text, acl::to_term(std::vector{described(zed, "sonar"), described(zed, "sonar"),
                                             described({.name = "ANN@ours"}, "sonar")}));
  said = facilitator.on_message(result, begin);
  BOOST_TEST_REQUIRE(said.size() == 1U);
  BOOST_TEST((said[0].receivers == std::vector{eve}));
  BOOST_TEST((names_in(said[0]) == std::vector<std::string>{"ann@ours", "zed@p2"}));
  BOOST_TEST(facilitator.on_message(result, begin).empty());  // once more
}

BOOST_AUTO_TEST_CASE(a_search_that_comes_back_is_refused_and_a_silent_facilitator_ends_none) {
  const acl::AgentId other{.name = "df@p2"};
  enter(other, "fipa-df");
  fm::Search search = searching("sonar", -1, 3);
  search.constraints.search_id = "s1";
  const Messages said = facilitator.on_message(request(eve, search), begin);
  BOOST_TEST(said.size() == 1U);
  BOOST_TEST(refusal(request(other, search), Performative::failure) == "internal-error");
  BOOST_TEST((*facilitator.next_time() == begin + 5min));
  const Messages late = facilitator.on_time(begin + 5min);
  BOOST_TEST_REQUIRE(late.size() == 1U);
  BOOST_TEST(names_in(late[0]).empty());

  search.constraints.search_id = "s2";
  const Messages again = facilitator.on_message(request(eve, search), begin);
  acl::Message lost = acl::reply(again[0], Performative::failure);
  lost.sender = {.name = "ams@ours"};
  BOOST_TEST(facilitator.on_message(lost, begin).size() == 1U);
}

BOOST_AUTO_TEST_CASE(it_joins_another_facilitator_as_its_child_and_leaves_it) {
  const acl::Message joining = facilitator.join({.name = "df@p2"});
  const auto asked = acl::read_request(acl::text_of(joining));
  const auto entry = std::get<Description>(acl::from_term<fm::Register>(asked->act).description);
  BOOST_TEST(entry.name->name == "df@ours");
  BOOST_TEST(*entry.services.at(0).type == "fipa-df");
  const acl::Message leaving = facilitator.leave({.name = "df@p2"});
  const auto ended = acl::read_request(acl::text_of(leaving));
  const auto left = std::get<Description>(acl::from_term<fm::Deregister>(ended->act).description);
  BOOST_TEST(left.name->name == "df@ours");
}

BOOST_AUTO_TEST_CASE(one_platform_takes_neither_all_subscriptions_nor_all_messages_of_a_search) {
  FacilitatorLimits limits;
  limits.subscriptions_per_platform = 2;
  limits.children = 3;
  Facilitator narrow(
      df, [this] { return "id" + std::to_string(++last); }, limits);
  const auto subscribe = [&](const acl::AgentId& whom) {
    acl::Message asked = message(whom, Performative::subscribe,
                                 acl::subscription_content(df, acl::to_term(searching("sonar"))));
    asked.language = "fipa-sl";
    asked.conversation_id = "c" + std::to_string(++last);
    return narrow.on_message(asked, begin).empty();
  };
  BOOST_TEST(subscribe({.name = "a@p9"}));
  BOOST_TEST(subscribe({.name = "b@P9"}));
  BOOST_TEST(!subscribe({.name = "c@p9"}));
  BOOST_TEST(subscribe(eve));
  for (int i = 0; i < 5; ++i) {
    const acl::AgentId child{.name = "df" + std::to_string(i) + "@p9"};
    narrow.on_message(request(child, fm::Register{described(child, "fipa-df")}), begin);
  }
  BOOST_TEST(narrow.on_message(request(eve, searching("lamp", -1, 1)), begin).size() == 3U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::fipa::test

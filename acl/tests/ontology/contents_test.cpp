// Requests, answers, subscriptions and notifications, byte for byte as a JADE platform has them.
#include "coracle/acl/ontology/contents.hpp"

#include "coracle/acl/ontology/management.hpp"
#include "support/exchanges.hpp"

#include "coracle/errors.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::acl {

namespace {

namespace fm = management;

AgentId agent_in(std::string_view text) { return from_term<AgentId>(sl::term_from(text)); }

template <class T>
bool is_refused(const Result<T>& result) {
  return !result && result.error().errc() == Errc::bad_encoding;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(contents)

BOOST_AUTO_TEST_CASE(a_request_has_the_actor_the_act_and_its_own_text) {
  fm::Search search{fm::DfAgentDescription(), {}};
  search.constraints.max_results = -1;
  const std::string content = request_content(agent_in(test::d), to_term(search));
  BOOST_TEST(content == "(" + test::search_all + ")");
  const auto asked = read_request("  ( " + test::search_all + " ) ");
  BOOST_TEST_REQUIRE(asked.has_value());
  BOOST_TEST(asked.value().actor.name == "df@p1");
  BOOST_TEST((from_term<fm::Search>(asked.value().act) == search));
  BOOST_TEST(asked.value().text == test::search_all);
}

BOOST_AUTO_TEST_CASE(a_content_that_is_no_request_is_refused) {
  for (const char* each : {"", "((action A", "(p)", "((done x))", "((action me (go)))",
                           "((action (agent-identifier :name a) (go)) p)"}) {
    BOOST_TEST(is_refused(read_request(each)));
  }
}

BOOST_AUTO_TEST_CASE(the_answers_repeat_the_text_of_the_request) {
  const std::string odd =
      "(ACTION  " + test::d + " (deregister (df-agent-description :name " + test::m + " )))";
  const auto asked = read_request("(" + odd + ")");
  BOOST_TEST(done_content(asked.value().text) == "((done " + odd + "))");
  BOOST_TEST(reason_content(asked.value().text, fm::reason(fm::not_registered)) ==
             "(" + odd + " not-registered)");
  const auto found =
      std::vector{from_term<fm::DfAgentDescription>(sl::term_from(test::registered))};
  BOOST_TEST(result_content(test::search_all, to_term(found)) == test::one_found);
  BOOST_TEST(result_content(test::search_by_type, sl::sequence({})) == test::none_found);
}

BOOST_AUTO_TEST_CASE(the_answers_are_read) {
  BOOST_TEST(read_done(test::register_done).value().as_compound("action") != nullptr);
  BOOST_TEST(is_refused(read_done(test::one_found)));
  const auto result = read_result(test::one_found);
  BOOST_TEST(sl::elements_of(result.value())->size() == 1U);
  BOOST_TEST(is_refused(read_result(test::register_done)));
  BOOST_TEST(is_refused(read_result("((result x))")));
  BOOST_TEST(is_refused(read_result("((result x (sequence)) p)")));
}

BOOST_AUTO_TEST_CASE(the_reason_of_a_failure_is_read_from_all_contents_of_jade) {
  const std::vector<fm::Reason> expected = {
      fm::reason(fm::already_registered),
      fm::reason(fm::not_registered),
      fm::reason(fm::missing_parameter, "service-description", "name"),
      fm::reason(fm::unauthorised),
      fm::reason(fm::internal_error, "search-id already served"),
      fm::reason(fm::unrecognised_value, "content"),
      fm::reason("Unsupported-value", "language"),
  };
  for (std::size_t i = 0; i < expected.size(); ++i) {
    BOOST_TEST((read_reason(test::errors[i]) == expected[i]));
  }
  const fm::Reason lost = read_reason(test::undelivered);
  BOOST_TEST(lost.predicate == "MTS-error");
  BOOST_TEST(lost.arguments.at(1).find("Agent not found") != std::string::npos);
  const std::string irregular = "internal-error \"Iterated search non supported\"";
  BOOST_TEST((read_reason(irregular) == fm::reason(fm::internal_error, irregular)));
  BOOST_TEST((read_reason("") == fm::reason(fm::internal_error, "")));
  BOOST_TEST(read_reason("(" + test::search_all + ")").predicate == "internal-error");
}

BOOST_AUTO_TEST_CASE(a_subscription_identifies_the_results_of_a_search) {
  fm::DfAgentDescription pattern;
  pattern.services.emplace_back().type = "tt";
  fm::Search search{pattern, {}};
  search.constraints.max_results = -1;
  const std::string content = subscription_content(agent_in(test::d), to_term(search));
  BOOST_TEST(content == "(" + test::watched + ")");
  const auto asked = read_subscription(content);
  BOOST_TEST_REQUIRE(asked.has_value());
  BOOST_TEST(asked.value().text == test::watched);
  BOOST_TEST((from_term<fm::Search>(asked.value().act) == search));
  for (const char* each :
       {"((iota ?x (p ?x)))", "((iota ?x (result (action a b) ?y)))", "(p)", "("})
    BOOST_TEST(is_refused(read_subscription(each)));
}

BOOST_AUTO_TEST_CASE(a_notification_gives_the_results_behind_the_subscription) {
  fm::DfAgentDescription gone;
  gone.name = agent_in(test::m);
  BOOST_TEST(notification_content(test::watched, to_term(std::vector{gone})) == test::notification);
  const auto found = read_notification(test::notification);
  BOOST_TEST((from_term<std::vector<fm::DfAgentDescription>>(found.value()) == std::vector{gone}));
  BOOST_TEST(is_refused(read_notification("((iota ?x (p ?x)))")));
}

BOOST_AUTO_TEST_CASE(a_content_can_be_one_value_alone) {
  const std::string content = content_of(fm::reason(fm::missing_argument, "name"));
  BOOST_TEST(content == "((missing-argument name))");
  BOOST_TEST((value_of<fm::Reason>(content).value() == fm::reason(fm::missing_argument, "name")));
  BOOST_TEST(is_refused(value_of<fm::Search>(content)));
  BOOST_TEST(is_refused(value_of<fm::Reason>("(a b)")));
  BOOST_TEST(is_refused(value_of<fm::Reason>("(")));
}

BOOST_AUTO_TEST_CASE(a_cancel_contains_the_message_that_is_cancelled) {
  Message message;
  message.performative = Performative::subscribe;
  message.sender = agent_in(test::m);
  message.receivers = {agent_in(test::d)};
  message.protocol = "fipa-subscribe";
  message.language = "fipa-sl";
  message.ontology = fm::ontology;
  message.reply_with = "r1";
  message.conversation_id = "c1";
  message.content = "(" + test::watched + ")";
  const std::string content = cancel_content(agent_in(test::d), message);
  BOOST_TEST(content == "((action " + test::d + " (SUBSCRIBE :sender " + test::m +
                            " :receivers (sequence " + test::d +
                            ") :protocol fipa-subscribe :language fipa-sl :ontology "
                            "FIPA-Agent-Management :reply-with r1 :conversation-id c1 :content "
                            "\"(" +
                            test::watched + ")\")))");
  BOOST_TEST((read_cancel(content).value() == message));
  BOOST_TEST(is_refused(read_cancel("((action " + test::d + " (go)))")));
}

BOOST_AUTO_TEST_CASE(a_message_within_a_content_keeps_all_its_parameters) {
  Message message;
  message.performative = Performative::accept_proposal;
  message.receivers = {{"a", {}, {}, {}}, {"b", {}, {}, {}}};
  message.reply_to = {{"c", {}, {}, {}}};
  message.content = Bytes{std::byte{0}, std::byte{7}};
  message.encoding = "e";
  message.in_reply_to = "true";
  message.reply_by = date_time_from("20231114T221320123Z");
  BOOST_TEST((from_term<Message>(sl::term_from(to_text(to_term(message)))) == message));
  const Message empty{.performative = Performative::agree};
  BOOST_TEST((from_term<Message>(to_term(empty)) == empty));
  Message none;
  for (const char* each : {"(agree x)", "(sing :content x)", "agree", "(agree :content 5)"}) {
    BOOST_TEST(from_term(sl::term_from(each), none).has_value());
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::acl

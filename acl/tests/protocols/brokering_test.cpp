// The messages of brokers and recruiters.
#include "coracle/acl/protocols/brokering.hpp"

#include "support/conversing.hpp"

#include "coracle/acl/sl/level.hpp"
#include "coracle/acl/sl/text.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::acl {

using test::agent;
using test::at;
using namespace std::chrono_literals;
using Act = Performative;

namespace {

Proxy some_proxy() {
  Proxy proxy;
  proxy.targets = sl::term_from("(all ?x (sells ?x books))");
  proxy.message = test::message(Act::request, "ann", {});
  proxy.message.reply_with = "inner";
  proxy.message.protocol = "fipa-request";
  return proxy;
}

Session client_of(const Proxy& proxy, const Protocol& protocol) {
  Message opening = test::message(Act::proxy, "ann", {"bob"});
  opening.protocol = protocol.name;
  opening.conversation_id = "c1";
  opening.reply_with = "outer";
  opening.content = proxy_content(agent("bob"), proxy);
  return {protocol, opening, agent("bob"), "b", Calendar(), at(0s)};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(brokering)

BOOST_AUTO_TEST_CASE(a_proxy_reads_back_as_it_was_written) {
  const Proxy proxy = some_proxy();
  const std::string content = proxy_content(agent("bob"), proxy);
  BOOST_TEST(content ==
             "((all ?x (sells ?x books)) (action (agent-identifier :name bob) (REQUEST :sender "
             "(agent-identifier :name ann) :protocol fipa-request :language fipa-sl0 :reply-with "
             "inner :content \"(p)\")) true)");
  BOOST_TEST((read_proxy(content).value() == proxy));
  BOOST_TEST((sl::level_of(sl::content_from(content)) == sl::Level::sl2));
  for (const char* each : {"", "(p)", "(a b c)", "(a (action b (go)) true)", "((all ?x p) b c)"}) {
    BOOST_TEST(!read_proxy(each).has_value());
  }
}

BOOST_AUTO_TEST_CASE(a_message_is_brokered_if_its_answers_are_all_that_follows) {
  const auto protocol = [](Act act, std::string name = "") {
    Message made = test::message(act, "ann", {});
    made.protocol = std::move(name);
    return brokered_protocol(made);
  };
  BOOST_TEST(protocol(Act::request) == &request_protocol);
  BOOST_TEST(protocol(Act::query_ref, "fipa-query") == &query_protocol);
  BOOST_TEST(protocol(Act::subscribe) == &subscribe_protocol);
  BOOST_TEST(protocol(Act::cfp) == nullptr);
  BOOST_TEST(protocol(Act::proxy) == nullptr);
  BOOST_TEST(protocol(Act::inform) == nullptr);
  BOOST_TEST(protocol(Act::inform, "fipa-request") == nullptr);
}

BOOST_AUTO_TEST_CASE(an_answer_that_is_passed_back_belongs_to_the_clients_conversation) {
  const Proxy proxy = some_proxy();
  const Session client = client_of(proxy, brokering_protocol);
  Message answer = test::message(Act::inform, "cy", {"bob"});
  answer.conversation_id = "c2";
  answer.in_reply_to = "other";
  answer.reply_with = "x";
  const Message passed = passed_back(answer, client, proxy);
  BOOST_TEST((passed.sender == agent("bob")));
  BOOST_TEST((passed.receivers == std::vector{agent("ann")}));
  BOOST_TEST(passed.conversation_id == "c1");
  BOOST_TEST(passed.in_reply_to == "inner");
  BOOST_TEST(passed.reply_with == "");
  BOOST_TEST((passed.content == answer.content));

  Session ann(brokering_protocol, client.opening(), Calendar(), at(0s));
  ann.expect_answers_to("inner");
  Message agreed = reply(client.opening(), Act::agree);
  agreed.sender = agent("bob");
  BOOST_TEST(ann.hear(agreed, at(0s)) == Heard::taken);
  BOOST_TEST(ann.hear(passed, at(0s)) == Heard::relayed);
}

BOOST_AUTO_TEST_CASE(the_targets_of_a_recruiter_answer_its_client) {
  Proxy proxy = some_proxy();
  const Session client = client_of(proxy, recruiting_protocol);
  Message sent = recruiting(proxy, client);
  BOOST_TEST((sent.sender == agent("bob")));
  BOOST_TEST((sent.reply_to == std::vector{agent("ann")}));
  BOOST_TEST(sent.conversation_id == "c1");
  BOOST_TEST(sent.reply_with == "inner");
  BOOST_TEST(sent.protocol == "fipa-request");
  Message answer = reply(sent, Act::inform);
  answer.sender = agent("cy");
  Session ann(recruiting_protocol, client.opening(), Calendar(), at(0s));
  ann.expect_answers_to("inner");
  BOOST_TEST(ann.hear(answer, at(0s)) == Heard::relayed);

  proxy.message.reply_to = {agent("di")};
  BOOST_TEST((recruiting(proxy, client).reply_to == std::vector{agent("di")}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::acl
